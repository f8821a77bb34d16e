/// The difference between two consecutive results of a live query.
///
/// It has what a list view needs to animate a change: which rows to remove, by their old positions,
/// and which to insert, move or reload, by their new ones.
///
/// ```swift
/// for try await results in file.observe(query) {
///     guard let difference = results.difference else { continue }
///     for entry in difference.removed { show("-", entry.position) }
///     for entry in difference.inserted { show("+", entry.position, entry.row["name"]) }
///     for entry in difference.updated { show("~", entry.position, entry.row["name"]) }
/// }
/// ```
/// Rows are identified by the IDs of their documents. Rows that do not belong to a single document,
/// such as those of groups, joins and `DISTINCT`, are identified by their values: a changed row
/// then counts as one removed row and one inserted row.
///
/// The difference is relative to the result that this observer received before, not to the previous
/// commit; see ``QueryResults/difference``.
public struct QueryDifference: Hashable, Sendable {
    /// A row that differs.
    ///
    /// ```swift
    /// for try await results in file.observe(query) {
    ///     let names = results.difference?.inserted.map { $0.row["name"].string ?? "?" } ?? []
    ///     show("new:", names)
    /// }
    /// ```
    public struct Entry: Hashable, Sendable {
        /// The ID of the row's document; nil if the row does not belong to a single document, as of
        /// a query with groups, joins or `DISTINCT`. Use it as the identity of a list's item.
        public let id: String?
        /// The current row; for a removed row, its last state.
        ///
        /// The row owns its values and remains valid after the file is closed.
        public let row: ResultRow
        /// The current position of the row, from 0; for a removed row, its position in the previous
        /// result.
        public let position: Int

        init(_ row: LiveRow, _ position: Int) {
            id = row.row.key
            self.row = row.row
            self.position = position
        }
    }

    /// The new rows, in their order.
    ///
    /// A document whose change makes it meet the condition of the query is inserted too.
    public internal(set) var inserted: [Entry] = []
    /// The removed rows, in their previous order.
    ///
    /// They include the rows of documents that were deleted, that expired, or that no longer meet
    /// the condition; ``QueryDifference/Entry/row`` is the last state of each.
    public internal(set) var removed: [Entry] = []
    /// The rows whose values changed, in their order; they may have moved as well.
    ///
    /// A row counts only if a selected value changed, not if another property of its document did.
    public internal(set) var updated: [Entry] = []
    /// The unchanged rows that moved relative to the other remaining rows.
    ///
    /// Rows whose positions change only because others were inserted or removed are not moved.
    public internal(set) var moved: [Entry] = []

    init() {}

    /// Whether both results have the same rows in the same order.
    ///
    /// It is false for each delivered result: commits that do not change the rows are not
    /// delivered.
    public var isEmpty: Bool {
        inserted.isEmpty && removed.isEmpty && updated.isEmpty && moved.isEmpty
    }
}
