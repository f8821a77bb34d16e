/// Applies changed documents to a result without reading all other rows again.
struct LivePatch {
    /// The new row of a changed document.
    private struct ChangedRow {
        let row: LiveRow
        /// The previous position of the document's row; nil if it had none.
        let oldPosition: Int?
        /// The number of rows of other documents before the previous position.
        let oldGap: Int?
        /// The number of rows of other documents before the new position.
        var gap = 0
    }

    private let old: [LiveRow]
    /// The previous positions of the rows of the changed documents, in ascending order.
    private let positions: [Int]
    private var changedRows: [ChangedRow]
    /// The rows of the other documents.
    let rest: [LiveRow]

    /// - Parameters:
    ///   - old: the previous rows.
    ///   - touched: the previous rows of changed documents.
    ///   - now: the new rows of the changed documents, at most one each.
    init(_ old: [LiveRow], touched: [LiveRow], now: [ResultRow]) {
        self.old = old
        let found = Self.positions(of: touched, in: old)
        positions = found
        let ranks = Dictionary(
            uniqueKeysWithValues: found.enumerated().map { (old[$1].identity, $0) })
        changedRows = now.map { row in
            guard let rank = ranks[LiveRow.Identity(row)] else {
                return ChangedRow(row: LiveRow(row), oldPosition: nil, oldGap: nil)
            }
            let before = old[found[rank]]
            return ChangedRow(
                row: before.row == row ? before : LiveRow(row), oldPosition: found[rank],
                oldGap: found[rank] - rank)
        }
        var rest: [LiveRow] = []
        rest.reserveCapacity(old.count - found.count)
        var start = 0
        for position in found {
            rest += old[start..<position]
            start = position + 1
        }
        self.rest = rest + old[start...]
    }

    private static func positions(of rows: [LiveRow], in all: [LiveRow]) -> [Int] {
        guard rows.count > 8 else {
            return rows.compactMap { row in all.firstIndex { $0 === row } }.sorted()
        }
        let wanted = Set(rows.map { ObjectIdentifier($0) })
        return all.indices.filter { wanted.contains(ObjectIdentifier(all[$0])) }
    }

    /// Whether all rows are unchanged and stay at their positions.
    var isNothing: Bool {
        changedRows.count == positions.count
            && changedRows.allSatisfy { $0.oldPosition.map { old[$0] } === $0.row }
    }

    /// Keeps rows at their positions; new rows come last.
    mutating func keepPositions() {
        for index in changedRows.indices {
            changedRows[index].gap = changedRows[index].oldGap ?? rest.count
        }
        let positions = changedRows.map { $0.oldPosition ?? .max }
        let order = changedRows.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        changedRows = order.map { changedRows[$0] }
    }

    /// Moves rows to their positions in the query's order.
    ///
    /// - Parameter search: finds the positions.
    /// - Returns: false if the positions cannot be determined.
    mutating func sort(_ search: LiveSearch) throws -> Bool {
        let hints = changedRows.map(\.oldGap)
        guard let gaps = try search.gaps(of: changedRows.map(\.row), among: rest, hints) else {
            return false
        }
        for index in changedRows.indices { changedRows[index].gap = gaps[index] }
        let order = changedRows.indices.sorted { (gaps[$0], $0) < (gaps[$1], $1) }
        changedRows = order.map { changedRows[$0] }
        return true
    }

    /// The new rows, and their difference from the previous ones.
    func result() -> (rows: [LiveRow], difference: QueryDifference) {
        var rows: [LiveRow] = []
        rows.reserveCapacity(rest.count + changedRows.count)
        var difference = QueryDifference()
        let moved = reordered()
        var stayed: Set<Int> = []
        var start = 0
        for (number, changedRow) in changedRows.enumerated() {
            rows += rest[start..<changedRow.gap]
            start = changedRow.gap
            let entry = QueryDifference.Entry(changedRow.row, rows.count)
            rows.append(changedRow.row)
            guard let position = changedRow.oldPosition else {
                difference.inserted.append(entry)
                continue
            }
            stayed.insert(position)
            if old[position] !== changedRow.row {
                difference.updated.append(entry)
            } else if changedRow.gap != changedRow.oldGap || moved.contains(number) {
                difference.moved.append(entry)
            }
        }
        rows += rest[start...]
        for position in positions where !stayed.contains(position) {
            difference.removed.append(.init(old[position], position))
        }
        return (rows, difference)
    }

    /// The unchanged rows that moved relative to each other between the same neighbors.
    private func reordered() -> Set<Int> {
        let same = changedRows.indices.filter { index in
            let changedRow = changedRows[index]
            return changedRow.gap == changedRow.oldGap
                && changedRow.oldPosition.map { old[$0] } === changedRow.row
        }
        let moved = LiveOrder.displaced(same.map { changedRows[$0].oldPosition ?? 0 })
        return Set(moved.map { same[$0] })
    }
}

/// Finds the positions of rows in an ordered result. It lets SQLite sort them together with some of
/// the other rows, since only SQLite's order counts.
struct LiveSearch {
    /// The largest number of rows whose positions are searched for.
    static let mostRows = 32
    /// About how many other rows each query includes.
    var pivots = 64
    /// Returns the rows of these documents in the order of the query.
    let ask: ([String]) throws -> [ResultRow]

    /// The number of other rows before each row; nil if it cannot be determined, because the other
    /// rows have changed or SQLite orders equal rows differently.
    func gaps(
        of rows: [LiveRow], among others: [LiveRow], _ hints: [Int?]
    ) throws -> [Int]? {
        var ranges = rows.map { _ in 0...others.count }
        var isFirst = true
        while true {
            let open = ranges.indices.filter { ranges[$0].count > 1 }
            if open.isEmpty { return ranges.map(\.lowerBound) }
            var chosen: Set<Int> = []
            for index in open {
                chosen.formUnion(choose(in: ranges[index], max(pivots / open.count, 2)))
                guard isFirst, let hint = hints[index] else { continue }
                // Most rows stay at their position.
                chosen.formUnion([hint - 1, hint].filter { others.indices.contains($0) })
            }
            isFirst = false
            guard try narrow(&ranges, rows, others, chosen) else { return nil }
        }
    }

    /// Evenly spaced positions in a range of gaps.
    private func choose(in range: ClosedRange<Int>, _ count: Int) -> [Int] {
        let width = range.upperBound - range.lowerBound
        if width <= count { return Array(range.lowerBound..<range.upperBound) }
        return (1...count).map { range.lowerBound + width * $0 / (count + 1) }
    }

    private func narrow(
        _ ranges: inout [ClosedRange<Int>], _ rows: [LiveRow], _ others: [LiveRow],
        _ chosen: Set<Int>
    ) throws -> Bool {
        var positions: [LiveRow.Identity: Int] = [:]
        for (index, row) in rows.enumerated() { positions[row.identity] = -1 - index }
        for index in chosen { positions[others[index].identity] = index }
        let keys = rows.compactMap(\.row.key) + chosen.compactMap { others[$0].row.key }
        let found = try ask(keys).map { positions[LiveRow.Identity($0)] }
        guard found.count == rows.count + chosen.count, !found.contains(nil) else { return false }
        var last = -1
        var waiting: [Int] = []
        for position in found.compactMap(\.self) {
            guard position >= 0 else {
                let index = -1 - position
                guard ranges[index].upperBound > last else { return false }
                ranges[index] = max(ranges[index].lowerBound, last + 1)...ranges[index].upperBound
                waiting.append(index)
                continue
            }
            guard position > last else { return false }
            last = position
            for index in waiting {
                guard ranges[index].lowerBound <= position else { return false }
                ranges[index] =
                    ranges[index].lowerBound...min(ranges[index].upperBound, position)
            }
            waiting = []
        }
        return true
    }
}
