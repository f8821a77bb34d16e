/// A tokenizer of any type behind one pointer.
class TokenizerObject {
    func cursor(over text: UnsafeRawBufferPointer, language: Int) throws -> TokenCursorObject {
        TokenCursorObject()
    }
}

/// A cursor of any type behind one pointer.
class TokenCursorObject {
    func next() throws -> SQLRawToken? { nil }
}

/// A raw tokenizer.
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
    /// Unchecked: to enter each access in a list at run time would cost more than the access.
    @exclusivity(unchecked)
    private var cursor: Cursor

    init(_ cursor: Cursor) {
        self.cursor = cursor
    }

    override func next() throws -> SQLRawToken? { try cursor.next() }
}

/// A tokenizer of strings.
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

/// Hands out strings one by one, each in memory of the cursor's own.
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
