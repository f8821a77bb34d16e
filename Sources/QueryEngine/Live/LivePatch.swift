/// Puts documents that were changed into a result, without asking for all others again.
struct LivePatch {
    /// A row that a changed document has now.
    private struct Newcomer {
        let row: LiveRow
        /// Where the document's row was; nil if it had none.
        let oldPosition: Int?
        /// How many rows of other documents were before it.
        let oldGap: Int?
        /// How many are before it now.
        var gap = 0
    }

    private let old: [LiveRow]
    /// Where the rows of the changed documents were, in ascending order.
    private let positions: [Int]
    private var newcomers: [Newcomer]
    /// The rows of the other documents.
    let rest: [LiveRow]

    /// - Parameters:
    ///   - old: the rows before.
    ///   - touched: those of changed documents among them.
    ///   - now: the rows that the changed documents have now, one each.
    init(_ old: [LiveRow], touched: [LiveRow], now: [ResultRow]) {
        self.old = old
        let found = Self.positions(of: touched, in: old)
        positions = found
        let ranks = Dictionary(
            uniqueKeysWithValues: found.enumerated().map { (old[$1].identity, $0) })
        newcomers = now.map { row in
            guard let rank = ranks[LiveRow.Identity(row)] else {
                return Newcomer(row: LiveRow(row), oldPosition: nil, oldGap: nil)
            }
            let before = old[found[rank]]
            return Newcomer(
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

    /// Whether all rows are as before, and so at their places.
    var isNothing: Bool {
        newcomers.count == positions.count
            && newcomers.allSatisfy { $0.oldPosition.map { old[$0] } === $0.row }
    }

    /// Rows stay where they are, new ones come last.
    mutating func keepPositions() {
        for index in newcomers.indices {
            newcomers[index].gap = newcomers[index].oldGap ?? rest.count
        }
        let positions = newcomers.map { $0.oldPosition ?? .max }
        let order = newcomers.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        newcomers = order.map { newcomers[$0] }
    }

    /// Rows go where an order wants them.
    ///
    /// - Parameter search: finds out where.
    /// - Returns: false if that cannot be told.
    mutating func sort(_ search: LiveSearch) throws -> Bool {
        let hints = newcomers.map(\.oldGap)
        guard let gaps = try search.gaps(of: newcomers.map(\.row), among: rest, hints) else {
            return false
        }
        for index in newcomers.indices { newcomers[index].gap = gaps[index] }
        let order = newcomers.indices.sorted { (gaps[$0], $0) < (gaps[$1], $1) }
        newcomers = order.map { newcomers[$0] }
        return true
    }

    /// The rows as they are now, and how they differ.
    func result() -> (rows: [LiveRow], difference: QueryDifference) {
        var rows: [LiveRow] = []
        rows.reserveCapacity(rest.count + newcomers.count)
        var difference = QueryDifference()
        let stray = strays()
        var stayed: Set<Int> = []
        var start = 0
        for (number, newcomer) in newcomers.enumerated() {
            rows += rest[start..<newcomer.gap]
            start = newcomer.gap
            let entry = QueryDifference.Entry(newcomer.row, rows.count)
            rows.append(newcomer.row)
            guard let position = newcomer.oldPosition else {
                difference.inserted.append(entry)
                continue
            }
            stayed.insert(position)
            if old[position] !== newcomer.row {
                difference.updated.append(entry)
            } else if newcomer.gap != newcomer.oldGap || stray.contains(number) {
                difference.moved.append(entry)
            }
        }
        rows += rest[start...]
        for position in positions where !stayed.contains(position) {
            difference.removed.append(.init(old[position], position))
        }
        return (rows, difference)
    }

    /// The unchanged ones that stand between the same rows as before, but in another order.
    private func strays() -> Set<Int> {
        let same = newcomers.indices.filter { index in
            let newcomer = newcomers[index]
            return newcomer.gap == newcomer.oldGap
                && newcomer.oldPosition.map { old[$0] } === newcomer.row
        }
        let stray = LiveOrder.outOfPlace(same.map { newcomers[$0].oldPosition ?? 0 })
        return Set(stray.map { same[$0] })
    }
}

/// Finds the places of rows in a result that has an order, by asking SQLite for them together with
/// some of the others: its order is the only one that counts.
struct LiveSearch {
    /// The most rows whose places are looked for.
    static let mostRows = 32
    /// About how many of the others are asked for at a time.
    var pivots = 64
    /// The rows of these documents, in the order of the query.
    let ask: ([String]) throws -> [ResultRow]

    /// How many of the other rows come before each row; nil if that cannot be told, since the
    /// others are not as they were, or SQLite orders equal ones differently.
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
                // Mostly it stays where it is.
                chosen.formUnion([hint - 1, hint].filter { others.indices.contains($0) })
            }
            isFirst = false
            guard try narrow(&ranges, rows, others, chosen) else { return nil }
        }
    }

    /// Some places of rows by which a range of gaps is divided evenly.
    private func choose(in range: ClosedRange<Int>, _ count: Int) -> [Int] {
        let width = range.upperBound - range.lowerBound
        if width <= count { return Array(range.lowerBound..<range.upperBound) }
        return (1...count).map { range.lowerBound + width * $0 / (count + 1) }
    }

    private func narrow(
        _ ranges: inout [ClosedRange<Int>], _ rows: [LiveRow], _ others: [LiveRow],
        _ chosen: Set<Int>
    ) throws -> Bool {
        var places: [LiveRow.Identity: Int] = [:]
        for (index, row) in rows.enumerated() { places[row.identity] = -1 - index }
        for index in chosen { places[others[index].identity] = index }
        let keys = rows.compactMap(\.row.key) + chosen.compactMap { others[$0].row.key }
        let found = try ask(keys).map { places[LiveRow.Identity($0)] }
        guard found.count == rows.count + chosen.count, !found.contains(nil) else { return false }
        var last = -1
        var waiting: [Int] = []
        for place in found.compactMap(\.self) {
            guard place >= 0 else {
                let index = -1 - place
                guard ranges[index].upperBound > last else { return false }
                ranges[index] = max(ranges[index].lowerBound, last + 1)...ranges[index].upperBound
                waiting.append(index)
                continue
            }
            guard place > last else { return false }
            last = place
            for index in waiting {
                guard ranges[index].lowerBound <= place else { return false }
                ranges[index] =
                    ranges[index].lowerBound...min(ranges[index].upperBound, place)
            }
            waiting = []
        }
        return true
    }
}
