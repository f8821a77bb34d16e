internal import DocumentStore

/// The expected behavior of a store: dictionaries of records, changed by the rules of the format.
struct HistoryModel {
    /// A key by its bytes: Swift treats some different strings as equal.
    typealias Key = [UInt8]

    struct Store {
        var records: [Key: HistoryRecord] = [:]
        var lastSequence: Int64 = 0
        var purgeCount: Int64 = 0
    }

    var stores: [String: Store] = [:]
    var rawStores: [String: [Key: HistoryContent]] = [:]

    func record(_ key: String, in store: String) -> HistoryRecord? {
        stores[store]?.records[Key(key.utf8)]
    }
}

extension HistoryModel {
    /// Deleting is a save with the flag `deleted`: the record stays, and so does its expiration.
    mutating func save(_ update: HistoryUpdate, in name: String) -> HistorySaved {
        let old = record(update.key, in: name)
        guard old?.historyVersion == update.expected else { return .conflict }
        return change(name) { store in
            var record = HistoryRecord(
                key: update.key, sequence: 0, subsequence: 0, flags: update.flags,
                content: update.content, expiration: old?.expiration)
            if update.keepsSequence, let old {
                record.sequence = old.sequence
                record.subsequence = old.subsequence + 1
            } else {
                store.lastSequence += 1
                record.sequence = store.lastSequence
            }
            store.records[Key(update.key.utf8)] = record
            return .saved(sequence: record.sequence, subsequence: record.subsequence)
        }
    }

    mutating func addFlags(
        _ flags: DocumentFlags, key: String, sequence: Int64, in name: String
    ) -> Bool {
        guard var record = record(key, in: name), record.sequence == sequence else { return false }
        record.flags.formUnion(flags)
        record.subsequence += 1
        return change(name) { store in
            store.records[Key(key.utf8)] = record
            return true
        }
    }

    mutating func purge(_ key: String, expecting: HistoryVersion?, in name: String) -> Bool {
        guard let record = record(key, in: name),
            expecting == nil || record.historyVersion == expecting
        else { return false }
        return change(name) { store in
            store.records[Key(key.utf8)] = nil
            store.purgeCount += 1
            return true
        }
    }

    mutating func setExpiration(_ time: Int64?, key: String, in name: String) -> Bool {
        guard record(key, in: name) != nil else { return false }
        return change(name) { store in
            store.records[Key(key.utf8)]?.expiration = time
            return true
        }
    }

    /// An expired record is purged, and counts as one purge.
    mutating func purgeExpired(at time: Int64, in name: String) -> Int {
        change(name) { store in
            let left = store.records.filter { $0.value.expiration.map { $0 > time } ?? true }
            let count = store.records.count - left.count
            store.records = left
            store.purgeCount += Int64(count)
            return count
        }
    }

    /// A record that is moved counts as purged in its old store; its expiration moves along.
    mutating func move(_ key: String, from name: String, to target: String) -> HistoryMoved {
        guard let old = record(key, in: name), !old.flags.contains(.deleted) else {
            return .missing
        }
        guard record(key, in: target) == nil else { return .conflict }
        _ = purge(key, expecting: nil, in: name)
        return change(target) { store in
            store.lastSequence += 1
            var moved = old
            moved.sequence = store.lastSequence
            moved.subsequence = 0
            store.records[Key(key.utf8)] = moved
            return .moved(sequence: moved.sequence)
        }
    }

    mutating func putRaw(_ key: String, _ content: HistoryContent, in name: String) {
        rawStores[name, default: [:]][Key(key.utf8)] = HistoryContent(
            version: content.version, body: content.body)
    }

    private mutating func change<T>(_ name: String, _ body: (inout Store) -> T) -> T {
        body(&stores[name, default: Store()])
    }
}

extension HistoryRecord {
    /// The version that a writer has to expect.
    var historyVersion: HistoryVersion {
        HistoryVersion(sequence: sequence, subsequence: subsequence)
    }

    /// The record as it is read at a level.
    func reduced(to level: HistoryLevel) -> HistoryRecord {
        var record = self
        if level != .all { record.content.extra = [] }
        if level == .metadata { record.content.body = [] }
        return record
    }
}
