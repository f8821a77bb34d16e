import SQLCore
import StoreTestSupport
import Synchronization
import Testing

/// Words of ASCII letters, in lower case; `reverse` writes them backwards. In language 7, a word is
/// one letter.
private struct Letters: SQLTokenizer {
    static let living = Mutex(0)
    final class Witness {
        init() { Letters.living.withLock { $0 += 1 } }
        deinit { Letters.living.withLock { $0 -= 1 } }
    }

    let witness = Witness()
    let isReversing: Bool

    init(arguments: [String]) throws {
        guard arguments.allSatisfy({ $0 == "reverse" || $0 == "a b" }) else {
            throw SQLError(code: .mismatch, message: "unknown argument")
        }
        isReversing = arguments.contains("reverse")
    }

    func tokens(in text: String, language: Int) throws -> [SQLToken] {
        if text.contains("bomb") { throw SQLError(code: .full, message: "it went off") }
        var tokens: [SQLToken] = []
        var word: [UInt8] = []
        func end(at offset: Int) {
            guard !word.isEmpty else { return }
            let text = String(decoding: isReversing ? word.reversed() : word, as: UTF8.self)
            tokens.append(SQLToken(text, bytes: offset - word.count..<offset))
            word = []
        }
        for (offset, byte) in text.utf8.enumerated() {
            let letter = byte | 0x20
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) {
                word.append(letter)
                if language == 7 { end(at: offset + 1) }
            } else {
                end(at: offset)
            }
        }
        end(at: text.utf8.count)
        return tokens
    }
}

/// Words between single spaces, without copies.
private struct Spaces: SQLRawTokenizer {
    init(arguments: [String]) {}

    func cursor(over text: UnsafeRawBufferPointer, language: Int) -> Words { Words(text: text) }

    struct Words: SQLRawTokenCursor {
        let text: UnsafeRawBufferPointer
        var offset = 0
        var position = -1

        mutating func next() -> SQLRawToken? {
            while offset < text.count, text[offset] == 0x20 { offset += 1 }
            guard offset < text.count else { return nil }
            let start = offset
            while offset < text.count, text[offset] != 0x20 { offset += 1 }
            position += 1
            return SQLRawToken(
                text: UnsafeRawBufferPointer(rebasing: text[start..<offset]),
                bytes: start..<offset, position: position)
        }
    }
}

/// Tokens that the text itself specifies: "text start end position", and so on.
private struct Liar: SQLTokenizer {
    init(arguments: [String]) {}

    func tokens(in text: String, language: Int) -> [SQLToken] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return stride(from: 0, to: parts.count - 3, by: 4).map { index in
            let start = Int(parts[index + 1]) ?? 0
            return SQLToken(
                parts[index], bytes: start..<max(start, Int(parts[index + 2]) ?? 0),
                position: Int(parts[index + 3]))
        }
    }
}

@Suite("FTS tokenizers", .serialized)
struct SQLTokenizerTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.registerTokenizer("letters", Letters.self)
        try context.registerRawTokenizer("spaces", Spaces.self)
        try context.registerTokenizer("liar", Liar.self)
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try context.selectAll(sql: sql)
    }

    @Test("tokens are indexed, found, and have offsets")
    func words() throws {
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters);
                INSERT INTO t VALUES ('Zoë ate 2 Apples, zo to speak'), ('An APPLE'), ('')
                """)
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH 'apples'") == [[.long(1)]])
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH 'apple*'") == [[.long(1)], [.long(2)]])
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH '\"ate apples\"'") == [[.long(1)]])
        // The ë takes two bytes: offsets are those of UTF-8.
        #expect(
            try rows("SELECT offsets(t) FROM t WHERE t MATCH 'ate'") == [[.text("0 0 5 3")]])
        #expect(
            try rows("SELECT snippet(t, '[', ']') FROM t WHERE t MATCH 'apples'")
                == [[.text("Zoë ate 2 [Apples], zo to speak")]])
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH 'missing'") == [])
    }

    @Test("a tokenizer receives its arguments, and its error prevents the table")
    func arguments() throws {
        try context.exec(
            sql: "CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters 'reverse' \"a b\")")
        try context.exec(sql: "INSERT INTO t VALUES ('stressed')")
        try context.exec(sql: "CREATE VIRTUAL TABLE terms USING fts4aux(t)")
        #expect(try rows("SELECT term FROM terms WHERE col = '*'") == [[.text("desserts")]])
        #expect(throws: SQLError.self) {
            try context.exec(sql: "CREATE VIRTUAL TABLE u USING fts4(a, tokenize=letters wrong)")
        }
        #expect(throws: SQLError.self) {
            try context.exec(sql: "CREATE VIRTUAL TABLE u USING fts4(a, tokenize=unknown)")
        }
    }

    @Test("the language of a row reaches the tokenizer")
    func language() throws {
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters, languageid="lang");
                INSERT INTO t (body, lang) VALUES ('abc', 0), ('abc', 7)
                """)
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH 'abc'") == [[.long(1)]])
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH 'b' AND lang = 7") == [[.long(2)]])
    }

    @Test("an error of a tokenizer is the statement's, by its code")
    func errors() throws {
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters)")
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES ('a bomb')")
        }
        #expect(error?.code == .full)
        #expect(throws: SQLError.self) { try rows("SELECT * FROM t WHERE t MATCH 'bomb'") }
        #expect(try rows("SELECT count(*) FROM t") == [[.long(0)]])
    }

    @Test("tokens without copies are those of the text")
    func raw() throws {
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE t USING fts4(body, tokenize=spaces);
                INSERT INTO t VALUES ('  Ein Bär,  ein'), (NULL), ('   ')
                """)
        #expect(
            try rows("SELECT offsets(t) FROM t WHERE t MATCH 'Bär,'") == [[.text("0 0 6 5")]])
        #expect(try rows("SELECT rowid FROM t WHERE t MATCH 'bär,'") == [])
        try context.exec(sql: "CREATE VIRTUAL TABLE k USING fts3tokenize('spaces')")
        #expect(
            try rows("SELECT token, start, end, position FROM k WHERE input = 'x yz'")
                == [
                    [.text("x"), .long(0), .long(1), .long(0)],
                    [.text("yz"), .long(2), .long(4), .long(1)],
                ])
    }

    @Test(
        "a token outside its text, or out of order, is an error",
        arguments: [
            "a,-1,1,0", "a,0,99,0", "a,99,99,0", "a,0,1,-1", "a,0,1,5,b,0,1,4",
            "a,0,1,2147483648", "a,0,1,9223372036854775807", ",0,1,0",
        ])
    func lies(text: String) throws {
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING fts4(body, tokenize=liar)")
        #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES (?)", parameters: [.text(text)])
        }
        try context.exec(sql: "INSERT INTO t VALUES ('a,0,1,0,b,0,1,0,c,1,2,9')")
        #expect(try rows("SELECT offsets(t) FROM t WHERE t MATCH '\"b,0,1,0\"'").count == 1)
        #expect(
            try rows("INSERT INTO t(t) VALUES ('integrity-check')").isEmpty)
    }

    @Test("a tokenizer is released with its table's connection")
    func lifetime() throws {
        let before = Letters.living.withLock { $0 }
        do {
            let other = try SQLContext()
            try other.registerTokenizer("letters", Letters.self)
            try other.exec(
                sql: """
                    CREATE VIRTUAL TABLE t USING fts4(body, tokenize=letters);
                    INSERT INTO t VALUES ('a b c')
                    """)
            #expect(Letters.living.withLock { $0 } == before + 1)
        }
        #expect(Letters.living.withLock { $0 } == before)
    }

    @Test("SQL alone cannot register an address as a tokenizer afterwards")
    func locked() throws {
        #expect(throws: SQLError.self) {
            try rows("SELECT fts3_tokenizer('evil', x'4141414141414141')")
        }
        #expect(throws: SQLError.self) { try context.registerTokenizer("", Letters.self) }
        #expect(throws: SQLError.self) { try context.registerTokenizer("a\0", Letters.self) }
    }
}
