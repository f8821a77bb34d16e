/// A tokenizer for FTS3 and FTS4 tables: it splits text into the tokens that are indexed.
///
/// ```swift
/// struct Letters: SQLTokenizer {
///     init(arguments: [String]) {}
///     func tokens(in text: String, language: Int) -> [SQLToken] { … }
/// }
/// try context.registerTokenizer("letters", Letters.self)
/// try context.exec(sql: "CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters)")
/// ```
/// One value is created for each table and connection.
public protocol SQLTokenizer: SendableMetatype {
    /// Creates a tokenizer with the arguments that follow its name in `tokenize=`, unquoted.
    init(arguments: [String]) throws

    /// Returns the tokens of a document, or of a phrase in a query, in order.
    ///
    /// - Parameter language: The row's `languageid`; 0 if the table has no such column.
    func tokens(in text: String, language: Int) throws -> [SQLToken]
}

/// A token to be indexed, and its location in the document.
public struct SQLToken: Hashable, Sendable {
    /// The token as it is indexed: folded, stemmed, …
    public var text: String
    /// The location in the document, as a range of UTF-8 bytes.
    public var bytes: Range<Int>
    /// The token position; tokens with the same position are synonyms. Nil for the position after
    /// that of the previous token.
    public var position: Int?

    /// Creates a token.
    public init(_ text: String, bytes: Range<Int>, position: Int? = nil) {
        self.text = text
        self.bytes = bytes
        self.position = position
    }
}

/// A tokenizer that copies neither the text, which is SQLite's memory, nor the tokens.
public protocol SQLRawTokenizer: SendableMetatype {
    /// The type that iterates over the tokens of a text.
    associatedtype Cursor: SQLRawTokenCursor

    /// Creates a tokenizer with the arguments that follow its name in `tokenize=`, unquoted.
    init(arguments: [String]) throws

    /// Returns a cursor over a text, which stays valid until the cursor is released.
    func cursor(over text: UnsafeRawBufferPointer, language: Int) throws -> Cursor
}

/// Iterates over the tokens of a text.
public protocol SQLRawTokenCursor {
    /// Returns the next token, or nil at the end of the text.
    mutating func next() throws -> SQLRawToken?
}

/// A token whose memory belongs to its cursor or to the text.
@frozen
public struct SQLRawToken {
    /// The UTF-8 of the token as it is indexed; it must stay valid until the next call of `next()`.
    public var text: UnsafeRawBufferPointer
    /// The location in the text, as a range of bytes.
    public var bytes: Range<Int>
    /// The token position, from 0; it must never decrease.
    public var position: Int

    /// Creates a token.
    @inlinable
    public init(text: UnsafeRawBufferPointer, bytes: Range<Int>, position: Int) {
        self.text = text
        self.bytes = bytes
        self.position = position
    }
}
