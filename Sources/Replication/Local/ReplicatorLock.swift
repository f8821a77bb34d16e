internal import DataFileCore
internal import StoreFormat
internal import StorePlatform

/// Excludes other replicators, of this and of other processes, from a collection of a file and an
/// endpoint.
///
/// The lock is an advisory one on an empty file in the database's directory; it ends with the
/// process. A database in memory has replicators of this process only.
final class ReplicatorLock: Sendable {
    private static let inMemory = Locked<Set<String>>([])

    private let file: OpenFile?
    private let key: String?

    /// - Parameter id: the ID of the lock.
    /// - Throws: ``ReplicationError/Code/alreadyRunning``.
    init(_ id: String, of database: DataFile, _ name: String) throws {
        guard FileSystem.entry(database.path) == .directory else {
            let key = "\(ObjectIdentifier(database)) \(id)"
            guard Self.inMemory.withLock({ $0.insert(key).inserted }) else {
                throw Self.isRunning(name)
            }
            (file, self.key) = (nil, key)
            return
        }
        let file = try OpenFile(locking: "\(database.path)/.\(id).lock")
        guard try file.lock(.exclusive) != .busy else { throw Self.isRunning(name) }
        (self.file, key) = (file, nil)
    }

    deinit {
        file?.unlock()
        if let key { _ = Self.inMemory.withLock { $0.remove(key) } }
    }

    private static func isRunning(_ name: String) -> ReplicationError {
        ReplicationError(
            .alreadyRunning,
            "the collection \(name) is being replicated with this endpoint already, perhaps by "
                + "another process; wait until it ends")
    }
}
