internal import DocumentStore
internal import Foundation
internal import SQLCore
internal import Synchronization

/// A store that is opened on first use.
final class DatabaseConnection: Sendable {
    private enum State {
        case unopened
        case open(OpenDatabase)
        case closed
    }

    private let type: DatabaseType
    private let names: CountryNames
    private let encryption: (any DatabaseKey)?
    private let policy: NewerVersionPolicy
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State.unopened)

    init(
        _ type: DatabaseType, _ names: CountryNames, _ encryption: (any DatabaseKey)?,
        ifNewer policy: NewerVersionPolicy, log: @escaping @Sendable (String) -> Void
    ) {
        (self.type, self.names, self.encryption) = (type, names, encryption)
        (self.policy, self.log) = (policy, log)
    }

    /// The store; concurrent callers wait while it is being opened.
    ///
    /// Throws errors of opening it, and `ServerStoreError` with `.closed` after `close()`.
    func store() throws -> ServerStore {
        let lines = Mutex<[String]>([])
        // Logs after the lock is released, so that other callers can use the store.
        defer { for line in lines.withLock(\.self) { log(line) } }
        return try state.withLock { state in
            switch state {
            case .open(let database): return database.store
            case .closed:
                throw ServerStoreError(
                    .closed, "the database of this configuration was closed: create another one")
            case .unopened:
                let database = try OpenDatabase.open(type, names, encryption) {
                    try ServerStore(
                        path: $0, options: .serverStore(.create, encryption), names: names,
                        ifNewer: policy
                    ) { line in
                        lines.withLock { $0.append(line) }
                    }
                }
                state = .open(database)
                return database.store
            }
        }
    }

    /// Closes the store permanently. A shared store in memory stays open.
    func close() {
        state.withLock { state in
            if case .open(let database) = state, type != .inMemory { database.store.file.close() }
            state = .closed
        }
    }

    /// The path of the application's database.
    static var standardPath: String {
        let manager = FileManager.default
        let directory =
            manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? manager.temporaryDirectory
        let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return directory.appendingPathComponent(name).appendingPathComponent("servers.cblite2").path
    }
}

/// A store, and the directory that is removed with it.
private final class OpenDatabase: Sendable {
    let store: ServerStore
    private let directory: String?

    private init(_ store: ServerStore, directory: String? = nil) {
        (self.store, self.directory) = (store, directory)
    }

    deinit {
        guard let directory else { return }
        store.file.close()
        // The directory is temporary: if it cannot be removed now, the system removes it later.
        try? FileManager.default.removeItem(atPath: directory)
    }

    private static let inMemory = Mutex<DataFile?>(nil)

    /// - Parameter store: opens the file at a path.
    static func open(
        _ type: DatabaseType, _ names: CountryNames, _ encryption: (any DatabaseKey)?,
        store: (String) throws -> ServerStore
    ) throws -> OpenDatabase {
        switch type {
        case .inMemory where encryption != nil, .ephemeral(nil) where encryption != nil:
            // Throws the error that explains why it cannot have a key.
            let file = try DataFile(inMemory: .serverStore(.create, encryption))
            return OpenDatabase(try ServerStore(file, names: names))
        case .inMemory:
            let file = try inMemory.withLock { known in
                let file = try known ?? DataFile(inMemory: DataFileOptions(access: .create))
                known = file
                return file
            }
            return OpenDatabase(try ServerStore(file, names: names))
        case .ephemeral(nil): return OpenDatabase(try .inMemory(names: names))
        case .ephemeral(let path?): return try copy(of: path, names, encryption)
        case .physical(let path):
            try createDirectory(of: path)
            return OpenDatabase(try store(path))
        }
    }

    private static func copy(
        of path: String, _ names: CountryNames, _ encryption: (any DatabaseKey)?
    ) throws -> OpenDatabase {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("servers-\(UUID().uuidString)").path
        let copy = directory + "/servers.cblite2"
        try createDirectory(of: copy)
        do {
            let source = try DataFile(path: path, options: .serverStore(.readOnly, encryption))
            defer { source.close() }
            try source.copy(to: copy)
            let store = try ServerStore(
                path: copy, options: .serverStore(.create, encryption), names: names)
            return OpenDatabase(store, directory: directory)
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    private static func createDirectory(of path: String) throws {
        let directory = (path as NSString).deletingLastPathComponent
        if directory.isEmpty { return }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }
}

extension DataFileOptions {
    fileprivate static func serverStore(
        _ access: Access, _ encryption: (any DatabaseKey)?
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.encryption = encryption
        return options
    }
}
