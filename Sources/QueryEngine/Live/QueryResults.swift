/// The result of a live query at one moment: its rows, and how they differ from those before.
///
/// ```swift
/// for row in results { print(row["name"]) }
/// for entry in results.difference?.inserted ?? [] { print(entry.id, entry.row["name"]) }
/// ```
/// The rows are shared by all who observe the query, and outlive the file.
public struct QueryResults: RandomAccessCollection, Sendable {
    /// A row.
    public typealias Element = ResultRow
    /// The place of a row, from 0.
    public typealias Index = Int

    private let version: LiveVersion
    /// How the rows differ from those of the result that this observer got before; nil for its
    /// first one.
    public let difference: QueryDifference?

    init(_ version: LiveVersion, _ difference: QueryDifference?) {
        self.version = version
        self.difference = difference
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// How many rows there are.
    public var endIndex: Int { version.rows.count }

    /// The row at a place.
    public subscript(position: Int) -> ResultRow { version.rows[position].row }

    /// The ID of the document that the row at a place is of; nil if it is of no single one.
    public func id(at position: Int) -> String? { version.rows[position].row.key }

    /// The titles of the columns.
    public var columnNames: [String] { version.columns }

    /// The rows as values of a type, as `ResultRow.decode` makes them.
    ///
    /// Throws `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> [Value] {
        try map { try $0.decode(type) }
    }
}
