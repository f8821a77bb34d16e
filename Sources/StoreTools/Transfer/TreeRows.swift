internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Some documents of a collection in the order of their ids, those that have no version vector.
struct TreeRows {
    var keys: [String] = []
    /// How many documents there were, those with a version vector, too.
    var lookedAt = 0
    /// Where to go on; nil when all have been looked at.
    var lastKey: String?
}

extension Collection {
    /// The next documents, deleted ones too, that keep a tree of revisions.
    ///
    /// - Parameters:
    ///   - key: where an earlier call ended: its `lastKey`; nil to begin.
    ///   - limit: how many documents are looked at; one at least.
    func rowsWithTrees(
        after key: String?, limit: Int, in snapshot: Snapshot
    ) throws -> TreeRows {
        var options = RecordEnumerator.Options()
        options.startKey = key
        options.includesDeleted = true
        options.content = .metadata
        var rows = TreeRows()
        var isCut = false
        var last = key
        try keyStore.records(options, in: snapshot).forEachRow { row in
            let next = row.key
            // Damage can make one that is no text to go on with; it is looked at by no key.
            guard next.utf8.elementsEqual(row.statement.bytes(at: 0)) else { return true }
            if let last, next.hasSameBytes(as: last) { return true }
            guard rows.lookedAt < max(limit, 1) else {
                isCut = true
                return false
            }
            rows.lookedAt += 1
            last = next
            if row.withVersion({ $0.first ?? 0 }) != 0 { rows.keys.append(next) }
            return true
        }
        rows.lastKey = isCut ? last : nil
        return rows
    }
}
