internal import CSQLite

/// A type-erased tokenizer, so that a single pointer type can refer to it.
class TokenizerObject {
    func cursor(over text: UnsafeRawBufferPointer, language: Int) throws -> TokenCursorObject {
        TokenCursorObject()
    }
}

/// A type-erased cursor, so that a single pointer type can refer to it.
class TokenCursorObject {
    func next() throws -> SQLRawToken? { nil }
}

/// Wraps a raw tokenizer.
final class RawTokenizerObject<Tokenizer: SQLRawTokenizer>: TokenizerObject {
    private let tokenizer: Tokenizer

    init(_ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
    }

    override func cursor(
        over text: UnsafeRawBufferPointer, language: Int
    ) throws -> TokenCursorObject {
        RawTokenCursorObject(try tokenizer.cursor(over: text, language: language))
    }
}

private final class RawTokenCursorObject<Cursor: SQLRawTokenCursor>: TokenCursorObject {
    /// Unchecked: the dynamic exclusivity check would cost more than the access.
    @exclusivity(unchecked)
    private var cursor: Cursor

    init(_ cursor: Cursor) {
        self.cursor = cursor
    }

    override func next() throws -> SQLRawToken? { try cursor.next() }
}

/// Wraps a tokenizer of strings.
final class StringTokenizerObject: TokenizerObject {
    private let tokenizer: any SQLTokenizer

    init(_ tokenizer: any SQLTokenizer) {
        self.tokenizer = tokenizer
    }

    override func cursor(
        over text: UnsafeRawBufferPointer, language: Int
    ) throws -> TokenCursorObject {
        let text = String(decoding: text, as: UTF8.self)
        return StringTokenCursor(try tokenizer.tokens(in: text, language: language))
    }
}

/// Returns strings one by one, each in the cursor's memory.
private final class StringTokenCursor: TokenCursorObject {
    private var tokens: IndexingIterator<[SQLToken]>
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var position = -1

    init(_ tokens: [SQLToken]) {
        self.tokens = tokens.makeIterator()
    }

    deinit {
        memory.deallocate()
    }

    override func next() throws -> SQLRawToken? {
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
        let module = try TokenizerSlots.module(for: type) {
            StringTokenizerObject(try Tokenizer(arguments: $0))
        }
        try register(tokenizer: module, name)
    }

    /// Registers a tokenizer that works without copies, for FTS3 and FTS4 tables of this
    /// connection. `fts3_tokenizer()`
    ///
    /// - Parameters:
    ///   - name: The name in `tokenize=`.
    ///   - type: The type of the tokenizer, of which a value is created for each table.
    /// - Throws: ``SQLError``: `.full` if there are 24 types of tokenizers already.
    public func registerRawTokenizer<Tokenizer: SQLRawTokenizer>(
        _ name: String, _ type: Tokenizer.Type
    ) throws {
        let module = try TokenizerSlots.module(for: type) {
            RawTokenizerObject(try Tokenizer(arguments: $0))
        }
        try register(tokenizer: module, name)
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
