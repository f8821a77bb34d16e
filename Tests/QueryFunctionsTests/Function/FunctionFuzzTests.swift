import Foundation
import QueryFunctions
import SQLCore
import SampleData
import StoreTestSupport
import Testing

/// The functions with bodies that were damaged, and with arguments of all types at all places.
///
/// `STORE_FUZZ_INPUTS` is the number of bodies, `STORE_SEED` the seed.
@Suite("SQL functions: hostile arguments", .timeLimit(.minutes(20)))
struct FunctionFuzzTests {
    private static let calls = [
        "fl_root(?1)", "fl_value(?1, ?2)", "fl_nested_value(?1, ?2)", "fl_unnested_value(?1)",
        "fl_unnested_value(?1, ?2)", "fl_fts_value(?1, ?2)", "fl_exists(?1, ?2)",
        "fl_count(?1, ?2)", "fl_blob(?1, ?2)", "fl_contains(?1, ?2, ?3)", "fl_result(?1)",
        "fl_boolean_result(?1)", "fl_bool(?1)", "fl_version(?1)", "array_of(?1, ?2, ?3)",
        "dict_of(?2, ?1)", "fl_contains(?3, NULL, ?1)",
        "(SELECT count(key) + count(value) + sum(type) + count(data) + count(body) "
            + "FROM fl_each(?1, ?2))",
        "(SELECT count(fl_nested_value(body, 'a')) FROM fl_each(?1))",
    ]

    private static let seeds = [
        #"{"a": {"b": [1, "x", null, true, 2.5, {"c": [[]]}]}, "list": ["aa", "bb", "aa", 70000]}"#,
        #"{"name": "A long text that is not shared", "a": [[1, 2], [3], {"b": -1e300}], "id": 7}"#,
    ]

    @Test("Damaged bodies are read as far as possible; nothing traps, hangs or grows")
    func damagedBodies() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 5000)
        print("FunctionFuzzTests: \(count) bodies from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = try FunctionFixture()
        fixture.functions.readBlob = { [UInt8]($0.utf8) }
        let bodies = try Self.seeds.map { try fixture.body($0).blobValue ?? Data() }
        let sql = "SELECT " + Self.calls.joined(separator: ", ")
        let statement = try fixture.context.prepare(sql: sql)
        let paths = ["a", "a.b", "a[0]", "list", "a.b[-1].c", "$", "name", "a[2].b"]
        var answers = 0
        for _ in 0..<count {
            let body = Self.damaged(random.pick(bodies), &random)
            let values: [SQLValue] = [
                .blob(body), .text(random.pick(paths)),
                random.pick([.blob(body), .text("x"), .long(1), .real(2.5)]),
            ]
            try statement.bind(parameters: values)
            #expect(try statement.next())
            answers += statement.rowValues().count { $0 != .null }
            statement.reset()
        }
        #expect(answers > count)
    }

    private static func damaged(_ body: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = [UInt8](body)
        switch random.below(8) {
        case 0: bytes = (0..<2 * random.below(24)).map { _ in UInt8(random.below(256)) }
        case 1: bytes.removeFirst(random.below(bytes.count))
        default:
            for _ in 0...random.below(4) {
                let likely: [UInt8] = [0x00, 0x08, 0x30, 0x3C, 0x4F, 0x60, 0x68, 0x70, 0x78, 0x80]
                bytes[random.below(bytes.count)] =
                    random.below(2) == 0 ? random.pick(likely) : UInt8(random.below(256))
            }
        }
        return Data(bytes)
    }

    @Test("Each SQLite type is allowed for each argument")
    func allTypes() throws {
        let fixture = try FunctionFixture()
        let body = try fixture.body(#"{"a": [1, {"b": 2}]}"#)
        let values: [SQLValue] = [
            .null, .long(.min), .long(.max), .real(.infinity), .real(-0.5), .text(""), .text("a"),
            .text("a\u{0}b"), .blob(Data()), .blob(Data([0xFF])), .blob(Data(count: 100)), body,
        ]
        for call in Self.calls {
            for first in values {
                for second in values {
                    for third in values where call.contains("?3") || third == .null {
                        let parameters = [first, second, third].prefix(
                            call.contains("?3") ? 3 : call.contains("?2") ? 2 : 1)
                        do {
                            _ = try fixture.context.selectValue(
                                sql: "SELECT \(call)", parameters: Array(parameters))
                        } catch let error as SQLError {
                            // A path or a key may be at fault, nothing else.
                            #expect(
                                error.message.contains("path") || error.message.contains("key"),
                                "\(call): \(error.message)")
                        }
                    }
                }
            }
        }
    }

    @Test("A small body that repeats its parts does not become a long string")
    func repeatedParts() throws {
        let fixture = try FunctionFixture()
        // Arrays of two pointers to the one before: 2 to the power of 60 texts.
        var bytes: [UInt8] = [0x44, 0x74, 0x65, 0x78, 0x74, 0x00]
        var last = 0
        for _ in 0..<60 {
            let start = bytes.count
            bytes += [0x60, 0x02]
            for slot in 0..<2 {
                let distance = (start + 2 + 2 * slot - last) / 2
                bytes += [0x80 | UInt8(distance >> 8), UInt8(distance & 0xFF)]
            }
            last = start
        }
        let distance = (bytes.count - last) / 2
        bytes += [0x80 | UInt8(distance >> 8), UInt8(distance & 0xFF)]
        let body = SQLValue.blob(Data(bytes))
        let size = try fixture.context.selectValue(
            sql: "SELECT length(fl_fts_value(?, '$'))", parameters: [body])
        #expect(size?.longValue ?? 0 < 1 << 20)
        #expect(try fixture.value("fl_root(?)", body) == "MISSING")
        #expect(try fixture.value("fl_count(?, '$')", body) == "2")
        #expect(try fixture.rows("SELECT type FROM fl_each(?)", body) == ["5", "5"])
    }
}
