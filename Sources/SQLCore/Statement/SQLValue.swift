/// A value that SQLite stores, in one of its five types.
public enum SQLValue: Hashable, Sendable {
    /// A signed 64-bit integer.
    case long(Int64)
    /// A double.
    case real(Double)
    /// UTF-8 text, which may hold NUL.
    case text(String)
    /// Bytes; empty is not null.
    case blob([UInt8])
    /// `NULL`
    case null

    /// The integer, if it is one.
    public var longValue: Int64? { if case .long(let value) = self { value } else { nil } }
    /// The double, if it is one.
    public var realValue: Double? { if case .real(let value) = self { value } else { nil } }
    /// The text, if it is one.
    public var textValue: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes, if it is a blob.
    public var blobValue: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}
