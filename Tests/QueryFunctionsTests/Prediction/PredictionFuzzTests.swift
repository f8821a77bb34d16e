import EngineTestSupport
import FleeceLite
import SQLCore
import SampleData
import StoreTestSupport
import Testing

/// Arguments of any type and any bytes. `STORE_FUZZ_INPUTS` says how many there are, `STORE_SEED`
/// where they begin.
@Suite("Functions of predictions and vectors: hostile arguments")
struct PredictionFuzzTests {
    private static let texts = [
        "hostile", "nobody", "", ".a", ".a[0].b", ".a[", "$", "\\", "AACAPw==", "a\0b", "v",
        "v[-1]",
    ]
    private static let documents = [
        #"{"v":[1,2,3],"a":[{"b":"c"}],"n":-1.5}"#, "[1,2,3,4,5,6,7,8,9]", "{}", "[]", "[\"text\"]",
        #"[[1],{"x":18446744073709551615},null,true,1e300]"#,
    ]

    @Test("give a value or an error; nothing traps")
    func hostile() throws {
        var random = SeededGenerator(printing: "PredictionFuzzTests")
        let fixture = try PredictionFixture()
        let model = RegisteredModel("hostile") { input in
            // What a model does with an input: reads all of it.
            var copy = MutableFleeceDictionary()
            for (key, value) in input { copy[key] = .value(value) }
            return .dictionary(copy)
        }
        let inputs = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 3000)
        var values = 0
        var errors = 0
        let functions = [
            ("prediction", 3), ("euclidean_distance", 2), ("cosine_distance", 2),
            ("encode_vector", 1), ("fl_vector_to_index", 3),
        ]
        for _ in 0..<inputs {
            let (name, most) = random.pick(functions)
            let count = name == "prediction" ? 2 + random.below(2) : most
            var arguments = try (0..<count).map { _ in try Self.argument(&random) }
            if name == "prediction", random.below(4) > 0 { arguments[0] = .text(model.name) }
            if name == "fl_vector_to_index" {
                if random.below(4) > 0 { arguments[1] = .text(random.pick(["v", "a[0]"])) }
                if random.below(4) > 0 { arguments[2] = .long(3) }
            }
            if name.hasSuffix("_distance"), random.below(2) == 0 { arguments[1] = arguments[0] }
            let marks = Array(repeating: "?", count: count).joined(separator: ", ")
            do {
                let value = try fixture.value("\(name)(\(marks))", arguments)
                if value != .null { values += 1 }
            } catch is SQLError {
                errors += 1
            }
        }
        print("PredictionFuzzTests: \(values) values, \(errors) errors")
        #expect(values > inputs / 40 && errors > inputs / 20)
    }

    private static func argument(_ random: inout SeededGenerator) throws -> SQLValue {
        switch random.below(15) {
        case 0: return .null
        case 1: return .long(Int64(bitPattern: random.next()))
        case 2: return .real(Double(bitPattern: random.next()))
        case 3: return .text(random.pick(texts))
        case 4: return .blob(random.bytes(random.below(40)))
        default:
            var encoder = FleeceEncoder()
            try encoder.writeJSON(random.pick(documents))
            var bytes = try encoder.finish()
            for _ in 0..<max(0, random.below(6) - 2) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            return .blob(bytes)
        }
    }
}
