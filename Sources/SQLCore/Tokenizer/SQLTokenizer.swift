/// A tokenizer for FTS3 and FTS4 tables: it splits text into the tokens that are indexed.
///
/// ```swift
/// struct Letters: SQLTokenizer {
///     init(arguments: [String]) {}
///
///     func tokens(in text: String, language: Int) -> [SQLToken] {
///         var position = 0
///         return text.split { !$0.isLetter }.map { word in
///             let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
///             position += 1
///             return SQLToken(
///                 word.lowercased(), bytes: start..<start + word.utf8.count,
///                 position: position - 1)
///         }
///     }
/// }
/// try database.registerTokenizer("letters", Letters.self)
/// try database.exec(sql: "CREATE VIRTUAL TABLE page USING fts4(body, tokenize=letters)")
/// ```
/// One value is created for each table and connection. The same tokenizer must be registered on
/// every connection that uses the table, and its results must not change: documents that are
/// indexed already are not tokenized again, until `INSERT INTO page(page) VALUES ('rebuild')`.
///
/// A phrase of a query is tokenized in the same way, so folding and stemming apply to both. Each
/// call copies the text to a string; ``SQLRawTokenizer`` works without copies. See
/// <doc:Tokenizers>.
public protocol SQLTokenizer: SendableMetatype {
    /// Creates a tokenizer with the arguments that follow its name in `tokenize=`, unquoted.
    init(arguments: [String]) throws

    /// Returns the tokens of a document, or of a phrase in a query, in order.
    ///
    /// - Parameters:
    ///   - text: The document, or the phrase.
    ///   - language: The row's `languageid`; 0 if the table has no such column.
    func tokens(in text: String, language: Int) throws -> [SQLToken]
}

/// A token to be indexed, and its location in the document.
///
/// ```swift
/// let word = SQLToken("run", bytes: 4..<11, position: 1)      // "running"
/// let synonym = SQLToken("jog", bytes: 4..<11, position: 1)
/// ```
/// The location is for `snippet()` and `offsets()`, the position for phrases and `NEAR`. The bytes
/// must lie within the text, the text must not be empty, and positions must not decrease: otherwise
/// the statement fails.
public struct SQLToken: Hashable, Sendable {
    /// The token as it is indexed: folded, stemmed, …
    public var text: String
    /// The location in the document, as a range of UTF-8 bytes.
    public var bytes: Range<Int>
    /// The token position; tokens with the same position are synonyms. Nil for the position after
    /// that of the previous token.
    public var position: Int?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - text: The token as it is indexed.
    ///   - bytes: The location in the document, as a range of UTF-8 bytes.
    ///   - position: The token position; nil for the position after that of the previous token.
    public init(_ text: String, bytes: Range<Int>, position: Int? = nil) {
        self.text = text
        self.bytes = bytes
        self.position = position
    }
}

/// A tokenizer that copies neither the text, which is SQLite's memory, nor the tokens.
///
/// ```swift
/// struct Spaces: SQLRawTokenizer {
///     init(arguments: [String]) {}
///
///     func cursor(over text: UnsafeRawBufferPointer, language: Int) -> SpaceCursor {
///         SpaceCursor(text: text)
///     }
/// }
/// struct SpaceCursor: SQLRawTokenCursor {
///     let text: UnsafeRawBufferPointer
///     var end = 0, position = -1
///
///     mutating func next() -> SQLRawToken? {
///         guard let start = text[end...].firstIndex(where: { $0 != 0x20 }) else { return nil }
///         end = text[start...].firstIndex(of: 0x20) ?? text.count
///         position += 1
///         let word = UnsafeRawBufferPointer(rebasing: text[start..<end])
///         return SQLRawToken(text: word, bytes: start..<end, position: position)
///     }
/// }
/// try database.registerRawTokenizer("spaces", Spaces.self)
/// ```
/// The pointers of a token are valid until the next call of ``SQLRawTokenCursor/next()``. Use
/// ``SQLTokenizer`` unless indexing is too slow.
public protocol SQLRawTokenizer: SendableMetatype {
    /// The type that iterates over the tokens of a text.
    associatedtype Cursor: SQLRawTokenCursor

    /// Creates a tokenizer with the arguments that follow its name in `tokenize=`, unquoted.
    init(arguments: [String]) throws

    /// Returns a cursor over a text, which stays valid until the cursor is released.
    func cursor(over text: UnsafeRawBufferPointer, language: Int) throws -> Cursor
}

/// Iterates over the tokens of a text.
///
/// A cursor is created for each document and each phrase of a query, and released at the end of the
/// text.
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
    ///
    /// - Parameters:
    ///   - text: The UTF-8 of the token, which belongs to the cursor or to the document.
    ///   - bytes: The location in the document, as a range of bytes.
    ///   - position: The token position, from 0.
    @inlinable
    public init(text: UnsafeRawBufferPointer, bytes: Range<Int>, position: Int) {
        self.text = text
        self.bytes = bytes
        self.position = position
    }
}
