import QueryLanguage
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// `STORE_FUZZ_INPUTS` is the number of inputs, `STORE_SEED` the seed.
@Suite("SQL++: hostile input", .timeLimit(.minutes(20)))
struct SQLPPFuzzTests {
    private static let words = [
        "a", "b", "x", "some", "exists", "meta", "abs", "count", "5", "2.5", "'t'", "\"k\"", "`n`",
        "$p", "TRUE", "NULL", "MISSING", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "*",
        "+", "-", "--", "/", "%", "||", "=", "<", ">=", "<>", "&", "AND", "OR", "NOT", "IS", "IN",
        "LIKE", "BETWEEN", "VALUED", "COLLATE", "NOCASE", "UNICODE", "CASE", "WHEN", "THEN",
        "ELSE", "END", "ANY", "EVERY", "SATISFIES", "META()", "EXISTS (", "abs(", "MATCH(",
        "PREDICTION(", "BLOB(", "RANK(", "[0]", ".id", "SELECT", "/*", "'", "`", "\n", "é",
    ]

    /// Runs a generator of strings; returns how many were expressions.
    private func run(_ name: String, _ make: (inout SeededGenerator) -> String) throws -> Int {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        var random = SeededGenerator(seed: UInt64(seed))
        var valid = 0
        for _ in 0..<count {
            let text = make(&random)
            do {
                let expressions = try SQLPPParser.expressions(text)
                valid += 1
                let written = SQLPPWriter.text(expressions)
                let read = try? SQLPPParser.expressions(written)
                if read != expressions { Issue.record("\(text) is written as \(written)") }
            } catch let error as StoreError where error.underlying is QuerySyntaxError {
                continue
            }
        }
        print(
            "SQLPPFuzzTests: \(valid) of \(count) \(name) from STORE_SEED=\(seed) are right")
        return valid
    }

    @Test("of random words are an error, or an expression that reads back the same")
    func words() throws {
        let valid = try run("texts of words") { random in
            (0...random.below(10)).map { _ in random.pick(Self.words) }
                .joined(separator: random.below(4) == 0 ? "" : " ")
        }
        #expect(valid > 0)
    }

    @Test("that were valid before a change likewise")
    func mutations() throws {
        var expressions = RandomExpressions(seed: 7)
        let valid = try run("changed texts") { random in
            var bytes = Array(SQLPPWriter.text(expressions.next(3)).utf8)
            for _ in 0...random.below(2) {
                let index = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(contentsOf: random.pick(Self.words).utf8, at: index)
                default: bytes.swapAt(index, random.below(bytes.count))
                }
                if bytes.isEmpty { bytes = [0x61] }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(valid > 0)
    }

    @Test("of random bytes likewise")
    func bytes() throws {
        _ = try run("texts of bytes") { random in
            let bytes = (0..<random.below(30)).map { _ in UInt8(random.below(256)) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
