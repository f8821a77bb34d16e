import QueryLanguage
import StoreFormat
import Testing

@Suite("The types of an expression's values")
struct QueryTyperTests {
    @Test(
        "follow from its form",
        arguments: [
            ("1", "number"), ("1.5", "number"), ("'x'", "string"), ("TRUE", "boolean"),
            ("NULL", "null"), ("MISSING", "missing"), ("[1]", "collection"),
            ("{'a': 1}", "collection"), ("age", "any"), ("$x", "any"),
            ("$plain", "number or string"), ("$flag", "boolean"), ("$large", "unsigned"),
            ("age + 1", "number or null or missing"), ("a || b", "string or null or missing"),
            ("a = 1", "boolean or null or missing"), ("a IS NULL", "boolean"),
            ("a IS VALUED", "boolean"), ("META().id", "string or missing"),
            ("META().sequence", "number or missing"), ("META().deleted", "boolean or missing"),
            ("upper(a)", "number or string or null or missing"), ("ifmissing(a, b)", "any"),
            ("isarray(a)", "boolean or null or missing"),
            ("ANY x IN a SATISFIES x = 1 END", "boolean or null or missing"),
            ("COUNT(*)", "number or string or null or missing"), ("MIN(a)", "any"),
            ("a COLLATE NOCASE", "any"), ("CASE WHEN a THEN 1 END", "any"), ("n", "number"),
        ])
    func types(text: String, type: String) throws {
        let query = "SELECT \(text) AS value FROM people LET n = 7"
        guard case .select(let select) = try SQLPPParser.statement(query) else {
            Issue.record("not a query: \(query)")
            return
        }
        var parameters = ParameterTypes()
        parameters.plain = ["plain"]
        parameters.forms = ["flag": .boolean, "large": .unsigned]
        let typed = QueryTyper(parameters).type(
            try QueryResolver.resolve(select, PlanCatalog()))
        guard case .block(let block) = typed.body else {
            Issue.record("not a single SELECT: \(query)")
            return
        }
        #expect(block.results[0].expression.type.text == type)
    }
}
