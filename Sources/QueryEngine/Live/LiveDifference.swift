internal import FleeceLite

/// Computes the difference between two results.
enum LiveDifference {
    /// The range in which the rows of two results are different objects: all rows before and after
    /// it are the same.
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
        var unmatched = LivePositions(old, before)
        var matched: [(old: Int, new: Int)] = []
        for position in after {
            let oldPosition = unmatched.take(new[position].identity)
            guard let oldPosition else {
                difference.inserted.append(.init(new[position], position))
                continue
            }
            let row = new[position]
            if row === old[oldPosition] || row.row == old[oldPosition].row {
                matched.append((oldPosition, position))
            } else {
                difference.updated.append(.init(row, position))
            }
        }
        for number in LiveOrder.displaced(matched.map(\.old)).sorted() {
            difference.moved.append(.init(new[matched[number].new], matched[number].new))
        }
        for position in unmatched.left { difference.removed.append(.init(old[position], position)) }
        return difference
    }

    /// The rows of a new run, where each unchanged row is the object of the previous result.
    ///
    /// - Parameter keepsOrder: whether rows of the previous result keep their positions and new
    ///   rows come last.
    static func merged(
        _ old: [LiveRow], _ new: [ResultRow], keepsOrder: Bool
    ) -> [LiveRow] {
        let (before, after) = window(old.count, new.count) {
            old[$0].row.hasSameKey(as: new[$1]) && old[$0].row == new[$1]
        }
        if before.isEmpty, after.isEmpty { return old }
        var unmatched = LivePositions(old, before)
        var matched: [(oldPosition: Int, row: LiveRow)] = []
        var added: [LiveRow] = []
        for row in new[after] {
            let oldPosition = unmatched.take(LiveRow.Identity(row))
            let entry = oldPosition.flatMap { old[$0].row == row ? old[$0] : nil } ?? LiveRow(row)
            if keepsOrder, oldPosition == nil {
                added.append(entry)
            } else {
                matched.append((oldPosition ?? 0, entry))
            }
        }
        if keepsOrder { matched.sort { $0.oldPosition < $1.oldPosition } }
        return Array(old[..<before.lowerBound]) + matched.map(\.row)
            + Array(old[before.upperBound...]) + added
    }
}

extension ResultRow {
    /// Whether both rows are of the same document, or neither is of a single document.
    fileprivate func hasSameKey(as other: ResultRow) -> Bool {
        guard let key, let otherKey = other.key else { return key == nil && other.key == nil }
        return key.hasSameBytes(as: otherKey)
    }
}

/// The positions of rows by their identity; equal rows are taken in their order.
private struct LivePositions {
    private var first: [LiveRow.Identity: Int]
    /// The position of the next equal row; -1 for the last one.
    private var next: [Int]
    private var isTaken: [Bool]
    private let range: Range<Int>

    init(_ rows: [LiveRow], _ range: Range<Int>) {
        self.range = range
        first = Dictionary(minimumCapacity: range.count)
        next = Array(repeating: -1, count: range.count)
        isTaken = Array(repeating: false, count: range.count)
        for position in range.reversed() {
            let identity = rows[position].identity
            next[position - range.lowerBound] = first.updateValue(position, forKey: identity) ?? -1
        }
    }

    /// The position of the next row equal to this one.
    mutating func take(_ identity: LiveRow.Identity) -> Int? {
        guard let position = first[identity] else { return nil }
        let following = next[position - range.lowerBound]
        first[identity] = following < 0 ? nil : following
        isTaken[position - range.lowerBound] = true
        return position
    }

    /// The positions that were not taken.
    var left: [Int] { range.filter { !isTaken[$0 - range.lowerBound] } }
}

/// Finds the rows that moved.
enum LiveOrder {
    /// The indexes of the fewest numbers whose removal leaves an ascending sequence. All numbers
    /// differ.
    static func displaced(_ numbers: [Int]) -> Set<Int> {
        guard zip(numbers, numbers.dropFirst()).contains(where: { $0 > $1 }) else { return [] }
        // The longest increasing subsequence: for each length, the least last number.
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
        var moved = Set(numbers.indices)
        var index = ends.last ?? -1
        while index >= 0 {
            moved.remove(index)
            index = previous[index]
        }
        return moved
    }
}

/// A row of a live query. An unchanged row is the same object in all results.
final class LiveRow: Sendable {
    let row: ResultRow

    init(_ row: ResultRow) {
        self.row = row
    }

    /// What identifies the row among others.
    var identity: Identity { Identity(row) }

    /// What identifies a row: the ID of its document, or else its values.
    enum Identity: Hashable {
        case document(ExactString)
        case values(ResultRow)

        init(_ row: ResultRow) {
            self = row.key.map { .document(ExactString($0)) } ?? .values(row)
        }
    }
}

/// A version of a live query's result, shared by all observers.
final class LiveVersion: Sendable {
    let rows: [LiveRow]
    let columns: [String]
    /// How it differs from the previous version.
    let difference: QueryDifference
    /// The number of the previous version; 0 for the first.
    let number: Int

    init(_ rows: [LiveRow], _ columns: [String], _ difference: QueryDifference, number: Int) {
        self.rows = rows
        self.columns = columns
        self.difference = difference
        self.number = number
    }

    /// The results for an observer that last received an earlier version; nil if they are equal.
    func results(after earlier: LiveVersion?) -> QueryResults? {
        guard let earlier else { return QueryResults(self, nil) }
        let difference =
            earlier.number + 1 == number
            ? difference : LiveDifference.between(earlier.rows, rows)
        return difference.isEmpty ? nil : QueryResults(self, difference)
    }
}
