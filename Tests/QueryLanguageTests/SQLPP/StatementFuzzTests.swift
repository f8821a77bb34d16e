import QueryLanguage
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// `STORE_FUZZ_INPUTS` is the number of inputs, `STORE_SEED` the seed.
@Suite("Statements: hostile input", .timeLimit(.minutes(20)))
struct StatementFuzzTests {
    private static let words = [
        "SELECT", "SELECT", "DISTINCT", "ALL", "RAW", "FROM", "_", "a", "b", "a.b", "*", "AS",
        "JOIN", "LEFT", "INNER", "CROSS", "ON", "UNNEST", "LET", "x", "=", "1", "'t'", "$p", ",",
        "(", ")", "[", "]", "{", "}", ";", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "ASC", "DESC",
        "NULLS", "FIRST", "LAST", "LIMIT", "OFFSET", "UNION", "INTERSECT", "EXCEPT", "WITH", "IN",
        "EXISTS", "NOT", "IS", "DISTINCT FROM", "LIKE", "ESCAPE", "COUNT(", "rank()", "lag(a)",
        "FILTER (", "OVER (", "PARTITION BY", "ROWS", "RANGE", "BETWEEN", "AND", "UNBOUNDED",
        "PRECEDING", "CURRENT", "ROW", "FOLLOWING", "EXCLUDE", "TIES", "UPDATE", "SET", "UNSET",
        "DELETE", "DELETE FROM", "ANY x IN", "SATISFIES", "END", "CASE", "WHEN", "THEN", "`", "\n",
    ]

    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "1", "true", "null", "\"a\"", "\".a\"", "[\".a\"]",
        "\"SELECT\"", "\"WHAT\"", "\"FROM\"", "\"WHERE\"", "\"ORDER_BY\"", "\"GROUP_BY\"",
        "\"LIMIT\"", "\"AS\"", "\"JOIN\"", "\"ON\"", "\"UNNEST\"", "\"UNION\"", "\"WITH\"",
        "\"LET\"", "\"CALL\"", "\"FUNCTION\"", "\"sum\"", "\"OVER\"", "\"FRAME\"", "\"UPDATE\"",
        "\"SET\"", "\"DELETE\"", "{\"SELECT\":", "[\"SELECT\",{", "[\"UNION\",{},", "{\"WHAT\":[",
        "{\"FROM\":[{", "[\"UPDATE\",{\"UNSET\":[", "[\"CALL\",{", "}]", "]}",
    ]

    /// Runs a generator of strings; returns how many were statements.
    private func run(_ name: String, _ make: (inout SeededGenerator) -> String) throws -> Int {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_123)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 2_000)
        var random = SeededGenerator(seed: UInt64(seed))
        var right = 0
        for _ in 0..<count where try read(make(&random)) { right += 1 }
        print("StatementFuzzTests: \(right) of \(count) \(name) from STORE_SEED=\(seed) are right")
        return right
    }

    /// Parses a string in both languages; returns whether it is a statement.
    private func read(_ text: String) throws -> Bool {
        var isRight = false
        do {
            let statement = try SQLPPParser.statement(text)
            isRight = true
            let written = SQLPPWriter.text(statement)
            let read = try? SQLPPParser.statement(written)
            if read != statement { Issue.record("\(text) is written as \(written)") }
            _ = QueryJSONWriter.text(statement)
        } catch let error as StoreError where error.underlying is QuerySyntaxError {}
        do {
            let statement = try QueryJSONReader.statement(text)
            isRight = true
            let written = QueryJSONWriter.text(statement)
            let read = try? QueryJSONReader.statement(written)
            if read != statement { Issue.record("\(text) is written as \(written)") }
            _ = SQLPPWriter.text(statement)
        } catch let error as StoreError where error.has(.invalidQuery) {}
        return isRight
    }

    private func text(of words: [String], _ random: inout SeededGenerator) -> String {
        (0...random.below(16)).map { _ in random.pick(words) }
            .joined(separator: random.below(4) == 0 ? "" : " ")
    }

    /// Changes some bytes or words of a string.
    private func changed(
        _ text: String, _ words: [String], _ random: inout SeededGenerator
    ) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...random.below(2) where !bytes.isEmpty {
            let index = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(contentsOf: " \(random.pick(words)) ".utf8, at: index)
            case 2: bytes.swapAt(index, random.below(bytes.count))
            default: bytes[index] = UInt8(random.below(256))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("of random words are an error, or a statement that reads back the same")
    func words() throws {
        #expect(try run("texts of words") { "SELECT " + text(of: Self.words, &$0) } > 0)
        _ = try run("texts of any words") { text(of: Self.words, &$0) }
        _ = try run("texts of JSON") { text(of: Self.tokens, &$0) }
    }

    @Test("that were valid before a change likewise")
    func mutations() throws {
        var statements = StatementGenerator(seed: 11)
        let right = try run("changed texts") { random in
            changed(SQLPPWriter.text(statements.next(2)), Self.words, &random)
        }
        #expect(right > 0)
        let pairs = StatementPair.all
        let rightPairs = try run("changed pairs") { random in
            changed(random.pick(pairs).text, Self.words, &random)
        }
        #expect(rightPairs > 0)
        let rightJSON = try run("changed texts of JSON") { random in
            changed(random.pick(pairs).json, Self.tokens, &random)
        }
        #expect(rightJSON > 0)
    }

    @Test("of random bytes likewise")
    func bytes() throws {
        _ = try run("texts of bytes") { random in
            let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
