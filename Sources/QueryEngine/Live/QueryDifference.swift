/// How a result of a live query differs from the one before it.
///
/// Rows are told apart by the IDs of their documents. Rows that are of no single document, such as
/// those of groups and joins, are told apart by their values: there one that has changed is one
/// that was removed and another one that was inserted.
public struct QueryDifference: Hashable, Sendable {
    /// A row that differs.
    public struct Entry: Hashable, Sendable {
        /// The ID of the document that the row is of; nil if it is of no single one.
        public let id: String?
        /// The row as it is now; of one that was removed, as it was.
        public let row: ResultRow
        /// Where it is among the rows now, from 0; of one that was removed, where it was.
        public let position: Int

        init(_ row: LiveRow, _ position: Int) {
            id = row.row.key
            self.row = row.row
            self.position = position
        }
    }

    /// The rows that were not there before, in their order.
    public internal(set) var inserted: [Entry] = []
    /// The rows that are not there any more, in the order that they had.
    public internal(set) var removed: [Entry] = []
    /// The rows whose values have changed, in their order; they may have moved as well.
    public internal(set) var updated: [Entry] = []
    /// The rows that are the same and stand at another place among those that stayed.
    public internal(set) var moved: [Entry] = []

    init() {}

    /// Whether nothing differs.
    public var isEmpty: Bool {
        inserted.isEmpty && removed.isEmpty && updated.isEmpty && moved.isEmpty
    }
}
