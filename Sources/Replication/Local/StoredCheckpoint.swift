internal import DataFileCore
internal import StoreFormat

/// The checkpoint of a collection in the file.
struct StoredCheckpoint: Sendable {
    private static let store = KeyStore(.checkpoints)

    let id: String

    func read(in snapshot: Snapshot) throws -> ReplicationCheckpoint? {
        guard let record = try Self.store.getRaw(id, in: snapshot) else { return nil }
        return ReplicationCheckpoint(json: String(decoding: record.body, as: UTF8.self))
    }

    func write(_ checkpoint: ReplicationCheckpoint, in transaction: Transaction) throws {
        let record = RawRecord(body: Array(checkpoint.json.utf8))
        try Self.store.putRaw(record, for: id, in: transaction)
    }

    /// Removes the checkpoints whose IDs begin with `prefix`.
    static func remove(prefix: String, in transaction: Transaction) throws {
        var options = RecordEnumerator.Options()
        (options.startKey, options.endKey) = (prefix, prefix + "\u{10FFFF}")
        options.content = .metadata
        var ids: [String] = []
        let records = try store.records(options, in: transaction)
        while let record = try records.next() { ids.append(record.key) }
        for id in ids { try store.putRaw(nil, for: id, in: transaction) }
    }
}
