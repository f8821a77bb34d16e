internal import DocumentStore

extension HistoryModel {
    func get(_ key: String, _ level: HistoryLevel, in name: String) -> HistoryRecord? {
        record(key, in: name)?.reduced(to: level)
    }

    func get(sequence: Int64, _ level: HistoryLevel, in name: String) -> HistoryRecord? {
        stores[name]?.records.values.first { $0.sequence == sequence }?.reduced(to: level)
    }

    func getRaw(_ key: String, in name: String) -> HistoryContent? {
        rawStores[name]?[Key(key.utf8)]
    }

    /// The records in the query's order; those of an unsorted query by key.
    func enumerate(_ query: HistoryQuery, in name: String) -> [HistoryRecord] {
        let found = (stores[name]?.records ?? [:]).values.filter { query.selects($0) }
        let sorted =
            query.order == .sequence
            ? found.sorted { $0.sequence < $1.sequence }
            : found.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let ordered = query.descending && query.order != .unsorted ? sorted.reversed() : sorted
        return ordered.prefix(query.limit ?? ordered.count).map { $0.reduced(to: query.level) }
    }

    func count(in name: String) -> HistoryCount {
        let records = (stores[name]?.records ?? [:]).values
        let deleted = records.count { $0.flags.contains(.deleted) }
        return HistoryCount(live: records.count - deleted, deleted: deleted)
    }

    func nextExpiration(in name: String) -> Int64? {
        (stores[name]?.records ?? [:]).values.compactMap(\.expiration).min()
    }
}

extension HistoryQuery {
    fileprivate func selects(_ record: HistoryRecord) -> Bool {
        if !includesDeleted, record.flags.contains(.deleted) { return false }
        if onlyConflicted, !record.flags.contains(.conflicted) { return false }
        if onlyWithAttachments, !record.flags.contains(.hasAttachments) { return false }
        switch order {
        case .key:
            return isWithin(Array(record.key.utf8), startKey, endKey)
        case .sequence:
            let low = descending ? endSequence : startSequence
            let high = descending ? startSequence : endSequence
            return record.sequence >= low ?? .min && record.sequence <= high ?? .max
        case .unsorted: return true
        }
    }

    /// Whether a key is between the ends, both inclusive, in the direction of the query.
    private func isWithin(_ key: [UInt8], _ start: String?, _ end: String?) -> Bool {
        let low = descending ? end : start
        let high = descending ? start : end
        if let low, key.lexicographicallyPrecedes(low.utf8) { return false }
        if let high, Array(high.utf8).lexicographicallyPrecedes(key) { return false }
        return true
    }
}
