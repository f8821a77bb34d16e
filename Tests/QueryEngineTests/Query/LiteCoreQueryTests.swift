import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import StoreFormat
import StoreTestSupport
import Testing
@testable import QueryLanguage

/// Queries in forms that LiteCore takes, with the rows that it gives.
@Suite("Queries that LiteCore accepts")
struct LiteCoreQueryTests {
    private func fixture() throws -> QueryFixture {
        let fixture = try QueryFixture([
            (
                "a",
                #"""
                {"age":1,"s":"héllo","$Type":"T","obj":{"k":1,"$oid":"O"},"main":{"x":1},
                "list":[1,2],"paths":[{"city":"A","$oid":"1","n":[1,2]},{"city":"B","n":[3]}]}
                """#
            ),
            ("b", #"{"age":2,"s":"HELLO","identifier":"i2","list":5}"#),
            ("c", #"{"age":2,"s":"hello","identifier":"i1","list":{"x":1}}"#),
        ])
        try fixture.file.write { transaction in
            let others = [
                ("small.nested", "p1", 1), ("small.nested", "p2", 2), ("nested", "q", 10),
            ]
            for (collection, id, number) in others {
                let collection = DocumentCollection(try CollectionName(collection))
                try collection.create(in: transaction)
                _ = try collection.save(id, in: transaction) {
                    try $0.writeJSON(#"{"v":\#(number)}"#)
                }
            }
        }
        return fixture
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let query: String
        let rows: [String]

        init(_ query: String, _ rows: String...) {
            self.query = query
            self.rows = rows
        }

        var testDescription: String { query }
    }

    @Test("in JSON", arguments: jsonCases)
    func json(_ known: Case) throws {
        let fixture = try fixture()
        let query = try Query(json: known.query)
        #expect(try fixture.rows(query) == known.rows)
        #expect(try fixture.rows(Query(json: query.json)) == known.rows, "\(query.json)")
        #expect(try fixture.rows(Query(query.sqlPlusPlus)) == known.rows, "\(query.sqlPlusPlus)")
    }

    private static let jsonCases = [
        Case(#"{"WHAT":[["_.",["meta()"],".id"]],"LIMIT":1}"#, #"{"id":"a"}"#),
        Case(
            #"{"WHAT":[["_.",["META()","_doc"],".id"]],"FROM":[{"AS":"_doc"}],"LIMIT":1}"#,
            #"{"id":"a"}"#),
        Case(#"{"WHAT":[["AS",["_.",[".obj"],".$oid"],"r"]],"LIMIT":1}"#, #"{"r":"O"}"#),
        Case(#"{"WHAT":[["AS",["_..k",[".obj"]],"r"]],"LIMIT":1}"#, #"{"r":1}"#),
        Case(#"{"WHAT":[["AS",["_.",[".list"],".[0]"],"r"]],"LIMIT":1}"#, #"{"r":1}"#),
        Case(#"{"WHAT":[["AS",["_.",[".main"],"."],"r"]],"LIMIT":1}"#, #"{"r":{"x":1}}"#),
        Case(#"{"WHAT":[[".$Type"]],"LIMIT":1}"#, #"{"$Type":"T"}"#),
        Case(#"{"WHAT":[".$Type"],"LIMIT":1}"#, #"{"$Type":"T"}"#),
        Case(#"{"WHAT":[[".main."]],"LIMIT":1}"#, #"{"main":{"x":1}}"#),
        Case(#"{"WHAT":[[".main.age"]],"FROM":[{"AS":"main"}],"LIMIT":1}"#, #"{"age":1}"#),
        Case(
            #"{"WHAT":[["AS",["array_length()",["_.",[".main."],".list"]],"r"]],"#
                + #""FROM":[{"AS":"main"}],"LIMIT":1}"#, #"{"r":2}"#),
        Case(
            #"{"WHAT":["._id"],"WHERE":["ANY","a",[".paths"],["=",["?a.$oid"],"1"]]}"#,
            #"{"id":"a"}"#),
        Case(
            #"{"WHAT":["._id"],"WHERE":["ANY","p",[".paths"],["=",["?p","city"],"B"]]}"#,
            #"{"id":"a"}"#),
        Case(
            #"{"WHAT":["._id"],"WHERE":["ANY","p",[".paths"],["=",["?p","n",[0]],3]]}"#,
            #"{"id":"a"}"#),
        Case(
            #"{"WHAT":["._id"],"WHERE":["ANY","p",[".paths"],["=",["?.p.city"],"B"]]}"#,
            #"{"id":"a"}"#),
        Case(
            #"{"WHAT":[[".foo\\.bar.age"]],"FROM":[{"AS":"foo\\.bar"}],"LIMIT":1}"#,
            #"{"age":1}"#),
        Case(#"{"WHAT":[[".foo.bar.age"]],"FROM":[{"AS":"foo.bar"}],"LIMIT":1}"#, #"{"age":1}"#),
        Case(#"{"WHAT":[["COUNT()"]]}"#, #"{"$1":3}"#),
        Case(
            #"{"WHAT":[["COUNT()"]],"GROUP_BY":[".identifier"]}"#,
            #"{"$1":1}"#, #"{"$1":1}"#, #"{"$1":1}"#),
        Case(
            #"{"WHAT":[["COUNT()"]],"GROUP_BY":["age"],"ORDER_BY":["age"]}"#,
            #"{"$1":1}"#, #"{"$1":2}"#),
        Case(
            #"{"WHAT":["._id"],"ORDER_BY":[["DESC",[".age"]],".identifier"]}"#,
            #"{"id":"c"}"#, #"{"id":"b"}"#, #"{"id":"a"}"#),
        Case(#"{"WHAT":["age",["AS",".age","t"]],"LIMIT":1}"#, #"{"age":1,"t":".age"}"#),
        Case(#"{"WHAT":["._id"],"DISTINCT":1,"WHERE":["=",["._id"],"a"]}"#, #"{"id":"a"}"#),
        Case(
            #"{"WHAT":[".a.v",".b.v"],"FROM":[{"COLLECTION":"small.nested","AS":"a"},"#
                + #"{"AS":"b","ON":["=",[".a.v"],[".b.v"]]}],"ORDER_BY":[[".a.v"]]}"#,
            #"{"v":1,"v #2":1}"#, #"{"v":2,"v #2":2}"#),
        Case(
            #"{"WHAT":[["COUNT()"]],"FROM":[{"COLLECTION":"nested","SCOPE":"small","AS":"a"},"#
                + #"{"AS":"b","JOIN":"CROSS"}]}"#, #"{"$1":4}"#),
        Case(
            #"{"WHAT":[["."]],"FROM":[{"COLLECTION":"nested","SCOPE":"small"}],"#
                + #""ORDER_BY":[[".v"]],"LIMIT":1}"#, #"{"nested":{"v":1}}"#),
        Case(
            #"{"WHAT":["._id"],"WHERE":["COLLATE",{"CASE":false},"#
                + #"["contains()",[".s"],"ELL"]],"ORDER_BY":["._id"]}"#,
            #"{"id":"b"}"#, #"{"id":"c"}"#),
    ]

    @Test("in SQL++", arguments: textCases)
    func text(_ known: Case) throws {
        let fixture = try fixture()
        let query = try Query(known.query)
        #expect(try fixture.rows(query) == known.rows)
        #expect(try fixture.rows(Query(query.sqlPlusPlus)) == known.rows, "\(query.sqlPlusPlus)")
        #expect(try fixture.rows(Query(json: query.json)) == known.rows, "\(query.json)")
    }

    private static let textCases = [
        Case("SELECT * FROM small.nested ORDER BY v LIMIT 1", #"{"nested":{"v":1}}"#),
        Case("SELECT * FROM _default._default LIMIT 0"),
        Case(
            "SELECT small.nested.v, nested.v FROM small.nested JOIN nested ON "
                + "small.nested.v != nested.v ORDER BY 1", #"{"v":1,"v #2":10}"#,
            #"{"v":2,"v #2":10}"#),
        Case(
            "SELECT META(nested).id AS n, META(small.nested).id AS s FROM nested JOIN "
                + "small.nested ORDER BY s", #"{"n":"q","s":"p1"}"#, #"{"n":"q","s":"p2"}"#),
        Case(
            "SELECT * FROM small.nested JOIN nested ORDER BY small.nested.v LIMIT 1",
            #"{"small.nested":{"v":1}}"#),
        Case("SELECT * FROM nested AS a JOIN small.nested AS b LIMIT 1", #"{"a":{"v":10}}"#),
        Case("SELECT COUNT() AS n FROM small.nested", #"{"n":2}"#),
        Case(
            "SELECT contains(125, 2) AS a, contains(5, 'x') AS b, contains(['x'], 'x') AS c, "
                + "contains(NULL, 'x') AS d, contains(NULL, MISSING) AS e FROM nested",
            #"{"a":true,"b":false,"c":false,"d":null}"#),
        Case(
            "SELECT META().id FROM _ WHERE contains(s, 'ELL') COLLATE NOCASE ORDER BY 1",
            #"{"id":"b"}"#, #"{"id":"c"}"#),
        Case(
            "SELECT META().id FROM _ WHERE contains(s, 'ELL') COLLATE (UNICODE NOCASE NODIAC) "
                + "ORDER BY 1", #"{"id":"a"}"#, #"{"id":"b"}"#, #"{"id":"c"}"#),
        Case("SELECT META().id FROM _ WHERE age = 2 AND NOT contains(s, 'ELL') COLLATE NOCASE"),
        Case(
            "SELECT contains(s, 'ELL') COLLATE NOCASE AS r FROM _ ORDER BY META().id LIMIT 2",
            #"{"r":false}"#, #"{"r":true}"#),
        Case(
            "SELECT (s = 'HELLO') COLLATE (UNICODE NOCASE) AS r FROM _ ORDER BY META().id",
            #"{"r":false}"#, #"{"r":true}"#, #"{"r":true}"#),
        Case("SELECT META().id FROM _ WHERE array_contains(list, 1)", #"{"id":"a"}"#),
        Case(
            "SELECT array_contains(list, 1) AS r FROM _ ORDER BY META().id",
            #"{"r":true}"#, #"{"r":null}"#, #"{"r":null}"#),
    ]

    @Test("the database's name is the default collection, unless a collection has that name")
    func databaseName() throws {
        let fixture = try fixture()
        let query = "SELECT test.age FROM test WHERE META(test).id = 'b'"
        #expect(try fixture.rows(query) == [#"{"age":2}"#])
        let update = try Query("UPDATE test SET age = 3 WHERE META().id = 'b'")
        #expect(try fixture.file.write { try update.run(in: $0) } == 1)
        #expect(try fixture.rows("SELECT age FROM _ WHERE META().id = 'b'") == [#"{"age":3}"#])
        for name in ["TEST", "testx", "_default.test"] {
            #expect(throws: StoreError.self) { try fixture.rows("SELECT 1 FROM \(name)") }
        }
        try fixture.file.write { try DocumentCollection(try CollectionName("test")).create(in: $0) }
        #expect(try fixture.rows("SELECT age FROM test") == [])
    }

    @Test(
        "words after COLLATE without parentheses are not an alias",
        arguments: [
            "SELECT (s = 'x') COLLATE UNICODE NOCASE FROM _",
            "SELECT s FROM _ ORDER BY s COLLATE NOCASE NODIAC",
            "SELECT s COLLATE UNICODE:sv NOCASE AS t FROM _",
            "SELECT s COLLATE NOCASE CASE FROM _",
        ])
    func collationWords(text: String) throws {
        let error = #expect(throws: StoreError.self) { try Query(text) }
        #expect(error?.message.contains("COLLATE (UNICODE NOCASE)") == true)
    }

    @Test("a model is named directly; a property that contains the name is in parentheses")
    func model() throws {
        let named = QueryExpression.prediction(
            model: .string("m"), input: .dictionary([]), property: nil)
        for text in ["PREDICTION(m, {})", "PREDICTION('m', {})", "PREDICTION(`m`, {})"] {
            #expect(try SQLPPParser.condition(text) == named)
        }
        let held = QueryExpression.prediction(
            model: .named("m"), input: .dictionary([]), property: nil)
        #expect(try SQLPPParser.condition("PREDICTION((m), {})") == held)
        for expression in [named, held] {
            let text = SQLPPWriter.text(expression)
            #expect(try SQLPPParser.condition(text) == expression, "\(text)")
        }
    }

    @Test("UNNEST is written without the name of its join")
    func unnest() throws {
        let query = try Query("SELECT p.city FROM _ AS d UNNEST d.paths AS p")
        #expect(query.json.contains(#"{"UNNEST":[".d.paths"],"AS":"p"}"#), "\(query.json)")
        let left = try Query("SELECT p.city FROM _ AS d LEFT UNNEST d.paths AS p")
        #expect(left.json.contains(#""JOIN":"LEFT OUTER""#))
    }
}
