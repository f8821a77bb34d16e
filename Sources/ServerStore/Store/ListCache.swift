internal import DocumentStore
internal import Synchronization

/// The list that was read last, of one handle.
final class ListCache: Sendable {
    /// What a list is of; it changes with each commit that touches servers or their loads.
    struct Version: Equatable, Sendable {
        var logicals: [Int64]
        var loads: [Int64]

        init(_ collections: Collections, in snapshot: Snapshot) throws {
            func numbers(_ collection: DocumentCollection) throws -> [Int64] {
                [
                    try collection.keyStore.lastSequence(in: snapshot),
                    try collection.keyStore.purgeCount(in: snapshot),
                ]
            }
            logicals = try numbers(collections.logicals)
            loads = try numbers(collections.loads)
        }
    }

    struct Entry: Sendable {
        let version: Version
        let list: ServerList
    }

    private let entry = Mutex<Entry?>(nil)

    /// The list that was read last.
    var last: Entry? { entry.withLock { $0 } }

    func keep(_ list: ServerList, _ version: Version) {
        entry.withLock { $0 = Entry(version: version, list: list) }
    }
}
