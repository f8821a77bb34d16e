import EngineTestSupport
import FleeceLite
import StoreFormat
import Testing
@testable import QueryLanguage

@Suite("Statements")
struct StatementTests {
    private func block(_ text: String) throws -> QueryBlock {
        guard case .select(let query) = try SQLPPParser.statement(text),
            case .block(let block) = query.body
        else { throw StoreError.invalidQuery("no block: \(text)") }
        return block
    }

    private func property(_ names: String...) -> QueryExpression {
        .property(PropertyPath(names.map { .key($0) }))
    }

    @Test("with the same meaning have the same tree in SQL++ and JSON")
    func pairs() throws {
        for pair in StatementPair.all {
            let statement = try SQLPPParser.statement(pair.text)
            let other = try QueryJSONReader.statement(pair.json)
            #expect(statement == other, "\(pair.text)")
            let (text, json) = (SQLPPWriter.text(statement), QueryJSONWriter.text(statement))
            #expect(try SQLPPParser.statement(text) == statement, "\(text)")
            #expect(try QueryJSONReader.statement(json) == statement, "\(json)")
        }
    }

    @Test("have the expected tree")
    func tree() throws {
        let block = try block(
            "SELECT DISTINCT a AS b FROM s.c x LET y = 1 WHERE a GROUP BY a HAVING b")
        var expected = QueryBlock(isDistinct: true)
        expected.results = [QueryResult(expression: property("a"), alias: "b")]
        expected.sources = [
            QuerySource(
                kind: .collection(QueryCollectionName(scope: "s", collection: "c")), alias: "x")
        ]
        expected.bindings = [QueryBinding(name: "y", expression: .literal(.integer(1)))]
        expected.condition = property("a")
        expected.groups = [property("a")]
        expected.groupCondition = property("b")
        #expect(block == expected)
    }

    @Test("combine queries from the left, INTERSECT before the others")
    func setOperators() throws {
        func body(_ number: Int64) -> QueryBody {
            let result = QueryResult(expression: .literal(.integer(number)))
            return .block(QueryBlock(results: [result]))
        }
        let statement = try SQLPPParser.statement(
            "SELECT 1 EXCEPT SELECT 2 INTERSECT SELECT 3 UNION ALL SELECT 4")
        #expect(
            statement
                == .select(
                    QuerySelect(
                        body: .compound(
                            .union, isAll: true,
                            .compound(
                                .except, isAll: false, body(1),
                                .compound(.intersect, isAll: false, body(2), body(3))), body(4)))))
    }

    @Test("accept words that are not keywords in LiteCore as names")
    func names() throws {
        let block = try block("SELECT filter, rows, set FROM _ WHERE with = 1")
        #expect(
            block.results.map(\.expression) == [
                property("filter"), property("rows"), property("set"),
            ])
        for word in SQLPPContextualKeyword.allCases.map(\.rawValue) {
            for text in [
                "SELECT \(word) FROM _", "SELECT a \(word) FROM _", "SELECT a, \(word) b FROM _",
                "SELECT a FROM \(word)", "SELECT a FROM _ \(word) WHERE \(word) = 1",
                "SELECT \(word).x, \(word)[0] FROM _ GROUP BY \(word) HAVING \(word) = \(word)",
                "SELECT a FROM _ \(word) JOIN _ b ON b.x = \(word).x ORDER BY \(word) DESC LIMIT 1",
                "SELECT a LIKE b \(word) FROM _", "SELECT count(*) \(word) FROM _",
                "SELECT a FROM _ UNNEST \(word) b", "SELECT a FROM _ WHERE (\(word)) = 1",
            ] {
                #expect(throws: Never.self) { try SQLPPParser.statement(text) }
            }
        }
        let aliased = try self.block("SELECT a LIKE b escape, exists foo FROM _ union")
        #expect(aliased.results.map(\.alias) == ["escape", "foo"])
        #expect(aliased.results[1].expression == property("exists"))
        #expect(aliased.sources[0].alias == "union")
    }

    @Test("accept parentheses around queries and expressions")
    func parentheses() throws {
        for (text, same) in [
            ("SELECT (((SELECT 1)))", "SELECT (SELECT 1)"),
            ("SELECT ((SELECT 1) + 2)", "SELECT (SELECT 1) + 2"),
            ("SELECT (((SELECT 1) UNION SELECT 2))", "SELECT (SELECT 1 UNION SELECT 2)"),
            ("SELECT ((SELECT 1) LIMIT 2)", "SELECT (SELECT 1 LIMIT 2)"),
            ("SELECT (((SELECT 1)) ORDER BY a)", "SELECT (SELECT 1 ORDER BY a)"),
            ("SELECT a IN ((SELECT 1), 2)", "SELECT a IN [(SELECT 1), 2]"),
            ("((SELECT 1) UNION (SELECT 2))", "SELECT 1 UNION SELECT 2"),
        ] {
            #expect(
                try SQLPPParser.statement(text) == SQLPPParser.statement(same),
                "\(text)")
        }
    }

    @Test("in JSON are rejected with missing or unknown keys")
    func refusedJSON() throws {
        for (json, reason) in [
            (#"{"SUM":1}"#, "has no key SUM"), (#"{"WHAT":1}"#, "must be an array"),
            (#"{"WHAT":[],"what":[]}"#, "WHAT twice"), (#"{"WHAT":[["AS"]]}"#, "AS needs"),
            (#"{"WHAT":[["AS",1,2]]}"#, "AS needs"), (#"{"DISTINCT":"1"}"#, "true or false"),
            (#"{"FROM":[1]}"#, "lists dictionaries"), (#"{"FROM":[{"X":1}]}"#, "has no key X"),
            (#"{"FROM":[{"SCOPE":"a"}]}"#, "no COLLECTION"),
            (#"{"FROM":[{"AS":1}]}"#, "must be a string"),
            (#"{"FROM":[{"JOIN":"LEFT"}]}"#, "since it is the first"),
            (#"{"FROM":[{"UNNEST":[".a"],"AS":"a"}]}"#, "since it is the first"),
            (#"{"FROM":[{},{"JOIN":"RIGHT"}]}"#, "cannot be RIGHT"),
            (#"{"FROM":[{},{"UNNEST":1}]}"#, "needs AS"),
            (#"{"FROM":[{},{"UNNEST":[".a"],"ON":1}]}"#, "cannot have ON"),
            (#"{"FROM":[{},{"UNNEST":[".a"],"JOIN":"CROSS"}]}"#, "cannot have CROSS"),
            (#"{"FROM":[{"SELECT":{},"COLLECTION":"a"}]}"#, "cannot have COLLECTION"),
            (#"{"SELECT":{},"WHAT":[1]}"#, "cannot have WHAT"), (#"{"SELECT":1}"#, "not a query"),
            (#"["SELECT"]"#, "dictionary of clauses"), (#"["UNION",{}]"#, "two queries"),
            (#"["UNION",{},1]"#, "not a query"), (#"["UNION SOME",{},{}]"#, "unknown operator"),
            (#"{"ORDER_BY":[["DESC"]]}"#, "number of arguments"),
            (#"{"LET":[["AS",1]]}"#, "LET lists"), (#"{"WITH":[{"AS":"a"}]}"#, "AS and SELECT"),
            (#"["UPDATE",{}]"#, "SET or UNSET"), (#"["UPDATE"]"#, "dictionary of clauses"),
            (#"["UPDATE",{"SET":[1]}]"#, "SET lists"),
            (#"["UPDATE",{"UNSET":["a"]}]"#, "SET and UNSET need a property"),
            (#"["UPDATE",{"UNSET":["."]}]"#, "SET and UNSET need a property"),
            (#"["UPDATE",{"UNSET":[".[0]"]}]"#, "SET and UNSET need a property"),
            (#"["DELETE",{"SET":[]}]"#, "has no key SET"), (#"["CALL",{}]"#, "a FUNCTION"),
            (#"["CALL",{"FUNCTION":"abs","DISTINCT":true}]"#, "not an aggregate"),
            (#"["CALL",{"FUNCTION":"abs","OVER":{}}]"#, "not a window function"),
            (#"["CALL",{"FUNCTION":"sum","DISTINCT":true,"OVER":{}}]"#, "both DISTINCT and OVER"),
            (#"["CALL",{"FUNCTION":"sum","OVER":{"FRAME":{"UNIT":"ROWS"}}}]"#, "START"),
            (
                #"["CALL",{"FUNCTION":"sum","OVER":{"FRAME":{"UNIT":"ROWS","START":[1]}}}]"#,
                "frame bound"
            ),
            (#"["row_number()"]"#, "needs the OVER of a CALL"), ("[]", "operation is missing"),
            ("[1]", "must be a string"), ("{", "invalid JSON"),
        ] {
            let error = storeError(.invalidQuery) { _ = try QueryJSONReader.statement(json) }
            #expect(error?.message.contains(reason) == true, "\(json): \(error?.message ?? "")")
        }
    }
}
