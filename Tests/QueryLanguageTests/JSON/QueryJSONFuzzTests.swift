import DataFileCore
import EngineTestSupport
import QueryLanguage
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// `STORE_FUZZ_INPUTS` is the number of inputs, `STORE_SEED` the seed.
@Suite("Expressions in JSON: hostile input", .timeLimit(.minutes(20)))
struct QueryJSONFuzzTests {
    /// Reads a text as all that it can be; gives whether it is an expression.
    @discardableResult
    private func read(_ json: String) throws -> Bool {
        var isRight = false
        do {
            let expression = try QueryJSONReader.expression(json)
            isRight = true
            _ = QueryJSONWriter.text(expression)
            _ = try expression.indexSQL()
            _ = try expression.indexSQL(of: .elements)
        } catch let error as StoreError where error.has(.invalidQuery) {}
        do {
            _ = try IndexDefinition(.json(json), where: json)
        } catch let error as StoreError where error.has(.invalidQuery) {}
        return isRight
    }

    @Test("of 100,000 levels are refused")
    func deep() throws {
        for unit in ["[", #"["NOT","#, #"{"a":"#, #"["[]","#, #"["ANY","x",[".a"],"#] {
            let close = unit.first == "{" ? "}" : "]"
            for levels in [150, 201, 5_000, 100_000] {
                let json =
                    String(repeating: unit, count: levels) + "1"
                    + String(repeating: close, count: levels)
                let isRight = try read(json)
                #expect(!isRight || levels == 150, "\(unit) \(levels)")
            }
        }
    }

    @Test("with many operands, long names and long strings are read without delay")
    func large() throws {
        let many = Array(repeating: #"[".a"]"#, count: 100_000).joined(separator: ",")
        #expect(try read("[\"AND\",\(many)]"))
        #expect(try read("[\"[]\",\(many)]"))
        #expect(try read("[\"IN\",1,\(many)]"))
        #expect(try read("[\"CASE\",\(many)]"))
        let long = String(repeating: "x'\\\"", count: 250_000)
        #expect(try read("[\".\(long)\"]"))
        #expect(try read("[\"=\",\"\(long)\",1]"))
        #expect(try read("[\"ANY\",\"\(long)\",[\".a\"],1]"))
        let path = String(repeating: ".a", count: 200_000)
        #expect(try read("[\"\(path)\"]"))
    }

    private static let words = [
        "1", "-5", "1.5", "1e400", "18446744073709551615", "true", "null", "{}", "[]", "\"\"",
        "\"x\"", "\".a\"", "\"=\"", "\"AND\"", "\"NOT\"", "\"-\"", "\".\"", "\"?\"", "\"?x\"",
        "\"$\"", "\"$p\"", "\"_.\"", "\"_.a\"", "\"[]\"", "\"ANY\"", "\"EVERY\"", "\"x\"",
        "\"COLLATE\"", "\"CASE\"", "\"MISSING\"", "\"IN\"", "\"LIKE\"", "\"BLOB\"", "\"META()\"",
        "\"MATCH()\"", "\"RANK()\"", "\"PREDICTION()\"", "\"length()\"", "\"WHAT\"", "\"WHERE\"",
        "\"UNICODE\"", "\"LOCALE\"", "\"\\u0000\"", "\"\\ud800\"", "\"'\"", "\"--\"",
        "[\"MISSING\"]",
        "[\".a\"]", "[\"?x\"]", "[\"ANY\",\"x\",[\".l\"],", "[\"=\",", "[\"AND\",", "[", "{", "]",
        "}", ":", ",", ",", ",", "\"", "\\",
    ]

    @Test("of random tokens are an error or an expression")
    func wordsInAnyOrder() throws {
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        var random = SeededGenerator(printing: "QueryJSONFuzzTests.words")
        for _ in 0..<count {
            try read((0...random.below(12)).map { _ in random.pick(Self.words) }.joined())
        }
    }

    @Test("whose parts are of the wrong types are an error or an expression")
    func wrongTypes() throws {
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        var random = SeededGenerator(printing: "QueryJSONFuzzTests.types")
        var right = 0
        for _ in 0..<count where try read(value(4, &random)) { right += 1 }
        #expect(right > 0)
    }

    private func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
        switch depth == 0 ? 0 : random.below(3) {
        case 0: return random.pick(Array(Self.words.prefix(46)))
        case 1:
            let name = random.pick(Array(Self.words[9..<46]))
            let parts = (0..<random.below(5)).map { _ in value(depth - 1, &random) }
            return "[" + ([name] + parts).joined(separator: ",") + "]"
        default:
            let parts = (0..<random.below(3)).map { _ in
                random.pick(["\"a\"", "\"WHAT\"", "\"WHERE\"", "\"UNICODE\"", "\"CASE\""])
                    + ":" + value(depth - 1, &random)
            }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    @Test("that were valid before some bytes changed likewise")
    func mutations() throws {
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        var random = SeededGenerator(printing: "QueryJSONFuzzTests.mutations")
        var expressions = RandomExpressions(seed: random.next())
        var right = 0
        for _ in 0..<count {
            var bytes = Array(QueryJSONWriter.text(expressions.next(3)).utf8)
            for _ in 0...random.below(2) where !bytes.isEmpty {
                let place = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(contentsOf: random.pick(Self.words).utf8, at: place)
                default: bytes[place] = UInt8(random.below(256))
                }
            }
            if try read(String(decoding: bytes, as: UTF8.self)) { right += 1 }
        }
        #expect(right > 0)
    }
}
