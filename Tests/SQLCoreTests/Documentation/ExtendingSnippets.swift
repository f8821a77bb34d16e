import Foundation
import SQLCore
import StoreTestSupport
import Synchronization
import Testing

/// The code of the articles in SQLCore.docc about extensions of SQLite.
@Suite("Documentation: functions, tables, tokenizers and file systems")
struct ExtendingSnippets {
    @Test("Functions, aggregates and collations")
    func functions() throws {
        let context = try SQLContext()
        // snippet begins: FunctionsAndCollations
        try context.registerFunction("initials") { (name: String) -> String in
            String(name.split(separator: " ").compactMap(\.first))
        }
        let initials = try context.selectValue(sql: "SELECT initials('Ada Lovelace')")
        // snippet ends
        #expect(initials == .text("AL"))
        // snippet begins: FunctionsAndCollations
        try context.registerFunction("first_not_empty") { call in
            call.values.first { $0 != .null && $0 != .text("") } ?? .null
        }
        let name = try context.selectValue(sql: "SELECT first_not_empty(NULL, '', 'Ada')")
        // snippet ends
        #expect(name == .text("Ada"))
        // snippet begins: FunctionsAndCollations
        struct Longest: SQLAggregate {
            var text = ""

            mutating func step(_ call: SQLFunctionCall) throws {
                let next = try call.value(at: 0, as: String.self)
                if next.count > text.count { text = next }
            }

            mutating func finish() -> SQLValue { .text(text) }
        }
        try context.registerAggregate("longest", argumentCount: 1) { Longest() }
        try context.registerAggregate("product", argumentCount: 1, initial: 1.0) { product, call in
            product *= try call.value(at: 0, as: Double.self)
        } finish: { product in
            .real(product)
        }
        let both = try context.selectAll(
            sql: "SELECT longest(column1), product(column2) "
                + "FROM (VALUES ('one', 2), ('three', 4))")
        // snippet ends
        #expect(both == [[.text("three"), .real(8)]])
        // snippet begins: FunctionsAndCollations
        try context.registerCollation("by_length") { $0.count - $1.count }
        let words = try context.selectAll(
            sql: "SELECT column1 FROM (VALUES ('three'), ('four'), ('one')) "
                + "ORDER BY column1 COLLATE by_length")
        // snippet ends
        #expect(words == [[.text("one")], [.text("four")], [.text("three")]])
        // snippet begins: FunctionsAndCollations
        try context.registerRawFunction("next", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setResult(call.int64(at: 0) &+ 1)
        }
        let next = try context.selectValue(sql: "SELECT next(41)")
        // snippet ends
        #expect(next == .long(42))
    }

    @Test("Virtual tables")
    func virtualTables() throws {
        let context = try SQLContext()
        // snippet begins: VirtualTables
        try context.registerTableFunction("words", columns: ["word"], parameters: ["text"]) {
            ($0[0].textValue ?? "").split(separator: " ").map { [.text(String($0))] }
        }
        let words = try context.selectAll(sql: "SELECT word FROM words('to be or not')")
        // snippet ends
        #expect(words == [[.text("to")], [.text("be")], [.text("or")], [.text("not")]])
        // snippet begins: VirtualTables
        final class Lines: SQLVirtualTable {
            let lines: [String]

            init(_ lines: [String]) { self.lines = lines }

            var declaration: String { "CREATE TABLE x(line TEXT)" }

            func plan(_ plan: SQLIndexPlan) {
                let number = plan.constraints.first {
                    $0.column == -1 && $0.comparison == .equal && $0.isUsable
                }
                if let number {
                    plan.pass(number, at: 0)
                    plan.number = 1
                    plan.cost = 1
                } else {
                    plan.cost = Double(lines.count)
                }
            }

            func makeCursor() -> LineCursor { LineCursor(lines: lines) }
        }

        struct LineCursor: SQLTableCursor {
            let lines: [String]
            var rowID: Int64 = 0
            var end: Int64 = 0

            init(lines: [String]) { self.lines = lines }

            mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws {
                let all = 0..<Int64(lines.count)
                rowID = plan == 1 ? try arguments.value(at: 0, as: Int64.self) : 0
                if !all.contains(rowID) { rowID = all.upperBound }
                end = plan == 1 ? min(rowID + 1, all.upperBound) : all.upperBound
            }

            mutating func next() { rowID += 1 }

            var isAtEnd: Bool { rowID >= end }

            func column(at index: Int, _ result: SQLRawCall) {
                result.setResult(SQLValue.text(lines[Int(rowID)]))
            }
        }

        try context.registerVirtualTable("lines") { connection in Lines(connection.arguments) }
        try context.exec(sql: "CREATE VIRTUAL TABLE poem USING lines(roses are red, so am I)")
        let second = try context.selectValue(sql: "SELECT line FROM poem WHERE rowid = 1")
        // snippet ends
        #expect(second.flatMap(\.textValue)?.trimmingCharacters(in: .whitespaces) == "so am I")
        #expect(try context.selectValue(sql: "SELECT count(*) FROM poem") == .long(2))
        #expect(try context.selectValue(sql: "SELECT line FROM poem WHERE rowid = 2") == nil)
    }

    @Test("Tokenizers")
    func tokenizers() throws {
        let context = try SQLContext()
        // snippet begins: Tokenizers
        struct Words: SQLTokenizer {
            init(arguments: [String]) {}

            func tokens(in text: String, language: Int) -> [SQLToken] {
                text.split(separator: " ").map { word in
                    let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
                    return SQLToken(word.lowercased(), bytes: start..<start + word.utf8.count)
                }
            }
        }
        try context.registerTokenizer("words", Words.self)
        try context.exec(sql: "CREATE VIRTUAL TABLE note USING fts4(body, tokenize=words)")
        try context.exec(sql: "INSERT INTO note VALUES ('Bread and ÄPFEL')")
        let found = try context.selectValue(
            sql: "SELECT offsets(note) FROM note WHERE body MATCH 'äpfel'")
        // snippet ends
        #expect(found == .text("0 0 10 6"))
    }

    @Test("File systems")
    func fileSystems() throws {
        let directory = try TemporaryDirectory()
        let path = directory("counted.sqlite")
        // snippet begins: FileSystems
        final class CountingVFS: SQLVFS, @unchecked Sendable {
            let written = Mutex(0)

            override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
                CountingFile(opening, self)
            }
        }

        final class CountingFile: SQLFile {
            let vfs: CountingVFS

            init(_ opening: SQLFileOpening, _ vfs: CountingVFS) {
                self.vfs = vfs
                super.init(opening)
            }

            override func write(
                _ bytes: UnsafeRawBufferPointer, at offset: Int64
            ) -> SQLResultCode {
                vfs.written.withLock { $0 += bytes.count }
                return super.write(bytes, at: offset)
            }
        }

        let vfs = try CountingVFS(name: "counting")
        try vfs.register()
        let context = try SQLContext(path: path, configuration: .custom(vfs: "counting"))
        try context.exec(sql: "CREATE TABLE t (a)")
        let written = vfs.written.withLock { $0 }
        // snippet ends
        #expect(written >= 8192)
        vfs.unregister()
    }
}
