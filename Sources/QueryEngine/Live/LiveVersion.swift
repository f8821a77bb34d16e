internal import FleeceLite

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
        case document(KeyText)
        case values(ResultRow)

        init(_ row: ResultRow) {
            self = row.key.map { .document(KeyText($0)) } ?? .values(row)
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
