import DocumentStore
import StoreTestSupport

extension ListDriver {
    private func cut(_ record: HistoryRecord, _ level: HistoryLevel) -> HistoryRecord {
        var record = record
        if level != .all { record.content.extra = [] }
        if level == .metadata, defect != .metadataHasBody { record.content.body = [] }
        return record
    }

    func get(_ key: String, _ level: HistoryLevel, in store: String) throws -> HistoryRecord? {
        row(key, in: store).map { cut($0.record, level) }
    }

    func get(
        sequence: Int64, _ level: HistoryLevel, in store: String
    ) throws -> HistoryRecord? {
        let table = tables[store] ?? Table()
        let rows = table.live + (defect == .bySequenceLacksTombstones ? [] : table.tombstones)
        return rows.first { $0.record.sequence == sequence }.map { cut($0.record, level) }
    }

    func get(
        many keys: [String], _ level: HistoryLevel, in store: String
    ) throws -> [HistoryRecord?] {
        try keys.map { key in
            let record = try get(key, level, in: store)
            let isTombstone = record?.flags.contains(.deleted) ?? false
            return defect == .manyLacksTombstones && isTombstone ? nil : record
        }
    }

    func getRaw(_ key: String, in store: String) throws -> HistoryContent? {
        let key = Array(key.utf8)
        return raw[store]?.first { $0.key == key }?.content
    }

    func enumerate(_ query: HistoryQuery, in store: String) throws -> [HistoryRecord] {
        let table = tables[store] ?? Table()
        let lacksTombstones = defect == .unsortedLacksTombstones && query.order == .unsorted
        var rows = table.live + (query.includesDeleted && !lacksTombstones ? table.tombstones : [])
        if query.onlyConflicted, defect != .conflictedWithoutFilter {
            rows.removeAll { !$0.record.flags.contains(.conflicted) }
        }
        if query.onlyWithAttachments {
            rows.removeAll { !$0.record.flags.contains(.hasAttachments) }
        }
        sort(&rows, query)
        rows = within(rows, query)
        if let limit = query.limit {
            rows = Array(rows.prefix(limit + (defect == .limitIsOneMore ? 1 : 0)))
        }
        return rows.map { cut($0.record, query.level) }
    }

    private func sort(_ rows: inout [Row], _ query: HistoryQuery) {
        switch query.order {
        case .unsorted: return
        case .sequence: rows.sort { $0.record.sequence < $1.record.sequence }
        case .key where defect == .sortsKeysByCharacters:
            rows.sort { $0.record.key.lowercased() < $1.record.key.lowercased() }
        case .key: rows.sort { $0.key.lexicographicallyPrecedes($1.key) }
        }
        if query.descending { rows.reverse() }
    }

    /// The rows from the start to the end, both of which are in the direction of the enumeration.
    private func within(_ rows: [Row], _ query: HistoryQuery) -> [Row] {
        rows.filter { row in
            switch query.order {
            case .unsorted: return true
            case .sequence:
                let sequence = row.record.sequence
                let isStarted = query.startSequence.map {
                    query.descending ? sequence <= $0 : sequence >= $0
                }
                let isGoingOn = query.endSequence.map {
                    query.descending ? sequence >= $0 : sequence <= $0
                }
                return isStarted ?? true && isGoingOn ?? true
            case .key:
                let order = { (other: String) -> Int in
                    let other = Array(other.utf8)
                    if row.key == other { return 0 }
                    let isBefore = row.key.lexicographicallyPrecedes(other)
                    return isBefore == query.descending ? 1 : -1
                }
                let isEndOut = query.descending && self.defect == .descendingEndIsExclusive
                let isStarted = query.startKey.map { order($0) >= 0 } ?? true
                return isStarted && query.endKey.map { order($0) <= (isEndOut ? -1 : 0) } ?? true
            }
        }
    }

    func count(in store: String) throws -> HistoryCount {
        let table = tables[store] ?? Table()
        let extra = defect == .countsTombstones ? table.tombstones.count : 0
        return HistoryCount(live: table.live.count + extra, deleted: table.tombstones.count)
    }

    func lastSequence(in store: String) throws -> Int64 { tables[store]?.lastSequence ?? 0 }

    func purgeCount(in store: String) throws -> Int64 { tables[store]?.purgeCount ?? 0 }

    func nextExpiration(in store: String) throws -> Int64? {
        let table = tables[store] ?? Table()
        return (table.live + table.tombstones).compactMap(\.record.expiration).min()
    }
}
