import EngineTestSupport
import Testing

@Suite("Regular expressions")
struct PatternFunctionTests {
    @Test("find, match and replace", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("regexp_contains('abc123', '[0-9]+')", "true"),
        Answer("regexp_like('abc1', '[a-z]+')", "false"),
        Answer("regexp_position('añ1', '[0-9]')", "2"),
        Answer("regexp_replace('aXbXc', '(X)', '<$1$$$&>')", #""a<X$X>b<X$X>c""#),
        Answer("regexp_replace('abc', '', '-')", #""-a-b-c-""#),
        Answer("regexp_replace('aXbXc', 'X', '-', 1)", #""a-bXc""#),
        Answer("regexp_like('abc', 'a.c')", "true"),
        Answer("regexp_position('abc', 'x')", "-1"),
        Answer("regexp_contains(5, 'x')", "null"),
        Answer("regexp_contains(NULL, 'x')", "MISSING"),
        Answer("regexp_replace('aXbXc', 'X', '-')", #""a-b-c""#),
    ]
}
