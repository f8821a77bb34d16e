/// One result of a live query: its rows, and how they differ from the previous ones.
///
/// It is a random-access collection of rows, so `count`, `first`, `map` and an index work as for an
/// array.
///
/// ```swift
/// for try await results in file.observe(query) {
///     for row in results { print(row["name"]) }
///     for entry in results.difference?.inserted ?? [] {
///         print(entry.id ?? "", entry.row["name"])
///     }
/// }
/// ```
/// The value is complete: reading its rows needs neither the file nor a snapshot. All observers of
/// the query share the rows, which remain valid after the file is closed. It can be sent to other
/// tasks and actors.
///
/// The observation that delivers it is ``QueryObservation``.
public struct QueryResults: RandomAccessCollection, Sendable {
    /// A row, which owns its values.
    public typealias Element = ResultRow
    /// The position of a row, from 0.
    public typealias Index = Int

    private let version: LiveVersion
    /// The difference from the previous result that this observer received; nil for the first one.
    ///
    /// ```swift
    /// for try await results in file.observe(query) {
    ///     if results.difference == nil {
    ///         show("loaded", results.count)
    ///     } else {
    ///         show("changed", results.difference?.updated.count ?? 0)
    ///     }
    /// }
    /// ```
    /// If results were merged because the observer was busy, the difference covers all of them.
    public let difference: QueryDifference?

    init(_ version: LiveVersion, _ difference: QueryDifference?) {
        self.version = version
        self.difference = difference
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { version.rows.count }

    /// The row at a position, from 0. A position outside of the rows is a programming error, as
    /// with an array.
    public subscript(position: Int) -> ResultRow { version.rows[position].row }

    /// The ID of the document of the row at a position; nil if the row does not belong to a single
    /// document, as of a query with groups, joins or `DISTINCT`.
    ///
    /// The query need not select the ID.
    ///
    /// ```swift
    /// for try await results in file.observe(query) {
    ///     for position in results.indices { show(results.id(at: position), results[position]) }
    /// }
    /// ```
    /// - Parameter position: the position of a row, from 0.
    public func id(at position: Int) -> String? { version.rows[position].row.key }

    /// The column names, in order, as of ``ResultRow/columnNames``; also if there are no rows.
    public var columnNames: [String] { version.columns }

    /// Decodes each row as a value of a type, like ``ResultRow/decode(_:with:)``.
    ///
    /// ```swift
    /// let query = try Query("SELECT * FROM people WHERE age >= 18 ORDER BY age")
    /// for try await results in file.observe(query) {
    ///     let adults = try results.decode(Person.self)
    ///     show(adults.map(\.name.last))
    /// }
    /// ```
    /// Each call decodes all rows. To decode only what changed, decode the rows of ``difference``.
    ///
    /// - Parameter type: the type, whose properties are the columns, or the document for `SELECT
    ///   *`.
    /// - Returns: one value for each row, in order.
    /// - Throws: `DecodingError` for the first row that does not have the form of the type.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> [Value] {
        try map { try $0.decode(type) }
    }
}
