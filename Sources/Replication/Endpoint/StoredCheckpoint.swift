internal import DataFileCore
internal import StoreFormat

/// The checkpoint of a collection in the file.
struct StoredCheckpoint: Sendable {
    private static let store = KeyStore(.checkpoints)

    let id: String
    let format: any CheckpointFormat

    func read(in snapshot: Snapshot) throws -> ReplicationCheckpoint? {
        guard let record = try Self.store.getRaw(id, in: snapshot) else { return nil }
        return format.checkpoint(String(decoding: record.body, as: UTF8.self))
    }

    func write(_ checkpoint: ReplicationCheckpoint, in transaction: Transaction) throws {
        let record = RawRecord(body: Array(format.text(of: checkpoint).utf8))
        try Self.store.putRaw(record, for: id, in: transaction)
    }

    /// Removes it; whether it existed.
    func remove(in transaction: Transaction) throws -> Bool {
        guard try Self.store.getRaw(id, in: transaction) != nil else { return false }
        try Self.store.putRaw(nil, for: id, in: transaction)
        return true
    }

    /// Removes the checkpoints whose IDs begin with `prefix`; whether there were any. The documents
    /// to be tried again stay known.
    static func remove(prefix: String, in transaction: Transaction) throws -> Bool {
        guard try store.exists(in: transaction) else { return false }
        var options = RecordEnumerator.Options()
        (options.startKey, options.endKey) = (prefix, prefix + "\u{10FFFF}")
        options.content = .metadata
        var ids: [String] = []
        let records = try store.records(options, in: transaction)
        while let record = try records.next() {
            if !StoredRetries.isKey(record.key) { ids.append(record.key) }
        }
        for id in ids { try store.putRaw(nil, for: id, in: transaction) }
        return !ids.isEmpty
    }
}

extension ReplicationCheckpoint {
    /// Whether a checkpoint of the remote was written by the file with this one: by the run that
    /// wrote this one, or by the run before, if the last one was interrupted.
    ///
    /// Otherwise a side was restored from a backup, or another file with the same UUIDs, a copy,
    /// was replicated: then its numbers are not those of this file.
    func knows(_ other: ReplicationCheckpoint) -> Bool {
        guard let run = other.run else { return false }
        return run == self.run || run == previousRun
    }

    /// Whether it is at the same place.
    func isAt(_ other: ReplicationCheckpoint) -> Bool {
        local == other.local && remote == other.remote && unverified == other.unverified
    }

    /// The same numbers, written by a new run.
    ///
    /// - Parameter known: the checkpoint of the remote, if the file knows it.
    func renamed(after known: ReplicationCheckpoint?) -> ReplicationCheckpoint {
        var checkpoint = self
        checkpoint.run = String(UInt64.random(in: .min ... .max), radix: 36)
        checkpoint.previousRun = known?.run
        return checkpoint
    }
}
