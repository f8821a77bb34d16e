/// A tokenizer of FTS3 and FTS4 tables: it cuts texts into the words that are indexed.
///
/// ```swift
/// struct Letters: SQLTokenizer {
///     init(arguments: [String]) {}
///     func tokens(in text: String, language: Int) -> [SQLToken] { … }
/// }
/// try context.registerTokenizer("letters", Letters.self)
/// try context.exec(sql: "CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters)")
/// ```
/// One value is made for each table and connection.
public protocol SQLTokenizer: SendableMetatype {
    /// Takes the arguments that follow the tokenizer's name in `tokenize=`, without their quotes.
    init(arguments: [String]) throws

    /// The tokens of a document, or of a query's phrase, in their order.
    ///
    /// `language` is the row's `languageid`, 0 if the table has none.
    func tokens(in text: String, language: Int) throws -> [SQLToken]
}

/// A word to be indexed, and where it stands.
public struct SQLToken: Hashable, Sendable {
    /// The word as it is indexed: folded, stemmed, …
    public var text: String
    /// Where it stands in the document, in bytes of UTF-8.
    public var bytes: Range<Int>
    /// Its number among the words; words at the same position are synonyms. Nil for one more than
    /// that of the token before.
    public var position: Int?

    /// Makes a token.
    public init(_ text: String, bytes: Range<Int>, position: Int? = nil) {
        self.text = text
        self.bytes = bytes
        self.position = position
    }
}

/// A tokenizer without copies: the text is SQLite's memory, and the tokens are borrowed.
public protocol SQLRawTokenizer: SendableMetatype {
    /// What goes through one text.
    associatedtype Cursor: SQLRawTokenCursor

    /// Takes the arguments that follow the tokenizer's name in `tokenize=`, without their quotes.
    init(arguments: [String]) throws

    /// Begins a text, which stays where it is until the cursor goes.
    func cursor(over text: UnsafeRawBufferPointer, language: Int) throws -> Cursor
}

/// Goes through one text.
public protocol SQLRawTokenCursor {
    /// The next token, or nil at the end of the text.
    mutating func next() throws -> SQLRawToken?
}

/// A token that is borrowed from its cursor, or from the text.
@frozen
public struct SQLRawToken {
    /// The UTF-8 of the word as it is indexed; it must stay until the next call of `next()`.
    public var text: UnsafeRawBufferPointer
    /// Where the word stands in the text, in bytes.
    public var bytes: Range<Int>
    /// Its number among the words, from 0; it never decreases.
    public var position: Int

    /// Makes a token.
    @inlinable
    public init(text: UnsafeRawBufferPointer, bytes: Range<Int>, position: Int) {
        self.text = text
        self.bytes = bytes
        self.position = position
    }
}
