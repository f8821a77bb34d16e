internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Documents of a collection that the next replication tries again, since its checkpoint may be
/// after them: those with a blob that could not be transferred, those that were not accepted, and
/// those with a conflict that is kept.
struct StoredRetries: Sendable {
    /// How many are remembered. Further conflicts are resolved again when they change; of further
    /// documents that are not transferred, a replication ends before them.
    static let maximumCount = 10_000

    private static let store = KeyStore(.checkpoints)

    /// What is tried again.
    enum Kind: String, CaseIterable {
        case pull, push
        /// To resolve conflicts that are kept.
        case conflicts
        /// To send documents when their conflicts are resolved with revisions that the remote has
        /// deleted, the deletions, too.
        case forgotten
    }

    private let id: String
    private let kind: Kind

    init(_ checkpoint: String, _ kind: Kind) {
        id = "\(checkpoint)-\(kind)"
        self.kind = kind
    }

    /// Whether a key of the store is that of such a list.
    static func isKey(_ key: String) -> Bool {
        Kind.allCases.contains { key.hasSuffix("-\($0)") }
    }

    func read(in snapshot: Snapshot) throws -> [String] {
        guard let record = try Self.store.getRaw(id, in: snapshot),
            let list = try? FleeceDocument(json: String(decoding: record.body, as: UTF8.self))
        else { return [] }
        return list.root.array?.compactMap(\.string) ?? []
    }

    private func write(_ ids: [String], in transaction: Transaction) throws {
        var text = JSONText()
        text.append("[")
        for (index, id) in ids.prefix(Self.maximumCount).enumerated() {
            if index > 0 { text.append(",") }
            text.append(quoted: id)
        }
        text.append("]")
        try Self.store.putRaw(RawRecord(body: Array(text.string.utf8)), for: id, in: transaction)
    }

    func add(_ ids: [String], in transaction: Transaction) throws {
        guard !ids.isEmpty else { return }
        let old = try read(in: transaction)
        var known = Set(old.map { ExactString($0) })
        let new = ids.filter { known.insert(ExactString($0)).inserted }
        guard !new.isEmpty else { return }
        if kind == .pull || kind == .push, old.count + new.count > Self.maximumCount {
            throw ReplicationError(
                .remoteFailure,
                "more than \(Self.maximumCount) documents were not accepted, \(new[0]) among them; "
                    + "the others wait until these are")
        }
        try write(old + new, in: transaction)
    }

    /// Removes documents, except those that are left to be tried again.
    func remove(
        _ ids: [String], except left: [String] = [], in transaction: Transaction
    ) throws {
        let done = Set(ids.map { ExactString($0) }).subtracting(left.map { ExactString($0) })
        guard !done.isEmpty else { return }
        let rest = try read(in: transaction).filter { !done.contains(ExactString($0)) }
        try write(rest, in: transaction)
    }
}
