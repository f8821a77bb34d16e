import SQLCore
import StoreTestSupport
import Testing

@Suite("SQLStatement")
struct SQLStatementTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
    }

    @Test(
        "every value comes back as it was bound",
        arguments: [
            SQLValue.long(.min), .long(0), .real(1.5), .real(-0.0), .text(""), .text("a\0b"),
            .text("Zoë 😀"), .blob([]), .blob([0, 255]), .null,
        ])
    func valuesRoundTrip(value: SQLValue) throws {
        #expect(try context.selectAll(sql: "SELECT ?", parameters: [value]) == [[value]])
    }

    @Test("an empty blob and empty text are not null")
    func emptyIsNotNull() throws {
        let types = try context.selectAll(
            sql: "SELECT typeof(?), typeof(?)", parameters: [.blob([]), .text("")])
        #expect(types == [[.text("blob"), .text("text")]])
    }

    @Test("the number of parameters is checked", arguments: [0, 1, 3])
    func parameterCount(count: Int) throws {
        let statement = try context.prepare(sql: "SELECT ?, ?")
        let error = #expect(throws: SQLError.self) {
            try statement.bind(parameters: Array(repeating: .null, count: count))
        }
        #expect(error?.code == .range)
    }

    @Test("a second statement in the text is an error, white space and semicolons are not")
    func oneStatementOnly() throws {
        #expect(throws: SQLError.self) { try context.prepare(sql: "SELECT 1; SELECT 2") }
        #expect(throws: SQLError.self) { try context.prepare(sql: "  ") }
        #expect(throws: Never.self) { try context.prepare(sql: "SELECT 1 ; \n") }
    }

    @Test("an error has the statement and the offset in it")
    func errorHasOffset() throws {
        let error = #expect(throws: SQLError.self) {
            try context.prepare(sql: "SELECT missing FROM sqlite_master")
        }
        #expect(error?.code == .error)
        #expect(error?.sql == "SELECT missing FROM sqlite_master")
        #expect(error?.offset == 7)
        #expect(error?.message == "no such column: missing")
    }

    @Test("a statement can be run again after its last row and after an error")
    func runsAgain() throws {
        try context.exec(sql: "CREATE TABLE t (a INTEGER UNIQUE)")
        let insert = try context.prepare(sql: "INSERT INTO t VALUES (?)")
        for number in [1, 2, 1, 3] as [Int64] {
            try insert.bind(number, at: 1)
            do {
                #expect(try insert.next() == false)
            } catch let error as SQLError {
                #expect(number == 1)
                #expect(SQLResultCode.constraint ~= error.code)
                #expect(error.code != .constraint, "the extended code says which constraint")
            }
        }
        #expect(
            try context.selectAll(sql: "SELECT a FROM t") == [[.long(1)], [.long(2)], [.long(3)]])
    }

    @Test("bytes bound without a copy are read while they last")
    func staticBinding() throws {
        let statement = try context.prepare(sql: "SELECT hex(?), ?")
        let bytes: [UInt8] = [1, 2, 3]
        try bytes.withUnsafeBytes { bytes in
            try statement.bindStatic(bytes, at: 1)
            try "text".utf8.withContiguousStorageIfAvailable {
                try statement.bindStaticText(UnsafeRawBufferPointer($0), at: 2)
            }
            #expect(try statement.next())
            #expect(statement.text(at: 0) == "010203")
            statement.reset()
        }
    }
}
