import Foundation
import QueryLanguage
import SQLCore
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("SQL++: an expression")
struct SQLPPLimitTests {
    /// What can be nested: what begins a level, what is inside of all, and what ends a level.
    static let forms = [
        ("(", "1", ")"), ("[", "", "]"), ("NOT ", "a", ""), ("-", "a", ""), ("- ", "5", ""),
        ("{'k':", "1", "}"), ("abs(", "1", ")"), ("CASE WHEN ", "1", " THEN 1 END"),
        ("CASE ", "1", " WHEN 1 THEN 1 END"), ("ANY x IN ", "1", " SATISFIES 1 END"),
        ("ANY x IN y SATISFIES ", "1", " END"), ("EXISTS (", "1", ")"), ("1 IN (", "1", ")"),
        ("MATCH(i, ", "1", ")"), ("PREDICTION('m', ", "1", ")"), ("a = (", "1", ")"),
        ("a = NOT ", "1", ""), ("a BETWEEN (", "1", ") AND 1"), ("+(", "1", ")"),
    ]

    private func text(_ form: (String, String, String), _ count: Int) -> String {
        String(repeating: form.0, count: count) + form.1 + String(repeating: form.2, count: count)
    }

    @Test(
        "that is nested 100,000 times, or 20,000 times at length, is an error, whatever is nested",
        arguments: forms)
    func depth(_ begin: String, _ middle: String, _ end: String) throws {
        let form = (begin, middle, end)
        let error = #expect(throws: StoreError.self) {
            try SQLPPParser.condition(
                text(form, begin.utf8.count < 12 ? 100_000 : 20_000))
        }
        #expect(error?.message.contains("an expression nested inside of 200 others") == true)
        _ = try SQLPPParser.condition(text(form, 80))
    }

    @Test("that is a chain of 100,000 operators is an error, one of 499 is valid")
    func height() throws {
        for operation in ["+", "AND", "||", "IS", "COLLATE NOCASE", "LIKE", ".a LIKE", "NOT NULL"] {
            let isUnary = operation.hasPrefix("COLLATE") || operation.hasSuffix("NULL")
            let step = isUnary ? " \(operation)" : " \(operation) a"
            let error = #expect(throws: StoreError.self) {
                try SQLPPParser.condition("a" + String(repeating: step, count: 100_000))
            }
            #expect(error?.message.contains("a chain of more than 500 operators") == true)
            _ = try SQLPPParser.condition("a" + String(repeating: step, count: 499))
        }
    }

    /// What threads other than the first have on Apple's systems. Code that is not optimised needs
    /// more.
    #if DEBUG
        private static let stackSize = 2 << 20
    #else
        private static let stackSize = 512 << 10
    #endif

    @Test("at the limits of depth and height fits in the stack of a thread")
    func stack() throws {
        let texts =
            Self.forms.map { text($0, 60) } + [
                "a" + String(repeating: " OR a", count: 499),
                String(repeating: "a OR a AND a = a < a + a * a || (", count: 24) + "1"
                    + String(repeating: ")", count: 24),
                String(repeating: "(", count: 199) + "1" + String(repeating: ")", count: 199),
            ]
        let done = DispatchSemaphore(value: 0)
        let failures = Locked<[String]>([])
        let thread = Thread {
            for text in texts {
                let expression = try? SQLPPParser.condition(text)
                let written = expression.map { SQLPPWriter.text($0) } ?? ""
                let isSame =
                    expression != nil && expression == (try? SQLPPParser.condition(written))
                if !isSame { failures.withLock { $0.append(String(text.prefix(40))) } }
            }
            done.signal()
        }
        thread.stackSize = Self.stackSize
        thread.start()
        done.wait()
        #expect(failures.withLock { $0 } == [])
    }

    @Test("that is long takes time proportional to its length")
    func length() throws {
        let list = "a IN (" + String(repeating: "(b.c[0] + 1.5), ", count: 60_000) + "'x')"
        let path = "a" + String(repeating: ".b", count: 300_000)
        let text = "'" + String(repeating: "''", count: 500_000) + "'"
        let comment = String(repeating: "-- x\n", count: 200_000) + "a"
        for long in [list, path, text, comment] {
            let seconds = try processorSeconds {
                _ = try SQLPPParser.condition(long)
            }
            // A time in proportion to the square would be minutes.
            #expect(seconds < 20)
        }
    }
}
