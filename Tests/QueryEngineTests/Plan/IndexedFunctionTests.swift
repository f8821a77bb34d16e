import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import QueryFunctions
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Functions of indexed properties")
struct IndexedFunctionTests {
    private static let values = [
        "true", "false", "0", "1", "-1", "18446744073709551615", "null", "\"1\"", "\"x\"", "2.5",
        "[1,true]", "{\"k\":true}", "\"/w==\"", "\"2018-10-23\"",
    ]

    private func fixture() throws -> QueryFixture {
        var documents = Self.values.enumerated().map {
            ("d\($0)", "{\"a\":\($1),\"b\":1,\"at\":{\"v\":\($1)}}")
        }
        documents.append(("none", "{\"b\":1}"))
        documents += (10..<80).map { ("x\($0)", "{\"a\":\($0),\"b\":\($0)}") }
        return try QueryFixture(documents)
    }

    /// Each function that gives the same for the same, with the property at each place.
    private static let calls: [String] = QueryFunction.all.flatMap { function -> [String] in
        guard !function.isAggregate, !function.needsWindow, !function.isVolatile,
            !function.name.contains("vector"), function.arguments.upperBound > 0
        else { return [] }
        let count = max(function.arguments.lowerBound, 1)
        return (0..<count).map { place in
            let arguments = (0..<count).map { $0 == place ? "a" : "'x'" }
            return "\(function.name)(\(arguments.joined(separator: ", ")))"
        }
    }

    private func questions(_ call: String) -> [String] {
        [
            "SELECT \(call) AS v FROM _ WHERE b = 1 ORDER BY META().id",
            "SELECT [\(call)] AS v FROM _ WHERE b = 1 ORDER BY META().id",
            "SELECT type(\(call)) AS v FROM _ WHERE b = 1 ORDER BY META().id",
            "SELECT META().id FROM _ WHERE b = 1 AND \(call) ORDER BY META().id",
            "SELECT META().id FROM _ WHERE b = 1 AND NOT \(call) ORDER BY META().id",
            "SELECT \(call) AS v, \(call) = 'x' AS w FROM _ WHERE \(call) >= 0 ORDER BY META().id",
            "SELECT \(call) AS v FROM _ WHERE isboolean(\(call)) ORDER BY META().id",
        ]
    }

    private func answers(_ fixture: QueryFixture, _ call: String) -> [[String]] {
        questions(call).map { (try? fixture.rows($0)) ?? ["an error"] }
    }

    @Test("return the same with an index on the property, on the function, and on both")
    func everyFunction() throws {
        let (plain, indexed, functions) = (try fixture(), try fixture(), try fixture())
        try indexed.createIndex(.value("byB", on: "b, a"))
        #expect(Self.calls.count > 150)
        for (number, call) in Self.calls.enumerated() {
            try indexed.createIndex(.value("f\(number)", on: .sqlPlusPlus(call)))
            try functions.createIndex(.value("f\(number)", on: .sqlPlusPlus("b, " + call)))
            let expected = answers(plain, call)
            let (found, alone) = (answers(indexed, call), answers(functions, call))
            for (index, question) in questions(call).enumerated() {
                #expect(found[index] == expected[index], "\(question)")
                #expect(alone[index] == expected[index], "\(question)")
            }
            for fixture in [indexed, functions] {
                _ = try fixture.file.write {
                    try fixture.store.people.deleteIndex("f\(number)", in: $0)
                }
            }
        }
    }

    @Test("delete and change the documents that meet the condition, and no others")
    func changes() throws {
        for statement in [
            "DELETE FROM _ WHERE b = 1 AND NOT isboolean(a)",
            "UPDATE _ SET r = [a], t = type(a) WHERE b = 1 AND type(a) = 'boolean'",
        ] {
            let (plain, indexed) = (try fixture(), try fixture())
            try indexed.createIndex(.value("byB", on: "b, a"))
            try indexed.createIndex(.value("isBoolean", on: "isboolean(a)"))
            try indexed.createIndex(.value("byType", on: "type(a)"))
            let counts = try [plain, indexed].map { fixture in
                try fixture.file.write { try Query(statement).run(in: $0) }
            }
            #expect(counts[0] == counts[1], "\(statement)")
            let all = "SELECT META().id, * FROM _ ORDER BY META().id"
            #expect(try plain.rows(all) == indexed.rows(all), "\(statement)")
        }
    }

    @Test(
        "use their index even if the property is indexed, where types do not matter")
    func used() throws {
        let fixture = try fixture()
        try fixture.createIndex(.value("byA", on: "a"))
        for (number, call) in ["lower(a)", "length(a)", "isstring(a)", "date_part_str(a, 'year')"]
            .enumerated()
        {
            try fixture.createIndex(.value("f\(number)", on: .sqlPlusPlus(call)))
            let plan = try fixture.plan("SELECT META().id FROM _ WHERE \(call) = 'x'")
            #expect(plan.indexes == ["f\(number)"], "\(plan)")
        }
    }

    @Test("use their index where types matter, if no other index can serve")
    func typed() throws {
        let fixture = try fixture()
        let question = "SELECT META().id FROM _ WHERE tostring(a) = 'true' OR FALSE"
        let expected = try fixture.rows(question)
        try fixture.createIndex(.value("byA", on: "a"))
        try fixture.createIndex(.value("byText", on: "tostring(a)"))
        try fixture.createIndex(.value("byTextOfBoth", on: "b || a"))
        let plan = try fixture.plan("SELECT META().id FROM _ WHERE tostring(a) = 'true'")
        #expect(plan.indexes == ["byText"] && !plan.scansDocuments, "\(plan)")
        #expect(
            try fixture.rows("SELECT META().id FROM _ WHERE tostring(a) = 'true'") == expected)
        let both = "SELECT META().id FROM _ WHERE b || a = '1false'"
        #expect(try fixture.plan(both).indexes == ["byTextOfBoth"])
        #expect(try fixture.rows(both) == [#"{"id":"d1"}"#])
    }

    @Test(
        "treat a Boolean as 1 and a large integer as negative only where documented",
        arguments: QueryFunction.all.filter { $0.untypedArguments > 0 }.map(\.name))
    func blind(name: String) throws {
        let function = try #require(QueryFunction(named: name))
        let fixture = try QueryFunctionFixture()
        for place in 0..<function.untypedArguments {
            for count in function.arguments.lowerBound...min(function.arguments.upperBound, 4)
            where count > place {
                for (value, twin) in [("true", 1), ("false", 0), ("18446744073709551615", -1)] {
                    func answer(_ value: String) throws -> String {
                        let all = (0..<count).map { $0 == place ? value : "'a'" }
                        let call = "\(function.sqlName)(\(all.joined(separator: ", ")))"
                        return try fixture.message(call) ?? fixture.answer(call)
                    }
                    #expect(try answer("J('\(value)')") == answer("\(twin)"), "\(value)")
                }
            }
        }
    }

    @Test("of predictions keep their types if an index stores the predictions")
    func predictions() throws {
        let name = "answers by type"
        PredictiveModels.register(
            ClosureModel { input in
                guard let number = input["n"]?.int else { return nil }
                return ["flag": .bool(number % 2 == 0), "n": .int(number)]
            }, as: name)
        let fixture = try QueryFixture((0..<40).map { ("d\($0)", "{\"n\":\($0)}") })
        let flag = "PREDICTION('\(name)', {'n': n}, .flag)"
        let questions = [
            "SELECT \(flag) AS v FROM _ WHERE \(flag) = TRUE ORDER BY n",
            "SELECT [\(flag)] AS v, type(\(flag)) AS t FROM _ WHERE \(flag) = FALSE ORDER BY n",
            "SELECT n FROM _ WHERE isboolean(\(flag)) ORDER BY n",
        ]
        let before = try questions.map { try fixture.rows($0) }
        #expect(before[0].first == #"{"v":true}"#)
        try fixture.createIndex(.predictive("byFlag", on: .sqlPlusPlus(flag)))
        #expect(try questions.map { try fixture.rows($0) } == before)
        try fixture.createIndex(.value("byAnswer", on: .sqlPlusPlus(flag)))
        #expect(try questions.map { try fixture.rows($0) } == before)
    }

    @Test("are the same with an index that is not in the registry")
    func unregistered() throws {
        let fixture = try fixture()
        let questions = [
            "SELECT [a] AS v FROM _ WHERE b = 1 ORDER BY META().id",
            "SELECT META().id FROM _ WHERE b = 1 AND isboolean(a) ORDER BY META().id",
        ]
        let before = try questions.map { try fixture.rows($0) }
        try fixture.createIndex(.value("byB", on: "b, a"))
        try fixture.createIndex(.value("byBoolean", on: "isboolean(a)"))
        try fixture.store.sqlite().exec(sql: "DELETE FROM indexes WHERE name = 'byB'")
        #expect(try questions.map { try fixture.rows($0) } == before)
    }
}
