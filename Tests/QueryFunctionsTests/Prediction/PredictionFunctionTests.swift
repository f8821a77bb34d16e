import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
internal import StorePlatform
import Testing

@Suite("prediction() in SQL")
struct PredictionFunctionTests {
    let fixture: PredictionFixture

    init() throws {
        fixture = try PredictionFixture()
    }

    @Test("returns the model's prediction for a dictionary")
    func answer() throws {
        let model = RegisteredModel("sum") { input in
            guard let list = input["list"], let numbers = list.array else { return nil }
            return ["sum": .int(numbers.compactMap(\.int).reduce(0, +)), "input": .value(list)]
        }
        let json = try fixture.json("prediction('\(model.name)', fleece('{\"list\":[1,2,3]}'))")
        #expect(json == #"{"input":[1,2,3],"sum":6}"#)
    }

    @Test("returns a property of the prediction by its path, with or without a leading dot")
    func property() throws {
        let model = RegisteredModel("paths") { _ in ["a": ["b": [1, "two", .null]], "c": true] }
        func read(_ path: String) throws -> SQLValue? {
            try fixture.value("prediction('\(model.name)', fleece('{}'), '\(path)')")
        }
        #expect(try read(".a.b[0]") == .long(1))
        #expect(try read("a.b[-2]") == .text("two"))
        #expect(try read(".a.b[2]") == .blob([UInt8]()))
        #expect(try read(".c") == .long(1))
        #expect(try read(".a.x") == .null)
        #expect(try read(".a.b[7]") == .null)
        #expect(
            try fixture.json("prediction('\(model.name)', fleece('{}'), '.a')")
                == #"{"b":[1,"two",null]}"#)
        #expect(try fixture.value("prediction('paths', fleece('{}'), NULL)") == .null)
    }

    @Test("passes on each kind of value in its SQL form")
    func kinds() throws {
        let model = RegisteredModel("kinds") { input in
            switch input["kind"]?.string {
            case "null": .null
            case "true": true
            case "false": .bool(false)
            case "int": -7
            case "uint": .uint(.max)
            case "small": .uint(7)
            case "float": .float(0.5)
            case "double": 0.25
            case "NaN": .double(.nan)
            case "text": "Zoë"
            case "empty": ""
            case "data": .data([1, 2])
            case "array": [1, [2]]
            case "own": input["own"].map { .value($0) }
            default: nil
            }
        }
        func value(_ kind: String, own: String = "0") throws -> SQLValue? {
            try fixture.value(
                "prediction('\(model.name)', fleece('{\"kind\":\"\(kind)\",\"own\":\(own)}'))")
        }
        func subtype(_ kind: String, own: String = "0") throws -> SQLValue? {
            try fixture.value(
                "subtype(prediction('kinds', fleece('{\"kind\":\"\(kind)\",\"own\":\(own)}')))")
        }
        #expect(try value("null") == .blob([UInt8]()))
        #expect(try subtype("null") == .long(0x67))
        #expect(try value("true") == .long(1))
        #expect(try value("false") == .long(0))
        #expect(try subtype("false") == .long(0x68))
        #expect(try value("int") == .long(-7))
        #expect(try subtype("int") == .long(0))
        #expect(try value("uint") == .long(-1))
        #expect(try subtype("uint") == .long(0x69))
        #expect(try value("small") == .long(7))
        #expect(try subtype("small") == .long(0))
        #expect(try value("float") == .real(0.5))
        #expect(try value("double") == .real(0.25))
        #expect(try value("NaN") == .null)
        #expect(try value("text") == .text("Zoë"))
        #expect(try value("empty") == .text(""))
        #expect(try value("data") == .blob(Self.data))
        #expect(try value("array") == .blob(Self.array))
        #expect(try value("none") == .null)
        #expect(try value("own", own: "null") == .blob([UInt8]()))
        #expect(try subtype("own", own: "true") == .long(0x68))
        #expect(try value("own", own: "[1,[2]]") == .blob(Self.array))
        #expect(try value("own", own: "1.5") == .real(1.5))
    }

    /// A document that is the string `text`.
    private static let text = "x'4474657874008003'"

    /// The data 01 02 as root, after its length; `[1, [2]]`.
    private static let data: [UInt8] = [0x52, 1, 2, 0, 0x80, 2]
    private static let array: [UInt8] = [0x60, 1, 0, 2, 0x60, 2, 0, 1, 0x80, 4, 0x80, 3]

    @Test("is missing for a missing input, without calling the model")
    func missingInput() throws {
        let model = RegisteredModel("missing") { _ in throw ModelFailure(description: "asked") }
        #expect(try fixture.value("prediction('\(model.name)', NULL)") == .null)
        #expect(try fixture.value("prediction('missing', NULL, '.a')") == .null)
        // Bytes that are not a document.
        #expect(try fixture.value("prediction('missing', x'01')") == .null)
    }

    @Test("fails if the input is not a dictionary")
    func otherInput() {
        let model = RegisteredModel("inputs") { _ in 1 }
        for input in ["1", "1.5", "'text'", "x''", "fleece('[1]')", Self.text] {
            let message = fixture.failure("prediction('\(model.name)', \(input))")
            #expect(message?.contains("the input is not a dictionary") == true, "\(input)")
            #expect(message?.contains("model inputs:") == true)
        }
    }

    @Test("fails for an unregistered model, names it and states what to do")
    func unknown() {
        #expect(
            fixture.failure("prediction('nobody', fleece('{}'))")
                == "prediction by the model nobody: no model has this name; call "
                + "PredictiveModels.register(_:as:) before the data file is used")
        #expect(fixture.failure("prediction('nobody', NULL)")?.contains("nobody") == true)
        // Logs do not show text in quotes.
        let error = #expect(throws: SQLError.self) {
            try fixture.value("prediction('nobody', NULL)")
        }
        #expect(error?.description.contains("model nobody: no model has this name") == true)
    }

    @Test("follows the registry from call to call")
    func following() throws {
        let call = "prediction('followed', fleece('{}'))"
        PredictiveModels.register(ClosureModel { _ in 1 }, as: "followed")
        #expect(try fixture.value(call) == .long(1))
        PredictiveModels.register(ClosureModel { _ in 2 }, as: "followed")
        #expect(try fixture.value(call) == .long(2))
        PredictiveModels.unregister("followed")
        #expect(fixture.failure(call)?.contains("no model has this name") == true)
    }

    @Test("fails with the message of a model that throws")
    func throwing() {
        let model = RegisteredModel("thrower") { input in
            throw ModelFailure(description: "no picture \(input["n"]?.int ?? 0)")
        }
        #expect(
            fixture.failure("prediction('\(model.name)', fleece('{\"n\":3}'))")
                == "prediction by the model thrower: no picture 3")
    }

    @Test("fails if a prediction cannot be encoded, and works afterwards")
    func unwritable() throws {
        let model = RegisteredModel("unwritable") { input in
            input["bad"]?.bool == true ? ["x": .double(.nan)] : ["x": 1]
        }
        let call = "prediction('\(model.name)', fleece(?))"
        let message = fixture.failure(call, [.text(#"{"bad":true}"#)])
        #expect(message?.hasPrefix("prediction by the model unwritable: ") == true)
        #expect(try fixture.json(call, [.text("{}")]) == #"{"x":1}"#)
    }

    @Test(
        "fails for invalid arguments",
        arguments: [
            "prediction()", "prediction('m')", "prediction('m', NULL, '.a', '.b')",
            "prediction(NULL, NULL)", "prediction(1, NULL)",
        ])
    func arguments(_ call: String) {
        #expect(fixture.failure(call)?.hasPrefix("prediction takes the name") == true)
    }

    @Test(
        "fails for an invalid path", arguments: ["''", "'.'", "'.a['", "'[x]'", "7", "x'61'"])
    func badPath(_ path: String) {
        let model = RegisteredModel("path \(path)") { _ in ["a": 1] }
        let message = fixture.failure("prediction(?, fleece('{}'), \(path))", [.text(model.name)])
        #expect(message?.contains("is not a property path") == true, "\(message ?? "")")
    }

    @Test("reads the input with the shared keys of the file, and the model may retain it")
    func sharedKeys() throws {
        let kept = Locked<FleeceDictionary?>(nil)
        let model = RegisteredModel("keeper") { input in
            kept.withLock { $0 = input }
            return input["name"].map { .value($0) }
        }
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(#"{"age":36,"name":"Ada"}"#)
        let used = encoder.sharedKeys
        let keys = try #require(used)
        let body = try encoder.finish()
        fixture.functions.use(keys)
        #expect(
            try fixture.value("prediction('\(model.name)', ?)", [.blob(body)]) == .text("Ada"))
        #expect(kept.withLock { $0?["age"]?.int } == 36)
    }
}
