import SQLCore
import StoreTestSupport
import Testing

@Suite("SQL functions of Swift types")
struct SQLTypedFunctionTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
    }

    @Test("a closure's types determine the number and the types of the arguments")
    func typed() throws {
        try context.registerFunction("plus") { (a: Int64, b: Double) -> Double in Double(a) + b }
        try context.registerFunction("seven") { () -> Int in 7 }
        try context.registerFunction("greet") { (name: String?) -> String in
            "Hello \(name ?? "you")"
        }
        let rows = try context.selectAll(
            sql: "SELECT plus(2, 0.5), plus(2, 1), seven(), greet('Zoë'), greet(NULL)")
        #expect(
            rows == [[.real(2.5), .real(3), .long(7), .text("Hello Zoë"), .text("Hello you")]])
    }

    @Test("an argument of another type is an error that states which")
    func mismatch() throws {
        try context.registerFunction("plus") { (a: Int64, b: Double) -> Double in Double(a) + b }
        let error = #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT plus(1, 'x')")
        }
        #expect(error?.code == .mismatch)
        #expect(error?.message == "argument 2 is text, not Double")
        #expect(throws: SQLError.self) { try context.selectAll(sql: "SELECT plus(NULL, 1)") }
    }

    @Test(
        "the wrong number of arguments is an error of the statement", arguments: ["", "1", "1,2"])
    func arity(arguments: String) throws {
        try context.registerFunction("three", argumentCount: 3) { _ in .null }
        let error = #expect(throws: SQLError.self) {
            try context.prepare(sql: "SELECT three(\(arguments))")
        }
        #expect(error?.message == "wrong number of arguments to function three()")
    }

    @Test("an SQLError that a function throws keeps its code and its message")
    func errorCode() throws {
        try context.registerFunction("overfull") { () -> Int in
            throw SQLError(code: .full, message: "the tank is full\0really")
        }
        try context.registerFunction("fine") { () -> Int in
            throw SQLError(code: .ok, message: "an error all the same")
        }
        let full = #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT overfull()")
        }
        #expect(full?.code == .full)
        #expect(full?.message.hasPrefix("the tank is full") == true)
        let fine = #expect(throws: SQLError.self) { try context.selectAll(sql: "SELECT fine()") }
        #expect(fine?.code == .error)
        #expect(fine?.message == "an error all the same")
    }

    @Test("a removed function is unknown, and an unknown one can be removed")
    func removal() throws {
        try context.registerFunction("f", argumentCount: 0) { _ in .long(1) }
        try context.removeFunction("f", argumentCount: 0)
        try context.removeFunction("f", argumentCount: 0)
        let error = #expect(throws: SQLError.self) { try context.prepare(sql: "SELECT f()") }
        #expect(error?.message == "no such function: f")
    }

    @Test("a function can be replaced, but not while a statement runs")
    func replacing() throws {
        try context.registerFunction("f", argumentCount: 0) { _ in .long(1) }
        let statement = try context.prepare(sql: "SELECT f() UNION ALL SELECT f()")
        #expect(try statement.next())
        let error = #expect(throws: SQLError.self) {
            try context.registerFunction("f", argumentCount: 0) { _ in .long(2) }
        }
        #expect(error?.code == .busy)
        #expect(try statement.next())
        #expect(statement.long(at: 0) == 1)
        statement.reset()
        try context.registerFunction("f", argumentCount: 0) { _ in .long(2) }
        #expect(try statement.next())
        #expect(statement.long(at: 0) == 2)
    }

    @Test("a name that no C string can be, or too many arguments, is misuse")
    func badRegistration() throws {
        for name in ["", "a\0b", String(repeating: "n", count: 256)] {
            let error = #expect(throws: SQLError.self) {
                try context.registerFunction(name, argumentCount: 0) { _ in .null }
            }
            #expect(error?.code == .misuse)
        }
        for count in [-2, 1000, Int.max, Int.min] {
            #expect(throws: SQLError.self) {
                try context.registerFunction("f", argumentCount: count) { _ in .null }
            }
        }
        try context.close()
        let error = #expect(throws: SQLError.self) { try context.removeFunction("f") }
        #expect(error?.code == .misuse)
    }

    @Test("a result beyond SQLite's limit is an error, and a large one is not")
    func largeBlobs() throws {
        try context.registerRawFunction("zeros", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setZeroBlob(count: Int(call.int64(at: 0)))
        }
        try context.registerFunction("size") { (bytes: SQLValue) -> Int in
            bytes.blobValue?.count ?? -1
        }
        #expect(try context.selectValue(sql: "SELECT size(zeros(50000000))") == .long(50_000_000))
        for count in ["9223372036854775807", "-1", "3000000000"] {
            let error = #expect(throws: SQLError.self) {
                try context.selectAll(sql: "SELECT zeros(\(count))")
            }
            #expect(error?.message == "string or blob too big")
        }
    }

    @Test("an object derived from a constant argument is created once for the statement")
    func auxiliary() throws {
        final class Pattern {
            let text: String
            init(_ text: String) { self.text = text }
        }
        final class Count { var value = 0 }
        let made = Count()
        try context.registerFunction("like2", argumentCount: 2) { call in
            let pattern = try call.auxiliary(at: 0) {
                made.value += 1
                return Pattern(try call.value(at: 0, as: String.self))
            }
            return .long(pattern.text == call.value(at: 1).textValue ? 1 : 0)
        }
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('x'), ('y'), ('x'), (1)")
        let sql = "SELECT sum(like2('x', a)) FROM t"
        #expect(try context.selectValue(sql: sql) == .long(2))
        #expect(made.value == 1)
        #expect(throws: SQLError.self) { try context.selectAll(sql: "SELECT like2(1, 2)") }
    }

    @Test("functions work on another thread than the one that registered them")
    func otherThread() async throws {
        nonisolated(unsafe) let context = context
        try context.registerFunction("twice") { (a: Int64) -> Int64 in a &* 2 }
        try context.registerRawFunction("next", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setResult(call.int64(at: 0) &+ 1)
        }
        let value = try await Task.detached {
            try context.selectValue(sql: "SELECT twice(next(20))")
        }.value
        #expect(value == .long(42))
    }

    @Test("a function that is called in a statement of its own context can select")
    func nested() throws {
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        unowned let context = context
        try context.registerFunction("count_of", flags: []) { (name: String) -> SQLValue in
            try context.selectValue(sql: "SELECT count(*) FROM \(name)") ?? .null
        }
        #expect(
            try context.selectAll(sql: "SELECT a, count_of('t') FROM t")
                == [[.long(1), .long(2)], [.long(2), .long(2)]])
        let error = #expect(throws: SQLError.self) {
            try context.selectAll(sql: "SELECT count_of('missing')")
        }
        #expect(error?.message == "no such table: missing")
    }

    @Test("a database in UTF-16 gives functions and collations UTF-8", arguments: ["le", "be"])
    func utf16(order: String) throws {
        try context.exec(sql: "PRAGMA encoding = 'UTF-16\(order)'; CREATE TABLE t (a TEXT)")
        try context.exec(sql: "INSERT INTO t VALUES ('Zoë😀'), (''), ('ab')")
        try context.registerFunction("echo") { (text: String) -> String in text }
        try context.registerRawFunction("bytes", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setResult(Int64(call.text(at: 0).count))
        }
        try context.registerByteCollation("by_size") { $0.count - $1.count }
        #expect(
            try context.selectAll(
                sql: "SELECT echo(a) = a, bytes(a) FROM t ORDER BY a COLLATE by_size")
                == [[.long(1), .long(0)], [.long(1), .long(2)], [.long(1), .long(8)]])
    }
}
