/// Which numbers rows of a database get in a store. A number that the store has given once, also to
/// what is gone, is given to nothing else.
struct ImportedNumbers {
    /// What the store has given before.
    private let last: Int64
    /// The first number that the database has not given.
    private let first: Int64
    private var next: Int64
    /// The highest number that is not free any more.
    private(set) var highest: Int64

    /// Numbers from here on are not kept, so that one of them does not use up all.
    static let bound: Int64 = 10_000_000_000

    /// - Parameters:
    ///   - last: the highest number that the store has given.
    ///   - highest: the highest number, below the bound, that the database has given.
    init(after last: Int64, highest: Int64) {
        self.last = last
        self.highest = max(last, highest)
        first = self.highest + 1
        next = first
    }

    /// The number for a row: its own if that is free. Of a damaged database a row can have a higher
    /// number than the database says there is.
    mutating func number(for row: Int64) -> Int64 {
        let isFree = row > last && row > 0 && row < Self.bound && !(first..<next).contains(row)
        guard isFree else {
            highest = next
            next += 1
            return highest
        }
        if row > highest { (highest, next) = (row, row + 1) }
        return row
    }
}
