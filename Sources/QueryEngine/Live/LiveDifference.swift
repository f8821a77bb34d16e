internal import FleeceLite

/// Finds out how two results differ.
enum LiveDifference {
    /// Where the rows of two results are different objects: all before and behind are the same.
    private static func window(
        _ old: Int, _ new: Int, isSame: (Int, Int) -> Bool
    ) -> (old: Range<Int>, new: Range<Int>) {
        var start = 0
        while start < min(old, new), isSame(start, start) { start += 1 }
        var end = 0
        while end < min(old, new) - start, isSame(old - 1 - end, new - 1 - end) { end += 1 }
        return (start..<old - end, start..<new - end)
    }

    static func between(_ old: [LiveRow], _ new: [LiveRow]) -> QueryDifference {
        let (before, after) = window(old.count, new.count) { old[$0] === new[$1] }
        var difference = QueryDifference()
        if before.isEmpty, after.isEmpty { return difference }
        var places = LivePositions(old, before)
        var kept: [(old: Int, new: Int)] = []
        for position in after {
            let place = places.take(new[position].identity)
            guard let place else {
                difference.inserted.append(.init(new[position], position))
                continue
            }
            let row = new[position]
            if row === old[place] || row.row == old[place].row {
                kept.append((place, position))
            } else {
                difference.updated.append(.init(row, position))
            }
        }
        for number in LiveOrder.outOfPlace(kept.map(\.old)).sorted() {
            difference.moved.append(.init(new[kept[number].new], kept[number].new))
        }
        for position in places.left { difference.removed.append(.init(old[position], position)) }
        return difference
    }

    /// The rows of a new run, in which those that are as before are the objects that they were.
    ///
    /// - Parameter keepsOrder: whether rows that were there before keep their places, and new ones
    ///   come last.
    static func merged(
        _ old: [LiveRow], _ new: [ResultRow], keepsOrder: Bool
    ) -> [LiveRow] {
        let (before, after) = window(old.count, new.count) {
            old[$0].row.hasSameKey(as: new[$1]) && old[$0].row == new[$1]
        }
        if before.isEmpty, after.isEmpty { return old }
        var places = LivePositions(old, before)
        var kept: [(place: Int, row: LiveRow)] = []
        var added: [LiveRow] = []
        for row in new[after] {
            let place = places.take(LiveRow.Identity(row))
            let entry = place.flatMap { old[$0].row == row ? old[$0] : nil } ?? LiveRow(row)
            if keepsOrder, place == nil {
                added.append(entry)
            } else {
                kept.append((place ?? 0, entry))
            }
        }
        if keepsOrder { kept.sort { $0.place < $1.place } }
        return Array(old[..<before.lowerBound]) + kept.map(\.row)
            + Array(old[before.upperBound...]) + added
    }
}

extension ResultRow {
    /// Whether both are of the same document, or both of none.
    fileprivate func hasSameKey(as other: ResultRow) -> Bool {
        guard let key, let otherKey = other.key else { return key == nil && other.key == nil }
        return key.hasSameBytes(as: otherKey)
    }
}

/// Where rows are, by what they are told from others by; equal ones are taken in their order.
private struct LivePositions {
    private var first: [LiveRow.Identity: Int]
    /// The place of the next row that is equal; -1 for the last.
    private var next: [Int]
    private var isTaken: [Bool]
    private let range: Range<Int>

    init(_ rows: [LiveRow], _ range: Range<Int>) {
        self.range = range
        first = Dictionary(minimumCapacity: range.count)
        next = Array(repeating: -1, count: range.count)
        isTaken = Array(repeating: false, count: range.count)
        for place in range.reversed() {
            let identity = rows[place].identity
            next[place - range.lowerBound] = first.updateValue(place, forKey: identity) ?? -1
        }
    }

    /// The place of the next row like this one.
    mutating func take(_ identity: LiveRow.Identity) -> Int? {
        guard let place = first[identity] else { return nil }
        let following = next[place - range.lowerBound]
        first[identity] = following < 0 ? nil : following
        isTaken[place - range.lowerBound] = true
        return place
    }

    /// The places that were not taken.
    var left: [Int] { range.filter { !isTaken[$0 - range.lowerBound] } }
}

/// What has moved.
enum LiveOrder {
    /// The fewest numbers, by their index, without which the rest is in ascending order. No two are
    /// the same.
    static func outOfPlace(_ numbers: [Int]) -> Set<Int> {
        guard zip(numbers, numbers.dropFirst()).contains(where: { $0 > $1 }) else { return [] }
        // The longest ascending part: of each length, the end that is least.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var stray = Set(numbers.indices)
        var index = ends.last ?? -1
        while index >= 0 {
            stray.remove(index)
            index = previous[index]
        }
        return stray
    }
}

/// A row of a live query. While it stays the same it is the same object in all results.
final class LiveRow: Sendable {
    let row: ResultRow

    init(_ row: ResultRow) {
        self.row = row
    }

    /// What it is told from other rows by.
    var identity: Identity { Identity(row) }

    /// What a row is told from others by.
    enum Identity: Hashable {
        case document(ExactString)
        case values(ResultRow)

        init(_ row: ResultRow) {
            self = row.key.map { .document(ExactString($0)) } ?? .values(row)
        }
    }
}

/// A result of a live query, shared by all who observe it.
final class LiveVersion: Sendable {
    let rows: [LiveRow]
    let columns: [String]
    /// How it differs from the one before.
    let difference: QueryDifference
    /// The number of the one before; 0 for the first.
    let number: Int

    init(_ rows: [LiveRow], _ columns: [String], _ difference: QueryDifference, number: Int) {
        self.rows = rows
        self.columns = columns
        self.difference = difference
        self.number = number
    }

    /// What an observer gets who has had another one; nil if there is no difference between them.
    func results(after earlier: LiveVersion?) -> QueryResults? {
        guard let earlier else { return QueryResults(self, nil) }
        let difference =
            earlier.number + 1 == number
            ? difference : LiveDifference.between(earlier.rows, rows)
        return difference.isEmpty ? nil : QueryResults(self, difference)
    }
}
