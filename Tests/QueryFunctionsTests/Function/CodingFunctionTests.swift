import EngineTestSupport
import Testing

@Suite("JSON, base64 and tokens")
struct CodingFunctionTests {
    @Test("make round trips", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer(
            #"tokens(J('{"x":"Hello, world hello","y":[1,1,true,"two words"]}'))"#,
            #"["x","y","Hello","world","hello","two","words",1,true]"#),
        Answer(#"tokens('Ab ab', J('{"case":"lower"}'))"#, #"["ab"]"#),
        Answer("base64_encode('abc')", #""YWJj""#),
        Answer("base64_decode('YWJj')", #""abc""#),
        Answer("base64_decode('YQ')", "null"),
        Answer("base64_encode(J('[1]'))", #""WzFd""#),
        Answer("decode_json('')", "MISSING"),
        Answer(#"decode_json('{"a"')"#, "null"),
        Answer("decode_json('1],[2')", "null"),
        Answer("decode_json('1,2')", "null"),
        Answer(#"decode_json(' "x" ')"#, #""x""#),
        Answer("encode_json(J('[1,null,true]'))", #""[1,null,true]""#),
        Answer("encode_json(NULL)", "MISSING"),
        Answer("base64_decode('/w==')", #""/w==""#),
    ]
}
