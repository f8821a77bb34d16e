import EngineTestSupport
import Testing

@Suite("Types and conversions")
struct TypeFunctionTests {
    @Test("distinguish null and missing from values", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("tonumber('3.5abc')", "3.5"),
        Answer("tonumber(' -.5e1x')", "-5.0"),
        Answer("toatom(J('[[7]]'))", "7"),
        Answer("toboolean(J('[]'))", "false"),
        Answer("tostring(J('[1]'))", "null"),
        Answer("tostring(1.0)", #""1.0""#),
        Answer("isarray(J('[]'))", "true"),
        Answer("isatom('x')", "true"),
        Answer("isatom(J('[1]'))", "false"),
        Answer("isboolean(J('false'))", "true"),
        Answer("isboolean(1)", "false"),
        Answer("isnumber(1)", "true"),
        Answer("isnumber(J('true'))", "false"),
        Answer("isobject(J('{}'))", "true"),
        Answer("isstring('')", "true"),
        Answer("isvalued(NULL)", "false"),
        Answer("isvalued(J('null'))", "false"),
        Answer("isarray(J('null'))", "null"),
        Answer("isarray(NULL)", "MISSING"),
        Answer("type(J('null'))", "null"),
        Answer("type(J('true'))", #""boolean""#),
        Answer("type(1)", #""number""#),
        Answer("type('')", #""string""#),
        Answer("type(J('[]'))", #""array""#),
        Answer("type(J('{}'))", #""object""#),
        Answer("type(base64_decode('/w=='))", #""binary""#),
        Answer("toarray(J('true'))", "[true]"),
        Answer("toarray(J('null'))", "null"),
        Answer("toobject(5)", "{}"),
        Answer("toboolean('')", "false"),
        Answer("toboolean(0)", "false"),
        Answer("toboolean('x')", "true"),
        Answer("tonumber('x')", "0.0"),
        Answer("tonumber(J('true'))", "1"),
        Answer("tonumber(J('[1]'))", "null"),
        Answer("tostring(J('true'))", #""true""#),
        Answer("toatom(J('[1,2]'))", "null"),
        Answer(#"toatom(J('{"a":1}'))"#, "1"),
    ]
}
