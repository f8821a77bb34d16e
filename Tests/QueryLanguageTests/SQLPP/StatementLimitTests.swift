import Foundation
import QueryLanguage
import SQLCore
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("A statement", .timeLimit(.minutes(20)))
struct StatementLimitTests {
    /// What begins a level, what is inside of all, and what ends a level.
    static let forms = [
        ("(", "SELECT 1", ")"), ("SELECT (", "SELECT 1", ")"), ("SELECT ((", "1", "))"),
        ("SELECT a FROM (", "SELECT 1", ")"), ("SELECT a IN (", "SELECT 1", ")"),
        ("SELECT EXISTS (", "SELECT 1", ")"), ("SELECT 1 UNION (", "SELECT 1", ")"),
        ("SELECT 1 INTERSECT (", "SELECT 1", ")"), ("SELECT a LIMIT (", "SELECT 1", ")"),
        ("WITH a AS (", "SELECT 1", ") SELECT 1"), ("SELECT 1 + (", "SELECT 1", ")"),
        ("SELECT a FROM b JOIN c ON (", "SELECT 1", ")"), ("SELECT a ORDER BY (", "SELECT 1", ")"),
        ("SELECT sum(a) FILTER (WHERE (", "SELECT 1", "))"),
        ("SELECT sum(a) OVER (PARTITION BY (", "SELECT 1", "))"),
    ]

    private static func text(_ form: (String, String, String), _ count: Int) -> String {
        String(repeating: form.0, count: count) + form.1 + String(repeating: form.2, count: count)
    }

    @Test(
        "that is nested 100,000 times, or 10,000 times at length, is an error, whatever is nested",
        arguments: forms)
    func depth(_ begin: String, _ middle: String, _ end: String) throws {
        let error = #expect(throws: StoreError.self) {
            try SQLPPParser.statement(
                Self.text((begin, middle, end), begin.utf8.count < 9 ? 100_000 : 10_000))
        }
        #expect(error?.message.contains("an expression nested inside of 200 others") == true)
    }

    @Test("that is a chain of 100,000 SELECT is an error, one of 500 is valid")
    func blocks() throws {
        for word in QuerySetOperator.allCases.map(\.rawValue) + ["UNION ALL"] {
            let error = #expect(throws: StoreError.self) {
                try SQLPPParser.statement(
                    "SELECT 1" + String(repeating: " \(word) SELECT 1", count: 100_000))
            }
            #expect(error?.message.contains("found more than 500 SELECT, expected fewer") == true)
            let longest = "SELECT 1" + String(repeating: " \(word) SELECT 1", count: 499)
            let statement = try SQLPPParser.statement(longest)
            #expect(SQLPPWriter.text(statement) == longest)
            #expect(try QueryJSONReader.statement(QueryJSONWriter.text(statement)) == statement)
        }
        let many = Array(repeating: "{}", count: 501).joined(separator: ",")
        #expect(throws: StoreError.self) { try QueryJSONReader.statement("[\"UNION\",\(many)]") }
    }

    @Test("that joins 100,000 sources is an error, one of 64 is valid")
    func sources() throws {
        for join in [
            ", b", " JOIN b", " LEFT JOIN b ON 1", " UNNEST a.b", " CROSS JOIN (SELECT 1)",
        ] {
            let error = #expect(throws: StoreError.self) {
                try SQLPPParser.statement(
                    "SELECT 1 FROM a" + String(repeating: join, count: 100_000))
            }
            #expect(error?.message.contains("more than 64 sources of one query") == true)
            _ = try SQLPPParser.statement(
                "SELECT 1 FROM a" + String(repeating: join, count: 63))
        }
        let many = Array(repeating: "{}", count: 65).joined(separator: ",")
        #expect(throws: StoreError.self) { try QueryJSONReader.statement("{\"FROM\":[\(many)]}") }
    }

    @Test("in JSON that is nested 100,000 times is an error")
    func depthOfJSON() throws {
        for (begin, end) in [
            (#"["SELECT",{"WHERE":"#, "}]"), (#"{"SELECT":"#, "}"), (#"["UNION",{},"#, "]"),
            (#"{"FROM":[{"SELECT":"#, "}]}"), (#"{"ORDER_BY":[["NULLS LAST","#, "]]}"),
            (#"{"WITH":[{"AS":"a","SELECT":"#, "}]}"), (#"["CALL",{"FILTER":"#, "}]"),
        ] {
            for count in [60, 1_000, 100_000] {
                let text =
                    String(repeating: begin, count: count) + "{}"
                    + String(repeating: end, count: count)
                #expect(throws: StoreError.self) { try QueryJSONReader.statement(text) }
            }
        }
    }

    @Test("that is long takes time proportional to its length")
    func length() throws {
        let columns = "SELECT " + String(repeating: "a.b AS c, ", count: 20_000) + "d"
        let order = "SELECT 1 ORDER BY " + String(repeating: "a DESC, ", count: 20_000) + "d"
        let tables =
            "WITH " + Array(repeating: "a AS (SELECT 1)", count: 400).joined(separator: ", ")
            + " SELECT 1"
        let changes = "UPDATE a SET " + String(repeating: "a.b = 1, ", count: 20_000) + "d = 1"
        for text in [columns, order, tables, changes] {
            let seconds = try processorSeconds {
                let statement = try SQLPPParser.statement(text)
                _ = try QueryJSONReader.statement(QueryJSONWriter.text(statement))
                _ = SQLPPWriter.text(statement)
            }
            // A time in proportion to the square would be minutes.
            #expect(seconds < 20)
        }
    }

    /// What threads other than the first have on Apple's systems. Code that is not optimised needs
    /// more.
    #if DEBUG
        private static let stackSize = 2 << 20
    #else
        private static let stackSize = 512 << 10
    #endif

    /// The deepest statement of a form that is none too deep.
    private static func deepest(_ form: (String, String, String)) -> String? {
        (1..<60).reversed().lazy.map { text(form, $0) }.first {
            (try? SQLPPParser.statement($0)) != nil
        }
    }

    @Test("at the limits of depth and height fits in the stack of a thread")
    func stack() throws {
        let sum = "a" + String(repeating: " OR a", count: 480)
        let texts: [String] =
            Self.forms.compactMap { Self.deepest($0) } + [
                String(repeating: "SELECT 1 UNION ", count: 499) + "SELECT \(sum)",
                String(repeating: "SELECT (", count: 35) + "SELECT " + sum.prefix(1501)
                    + String(repeating: ")", count: 35),
            ]
        let done = DispatchSemaphore(value: 0)
        let failures = Locked<[String]>([])
        let thread = Thread {
            for text in texts {
                let statement = try? SQLPPParser.statement(text)
                let written = statement.map { SQLPPWriter.text($0) } ?? ""
                let json = statement.map { QueryJSONWriter.text($0) } ?? ""
                _ = try? QueryJSONReader.statement(json)
                let isSame =
                    statement != nil && statement == (try? SQLPPParser.statement(written))
                    && Set([statement]).contains(statement)
                if !isSame { failures.withLock { $0.append(String(text.prefix(60))) } }
            }
            done.signal()
        }
        thread.stackSize = Self.stackSize
        thread.start()
        done.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(texts.count == Self.forms.count + 2)
    }
}
