import SQLCore
import Testing

@Suite("Table-valued functions")
struct SQLTableFunctionTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.registerTableFunction(
            "words", columns: ["word", "size"], parameters: ["text", "separator"], required: 1
        ) { arguments -> [[SQLValue]] in
            guard let text = arguments[0].textValue else { return [] }
            if text == "bomb" { throw SQLError(code: .full, message: "it went off") }
            let separator = arguments[1].textValue?.first ?? " "
            return text.split(separator: separator).map {
                [.text(String($0)), .long(Int64($0.count))]
            }
        }
        try context.registerTableFunction("naturals", columns: ["n"], parameters: []) { _ in
            (0...).lazy.map { [SQLValue.long(Int64($0))] }
        }
        try registerBytes()
    }

    /// `each_byte(blob)`, whose cursor copies the bytes and frees them.
    private func registerBytes() throws {
        try context.registerRawTableFunction(
            "each_byte", columns: ["value"], parameters: ["bytes"], state: Bytes.self,
            SQLRawTableFunction(
                filter: { cursor, _, _, count, values in
                    let bytes = SQLRawCall(nil, count, values).blob(at: 0)
                    let state = SQLRawCursor.state(cursor, as: Bytes.self)
                    state.pointee.start?.deallocate()
                    let copy = UnsafeMutableRawBufferPointer.allocate(
                        byteCount: bytes.count, alignment: 1)
                    copy.copyMemory(from: bytes)
                    state.pointee = Bytes(start: copy.baseAddress, count: bytes.count, index: 0)
                    return 0
                },
                next: {
                    SQLRawCursor.state($0, as: Bytes.self).pointee.index += 1
                    return 0
                },
                isAtEnd: {
                    let state = SQLRawCursor.state($0, as: Bytes.self)
                    return state.pointee.index >= state.pointee.count ? 1 : 0
                },
                column: { cursor, context, column in
                    let state = SQLRawCursor.state(cursor, as: Bytes.self).pointee
                    guard column == 0, let start = state.start else { return 0 }
                    let byte = start.load(fromByteOffset: state.index, as: UInt8.self)
                    SQLRawCall(context).setResult(Int64(byte))
                    return 0
                },
                rowID: { cursor, result in
                    result?.pointee = Int64(
                        SQLRawCursor.state(cursor, as: Bytes.self).pointee.index)
                    return 0
                },
                close: {
                    SQLRawCursor.state($0, as: Bytes.self).pointee.start?.deallocate()
                    return 0
                }))
    }

    private struct Bytes: BitwiseCopyable {
        var start: UnsafeMutableRawPointer?
        var count: Int
        var index: Int
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try context.selectAll(sql: sql)
    }

    @Test("rows come from the arguments")
    func arguments() throws {
        #expect(
            try rows("SELECT rowid, word, size FROM words('to be')")
                == [[.long(1), .text("to"), .long(2)], [.long(2), .text("be"), .long(2)]])
        #expect(
            try rows("SELECT word, separator FROM words('a,b', ',')")
                == [[.text("a"), .text(",")], [.text("b"), .text(",")]])
        #expect(try rows("SELECT * FROM words WHERE text = 'x'") == [[.text("x"), .long(1)]])
        #expect(try rows("SELECT * FROM words(NULL)") == [])
        #expect(try rows("SELECT * FROM words(x'00')") == [])
        #expect(try rows("SELECT word FROM words('a') WHERE text = 'b'") == [])
    }

    @Test("arguments can be columns of another table, whichever comes first")
    func joins() throws {
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('x y'), ('z')")
        for sql in [
            "SELECT word FROM t, words(t.a)", "SELECT word FROM words JOIN t ON text = t.a",
        ] {
            #expect(try rows(sql) == [[.text("x")], [.text("y")], [.text("z")]])
        }
        #expect(
            try rows("SELECT a.word, b.word FROM words('p q') a, words('r s') b")
                == [
                    [.text("p"), .text("r")], [.text("p"), .text("s")],
                    [.text("q"), .text("r")], [.text("q"), .text("s")],
                ])
        #expect(
            try rows("SELECT (SELECT count(*) FROM words(t.a)) FROM t") == [[.long(2)], [.long(1)]])
    }

    @Test(
        "missing, too many and gapped arguments are errors, and so is writing",
        arguments: [
            "SELECT * FROM words", "SELECT * FROM words()", "SELECT * FROM words('a', 'b', 'c')",
            "SELECT * FROM words WHERE separator = ','", "INSERT INTO words VALUES (1, 2)",
            "DELETE FROM words('a')", "CREATE VIRTUAL TABLE w USING words", "DROP TABLE words",
            "SELECT missing FROM words('a')", "SELECT * FROM words('bomb')",
            "SELECT * FROM each_byte", "SELECT * FROM each_byte(1, 2)",
        ])
    func misuse(sql: String) throws {
        #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        #expect(try rows("SELECT word FROM words('still there')").count == 2)
    }

    @Test("what is thrown while rows are made keeps its code")
    func errors() throws {
        let error = #expect(throws: SQLError.self) { try rows("SELECT * FROM words('bomb')") }
        #expect(error?.code == .full)
        #expect(error?.message == "it went off")
    }

    @Test("an infinite sequence returns as many rows as are requested")
    func endless() throws {
        #expect(
            try rows("SELECT n FROM naturals LIMIT 2 OFFSET 3") == [[.long(3)], [.long(4)]])
    }

    @Test("a raw function reads what C would")
    func raw() throws {
        #expect(
            try rows("SELECT rowid, value FROM each_byte(x'00FF')")
                == [[.long(0), .long(0)], [.long(1), .long(255)]])
        #expect(try rows("SELECT * FROM each_byte(x'')") == [])
        #expect(try rows("SELECT * FROM each_byte(NULL)") == [])
        #expect(
            try rows(
                """
                SELECT sum(a.value * b.value) FROM each_byte(x'0102') a, each_byte(x'0304') b
                WHERE a.value IN (SELECT value FROM each_byte(x'02'))
                """) == [[.long(14)]])
        #expect(try rows("SELECT count(*) FROM each_byte(zeroblob(100000))") == [[.long(100_000)]])
        let statement = try context.prepare(sql: "SELECT value FROM each_byte(x'0102')")
        #expect(try statement.next())
    }
}
