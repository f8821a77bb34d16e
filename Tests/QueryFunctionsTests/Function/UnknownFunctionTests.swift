import EngineTestSupport
import Testing

@Suite("Functions of missing values")
struct UnknownFunctionTests {
    @Test("choose between values", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("posinfif(1, 1)", "null"),
        Answer("posinfif(1, 1) > 1e308", "1"),
        Answer("neginfif(1, 1) < -1e308", "1"),
        Answer("ifinf(NULL, 1e999, 5)", "5"),
        Answer("ifnan(1e999, 5) > 1e308", "1"),
        Answer("ifnanorinf(J('null'), 5)", "null"),
        Answer("nanif(1, 1)", "null"),
        Answer("N1QL_ifnull(J('null'), NULL, 3)", "MISSING"),
        Answer("N1QL_ifnull(J('null'), J('null'))", "null"),
        Answer("ifmissingornull(J('null'), NULL, 3)", "3"),
        Answer("missingif(1, 1)", "MISSING"),
        Answer("missingif(1, 2)", "1"),
        Answer("N1QL_nullif(1, 1)", "null"),
        Answer("N1QL_nullif(1, 2)", "1"),
        Answer("N1QL_nullif(J('true'), 1)", "true"),
    ]
}
