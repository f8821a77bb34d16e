internal import CSQLite

/// Returns the next token of a text, or nil at its end.
///
/// Tokenizers are erased to closures: in a generic function that is inlined, these are specialized
/// for the tokenizer, which methods of a generic class are not.
@usableFromInline
typealias NextToken = () throws -> SQLRawToken?

/// A type-erased tokenizer, so that a single pointer type can refer to it.
@usableFromInline
final class TokenizerObject {
    /// Begins with a text in a language.
    let tokens: (UnsafeRawBufferPointer, Int) throws -> NextToken

    @usableFromInline
    init(_ tokens: @escaping (UnsafeRawBufferPointer, Int) throws -> NextToken) {
        self.tokens = tokens
    }
}

/// A type-erased cursor, so that a single pointer type can refer to it.
final class TokenCursorObject {
    let next: NextToken

    init(_ next: @escaping NextToken) {
        self.next = next
    }
}

/// A cursor that a closure can advance.
@usableFromInline
final class TokenCursorBox<Cursor: SQLRawTokenCursor> {
    /// Unchecked: the dynamic exclusivity check would cost more than the access.
    @exclusivity(unchecked)
    @usableFromInline var cursor: Cursor

    @inlinable
    init(_ cursor: Cursor) {
        self.cursor = cursor
    }
}

/// Returns strings one by one, each in the cursor's memory.
private final class StringTokenCursor {
    private var tokens: IndexingIterator<[SQLToken]>
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var position = -1

    init(_ tokens: [SQLToken]) {
        self.tokens = tokens.makeIterator()
    }

    deinit {
        memory.deallocate()
    }

    func next() -> SQLRawToken? {
        guard let token = tokens.next() else { return nil }
        position = token.position ?? position &+ 1
        let count = token.text.utf8.count
        if memory.count < count {
            memory.deallocate()
            memory = .allocate(byteCount: count, alignment: 1)
        }
        memory.copyBytes(from: token.text.utf8)
        return SQLRawToken(
            text: UnsafeRawBufferPointer(rebasing: memory[..<count]), bytes: token.bytes,
            position: position)
    }
}

extension SQLContext {
    /// Registers a tokenizer for FTS3 and FTS4 tables of this connection. `fts3_tokenizer()`
    ///
    /// An error that the tokenizer throws keeps its code; FTS3 drops its message. A process can
    /// have 24 types of tokenizers, raw ones included.
    ///
    /// Register it before the first statement that uses a table with it, and on every connection.
    ///
    /// ```swift
    /// struct Characters: SQLTokenizer {
    ///     init(arguments: [String]) {}
    ///     func tokens(in text: String, language: Int) -> [SQLToken] {
    ///         text.utf8.indices.enumerated().compactMap { offset, index in
    ///             let byte = text.utf8[index]
    ///             return byte < 0x80
    ///                 ? SQLToken(String(UnicodeScalar(byte)), bytes: offset..<offset + 1) : nil
    ///         }
    ///     }
    /// }
    /// try database.registerTokenizer("characters", Characters.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in `tokenize=`.
    ///   - type: The type, of which each connection creates tokenizers.
    /// - Throws: ``SQLError``: `.full` if there are 24 types of tokenizers already.
    public func registerTokenizer<Tokenizer: SQLTokenizer>(
        _ name: String, _ type: Tokenizer.Type
    ) throws {
        try registerTokenizer(name, of: type) { arguments in
            let tokenizer = try Tokenizer(arguments: arguments)
            return TokenizerObject { text, language in
                let text = String(decoding: text, as: UTF8.self)
                let cursor = StringTokenCursor(try tokenizer.tokens(in: text, language: language))
                return { cursor.next() }
            }
        }
    }

    /// Registers a tokenizer that works without copies, for FTS3 and FTS4 tables of this
    /// connection. `fts3_tokenizer()`
    ///
    /// - Parameters:
    ///   - name: The name in `tokenize=`.
    ///   - type: The type of the tokenizer, of which a value is created for each table.
    /// - Throws: ``SQLError``: `.full` if there are 24 types of tokenizers already.
    @inlinable
    public func registerRawTokenizer<Tokenizer: SQLRawTokenizer>(
        _ name: String, _ type: Tokenizer.Type
    ) throws {
        try registerTokenizer(name, of: type) { arguments in
            let tokenizer = try Tokenizer(arguments: arguments)
            return TokenizerObject { text, language in
                let box = TokenCursorBox(try tokenizer.cursor(over: text, language: language))
                return { try box.cursor.next() }
            }
        }
    }

    /// Registers what `make` creates from the arguments of a table.
    @usableFromInline
    func registerTokenizer(
        _ name: String, of type: Any.Type,
        _ make: @escaping @Sendable ([String]) throws -> TokenizerObject
    ) throws {
        try register(tokenizer: try TokenizerSlots.module(for: type, make), name)
    }

    /// Passes the module's address as a blob, which SQLite accepts only while the option is on: an
    /// address from SQL could be arbitrary. `SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER`
    private func register(
        tokenizer module: UnsafePointer<shim_tokenizer_module>, _ name: String
    ) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let option = SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER
        var state: Int32 = 0
        _ = shim_db_config_int(handle, option, 1, &state)
        // Off afterwards, even if SQLite was compiled with the option on.
        defer { _ = shim_db_config_int(handle, option, 0, &state) }
        let statement = try prepare(sql: "SELECT fts3_tokenizer(?1, ?2)")
        try statement.bind(name, at: 1)
        try withUnsafeBytes(of: module) { try statement.bind($0, at: 2) }
        while try statement.next() {}
    }
}
