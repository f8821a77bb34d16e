import EngineTestSupport
import FleeceLite
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// `STORE_FUZZ_INPUTS` is the number of calls, `STORE_SEED` the seed.
@Suite("Functions of the query language: hostile arguments", .timeLimit(.minutes(20)))
struct QueryFunctionFuzzTests {
    @Test("any value and any bytes give a result or an error; nothing traps or hangs")
    func anyArguments() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        print("QueryFunctionFuzzTests: \(count) calls from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = try QueryFunctionFixture()
        let functions = QueryFunctions.scalars.map(\.function)
        var answers = 0
        for _ in 0..<count {
            let function = functions[random.below(functions.count)]
            let chosen = random.pick(function.sqlArgumentCounts)
            let arity = chosen ?? random.below(5)
            let places = (0..<arity).map { "?\($0 + 1)" }.joined(separator: ", ")
            let sql = "SELECT encode_json(\(function.sqlName)(\(places)))"
            let statement = try fixture.context.prepare(sql: sql)
            defer { statement.close() }
            for index in 0..<arity {
                try statement.bind(Self.value(&random), at: index + 1)
            }
            if (try? statement.next()) == true { answers += 1 }
        }
        print("QueryFunctionFuzzTests: \(answers) of \(count) calls have an answer")
        #expect(answers > count / 2)
    }

    private static func value(_ random: inout SeededGenerator) -> SQLValue {
        switch random.below(12) {
        case 0: .null
        case 1: .blob([UInt8]())
        case 2: .long(Int64(bitPattern: random.next()))
        case 3: .long(Int64(random.below(20)) - 5)
        case 4: .real(Double(bitPattern: random.next()))
        case 5: .real(Double(random.below(100)) / 8)
        case 6: .text(text(&random))
        case 7, 8: .text(random.pick(words))
        case 9: .blob(bytes(&random))
        default: .blob(document(&random))
        }
    }

    private static let words = [
        "", "a", "aaaaaaaaaaaaaaaaaaaaaaaa", "(a+)+$", "[", "\\", "$1$&$9", "day", "month",
        "millennium", "2018-10-23", "2018-10-23T18:33:01.5+02:00", "-0001-12-31", "%Y%z", "%E",
        "1111-11-11T11:11", "é\u{301}ß😀", "{\"a\":[1,null]}", "1e999", "YWJj", "iso_week",
    ]

    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        String(decoding: bytes(&random), as: UTF8.self)
    }

    /// A document, whole or damaged.
    private static func document(_ random: inout SeededGenerator) -> [UInt8] {
        let texts = [
            "[]", "{}", "[1,2,[3,[4,null,true]],\"x\",1.5]", "{\"a\":1,\"b\":{\"c\":[]}}",
            "[{\"a\":1},{\"a\":\"x\",\"b\":null}]", "[9223372036854775807,-1,\"2018-01-01\"]",
        ]
        var encoder = FleeceEncoder()
        try? encoder.writeJSON(random.pick(texts))
        var bytes = (try? encoder.finish()) ?? []
        if random.below(2) == 0, !bytes.isEmpty {
            for _ in 0..<(1 + random.below(3)) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
        }
        return bytes
    }

    @Test("strings with invalid UTF-8 are accepted unchanged")
    func invalidText() throws {
        let fixture = try QueryFunctionFixture()
        for call in [
            "N1QL_length(t)", "N1QL_upper(t)", "N1QL_trim(t)", "reverse(t)", "suffixes(t)",
            "split(t)", "tokens(t)", "N1QL_substr(t, 1)", "regexp_replace(t, '.', 'x')",
        ] {
            let sql = "SELECT \(call) FROM (SELECT CAST(x'FF80C3E2286120F09F' AS TEXT) AS t)"
            #expect(try fixture.context.selectAll(sql: sql).count == 1)
        }
    }
}
