import EngineTestSupport
import FleeceLite
import QueryLanguage
import SQLCore
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Indexes of changing documents", .serialized)
struct IndexUseTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    /// SQLite's plan for a query.
    private func plan(_ sql: String) throws -> String {
        try fixture.query("EXPLAIN QUERY PLAN " + sql).joined(separator: "; ")
    }

    @Test("are used by queries with the same expressions")
    func plans() throws {
        try fixture.create(.value("v", on: "a, b.c"))
        try fixture.create(.value("part", on: "d", where: "e = 1"))
        try fixture.create(.value("by order", on: "lower(f) COLLATE (UNICODE NOCASE)"))
        for (condition, index) in [
            ("fl_value(body, 'a') = 1 AND fl_value(body, 'b.c') > 2", "v"),
            ("fl_value(body, 'd') = 1 AND fl_value(body, 'e') = 1", "part"),
            ("N1QL_lower(fl_value(body, 'f')) COLLATE LCUnicode_C__ = 'x'", "by order"),
        ] {
            let plan = try plan("SELECT key FROM kv_default WHERE \(condition)")
            #expect(plan.contains("USING INDEX \(index) "), "\(plan)")
        }
    }

    @Test("contain some of the documents if they have a condition")
    func partial() throws {
        let condition = "b = 'y'"
        try fixture.save([
            "d1": #"{"a":[{"b":["one"]}],"b":"y"}"#, "d2": #"{"a":[{"b":["two"]}],"b":"n"}"#,
        ])
        for sample in IndexSample.allCases { try fixture.create(sample.spec(where: condition)) }
        func check(_ expected: [String], _ step: String) throws {
            let place = try TriggerCondition(
                SQLPPParser.condition(condition), "i"
            ).suffix
            let plain = "kv_default:unnest:a" + place
            let keys = try fixture.query("SELECT rowid || key FROM kv_default ORDER BY key")
            let key = Dictionary(uniqueKeysWithValues: keys.map { ($0.dropLast(2), $0.suffix(2)) })
            func keyed(_ rows: [String]) -> [String] {
                rows.map { String(key[$0.prefix { $0 != "|" }] ?? "?") }.sorted()
            }
            #expect(try keyed(fixture.elements(plain)) == expected, "array, \(step)")
            let predicted = try #require(
                try fixture.schema().first { $0.contains(":predict:") && !$0.contains("::") })
            #expect(
                try keyed(fixture.engine.rows("SELECT docid FROM \(predicted.sqlName)"))
                    == expected,
                "predictive, \(step)")
            #expect(try fixture.documents("y", "by_fullText") == expected, "words, \(step)")
            #expect(
                try fixture.query(
                    "SELECT key FROM kv_default INDEXED BY by_value "
                        + "WHERE fl_value(body, 'b') = 'y' ORDER BY key") == expected)
            #expect(try fixture.isSound(), "\(step)")
        }
        try check(["d1"], "at first")
        try fixture.save(["d3": #"{"a":[{"b":["three"]}],"b":"y"}"#])
        try check(["d1", "d3"], "after an insertion")
        try fixture.save(["d1": #"{"a":[{"b":["one"]}],"b":"n"}"#])
        try check(["d3"], "when one does not fit any more")
        try fixture.save(["d2": #"{"a":[{"b":["two"]}],"b":"y"}"#])
        try check(["d2", "d3"], "when one fits now")
        _ = try fixture.file.write { try fixture.people.delete("d3", in: $0) }
        try check(["d2"], "after a deletion")
    }

    @Test("are maintained by all handles, also those opened before the index was created")
    func otherHandle() throws {
        let other = try fixture.engine.open()
        _ = try other.read { try fixture.people.count(in: $0) }
        try other.write { transaction in
            _ = try fixture.people.save("d1", in: transaction) { try $0.writeJSON(#"{"b":"one"}"#) }
        }
        for sample in IndexSample.allCases { try fixture.create(sample.spec()) }
        try other.write { transaction in
            _ = try fixture.people.save("d1", in: transaction) { try $0.writeJSON(#"{"b":"two"}"#) }
            _ = try fixture.people.save("d2", in: transaction) {
                try $0.writeJSON(#"{"a":[{"b":[1]}],"b":"one"}"#)
            }
        }
        #expect(try fixture.documents("one", "by_fullText") == ["d2"])
        #expect(try fixture.documents("two", "by_fullText") == ["d1"])
        #expect(try fixture.elements("kv_default:unnest:a[].b").count == 1)
        #expect(try fixture.isSound())
        #expect(try other.read { try fixture.people.indexes(in: $0).count } == 4)
        #expect(try other.write { try fixture.people.deleteIndex("by_fullText", in: $0) })
        try fixture.save(["d3": #"{"b":"one"}"#])
        #expect(try fixture.names() == ["by_array", "by_predictive", "by_value"])
    }

    private static let oddValues = [
        "1", "1.5", "true", "false", "null", "\"\"", "\"text\"", "[]", "{}", "[[]]", "[[1],[2]]",
        "[{}]", "[null,1,\"x\",true,2.5]", "{\"b\":[1,2]}", "[{\"b\":3}]", "[{\"b\":{\"c\":1}}]",
        "[{\"b\":[{\"c\":1},{\"c\":[1]},4]}]", "18446744073709551615",
        "\"e\\u0301\\u200b\\u0000x\"",
        "\"\u{1F468}\u{200D}\u{1F469}\"", "\"\u{202E}abc\"", "\"\\ud800\"",
    ]

    @Test("accept documents with properties of any type")
    func oddTypes() throws {
        for sample in IndexSample.allCases { try fixture.create(sample.spec()) }
        for (number, one) in Self.oddValues.enumerated() {
            for (other, two) in Self.oddValues.enumerated() {
                do {
                    try fixture.save(["d\(number)-\(other)": "{\"a\":\(one),\"b\":\(two)}"])
                } catch let error as FleeceError {
                    // Not JSON.
                    #expect(one.contains("ud800") || two.contains("ud800"), "\(error)")
                }
            }
        }
        #expect(try fixture.isSound())
        let count = try fixture.query("SELECT count(*) FROM kv_default")
        #expect(try fixture.query("SELECT count(*) FROM \"kv_default::by_full\\Text\"") == count)
        #expect(try !fixture.documents("text", "by_fullText").isEmpty)
        #expect(try !fixture.documents("e", "by_fullText").isEmpty)
    }

    @Test("have an entry for each element of an array, and one for another value")
    func elements() throws {
        try fixture.create(.array("r", path: "a"))
        for (json, expected) in [
            (#"[1,"x",2.5]"#, ["1", "x", "2.5"]), ("5", ["5"]), ("[]", []),
            (#""text""#, ["text"]), ("[null]", [""]), ("[true,false]", ["1", "0"]),
        ] {
            try fixture.save(["d": "{\"a\":\(json)}"])
            #expect(
                try fixture.elements("kv_default:unnest:a")
                    == expected.enumerated().map { "1|\($0.offset)|\($0.element)" }, "\(json)")
        }
        try fixture.save(["d": "{}"])
        #expect(try fixture.elements("kv_default:unnest:a").isEmpty)
    }

    @Test("accept strings of a megabyte")
    func longTexts() throws {
        for sample in IndexSample.allCases { try fixture.create(sample.spec()) }
        let word = String(repeating: "x", count: 1 << 20)
        let words = String(repeating: "hello world ", count: 1 << 17)
        let accents = "e" + String(repeating: "\u{301}", count: 1 << 18)
        for (number, text) in [word, words, accents].enumerated() {
            try fixture.save(["d\(number)": "{\"a\":\"\(text)\",\"b\":[\"\(text)\"]}"])
        }
        #expect(try fixture.documents("hello", "by_fullText") == ["d1"])
        #expect(try fixture.isSound())
    }

    @Test("accept strings that are not UTF-8")
    func badText() throws {
        for sample in IndexSample.allCases { try fixture.create(sample.spec()) }
        var encoder = FleeceEncoder()
        try encoder.writeJSON(#"{"a":"good XXXX good","b":[{"c":"XXXX"}]}"#)
        let sound = try encoder.finish()
        let patterns: [[UInt8]] = [
            [0xFF, 0xFF, 0xFF, 0xFF], [0xC3, 0x58, 0xE2, 0x82], [0xF0, 0x9F, 0x98, 0xC0],
            [0xED, 0xA0, 0x80, 0x58], [0x00, 0x00, 0x00, 0x00], [0x80, 0xBF, 0xC0, 0x80],
        ]
        for (number, pattern) in patterns.enumerated() {
            var body = sound
            for place in body.indices.dropLast(3)
            where body[place..<place + 4].allSatisfy({ $0 == 0x58 }) {
                body.replaceSubrange(place..<place + 4, with: pattern)
            }
            #expect(body != sound)
            try fixture.file.write { transaction in
                let result = try fixture.engine.store.put(
                    RecordUpdate("d\(number)", version: [1], body: body, expecting: .absent),
                    in: transaction)
                #expect(result != .conflict)
            }
        }
        #expect(try fixture.isSound())
        #expect(try fixture.documents("good", "by_fullText").count == patterns.count)
        for sample in IndexSample.allCases {
            try fixture.file.write { try fixture.people.rebuildIndex(sample.name, in: $0) }
        }
        #expect(try fixture.isSound())
    }

    @Test("that cannot be updated reject the document, with the reason")
    func failingTriggers() throws {
        let fixture = try IndexFixture(trustsSchema: true)
        try fixture.save(["d": #"{"a":1}"#])
        let before = try fixture.engine.liveRows()
        let other = try fixture.engine.sqlite()
        for (action, reason) in [
            ("SELECT no_such_function(new.body)", "no_such_function"),
            ("INSERT INTO no_such_table VALUES (1)", "no_such_table"),
            ("SELECT RAISE(ABORT, 'spoil says no')", "spoil says no"),
        ] {
            try other.exec(
                sql: "CREATE TRIGGER spoil AFTER INSERT ON kv_default BEGIN \(action); END")
            let error = #expect(throws: (any Error).self) {
                try fixture.save(["a": "{}", "e": #"{"a":2}"#])
            }
            #expect("\(try #require(error))".contains(reason))
            #expect(try fixture.engine.liveRows() == before)
            try other.exec(sql: "DROP TRIGGER spoil")
        }
        try fixture.save(["e": #"{"a":2}"#])
    }

    @Test("on a model that is not registered, or fails, reject the document, with the reason")
    func failingModel() throws {
        try fixture.create(.predictive("p", on: "PREDICTION('index_missing', {'n': a}, .n)"))
        let error = #expect(throws: (any Error).self) { try fixture.save(["d": #"{"a":1}"#]) }
        #expect("\(try #require(error))".contains("index_missing"))
        #expect(try fixture.engine.liveRows() == [])
        let model = RegisteredModel("index_missing") { _ in throw ModelFailure(description: "tired")
        }
        let other = #expect(throws: (any Error).self) { try fixture.save(["d": #"{"a":1}"#]) }
        #expect("\(try #require(other))".contains("tired"))
        #expect(model.name == "index_missing")
        #expect(try fixture.drop("p"))
        try fixture.save(["d": #"{"a":1}"#])
    }

    @Test("on a model are rebuilt when its failure policy changes")
    func policies() throws {
        let model = RegisteredModel("index_policy") { input in
            if input["n"]?.int == 2 { throw ModelFailure(description: "tired") }
            return ["n": 1]
        }
        func spec(_ failure: PredictiveOptions.Failure) -> IndexSpec {
            .predictive(
                "p", on: .sqlPlusPlus("PREDICTION('\(model.name)', {'n': a}, .n)"),
                .init(onFailure: failure))
        }
        #expect(try fixture.create(spec(.leavesOut)))
        try fixture.save(["d1": #"{"a":1}"#, "d2": #"{"a":2}"#])
        #expect(try !fixture.create(spec(.leavesOut)))
        #expect(throws: (any Error).self) { try fixture.create(spec(.refusesWrite)) }
        try fixture.save(["d2": #"{"a":2,"b":1}"#])
        _ = try fixture.file.write { try fixture.people.delete("d2", in: $0) }
        #expect(try fixture.create(spec(.refusesWrite)))
        #expect(try !fixture.create(spec(.refusesWrite)))
        #expect(throws: (any Error).self) { try fixture.save(["d3": #"{"a":2}"#]) }
        #expect(try fixture.create(spec(.leavesOut)))
        try fixture.save(["d3": #"{"a":2}"#])
    }
}
