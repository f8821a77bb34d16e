internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// The documents of a collection with a blob that could not be transferred, which the next
/// replication tries again: they may be before its checkpoint.
struct StoredRetries: Sendable {
    /// How many are remembered; others are tried again when they change.
    static let maximumCount = 10_000

    private static let store = KeyStore(.checkpoints)

    let id: String

    func read(in snapshot: Snapshot) throws -> [String] {
        guard let record = try Self.store.getRaw(id, in: snapshot),
            let list = try? FleeceDocument(json: String(decoding: record.body, as: UTF8.self))
        else { return [] }
        return list.root.array?.compactMap(\.string) ?? []
    }

    func write(_ ids: [String], in transaction: Transaction) throws {
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
        let known = Set(old.map { ExactString($0) })
        let new = ids.filter { !known.contains(ExactString($0)) }
        if !new.isEmpty { try write(old + new, in: transaction) }
    }
}
