import EngineTestSupport
import Testing

@Suite("Functions of strings")
struct StringFunctionTests {
    @Test("count code points, and map letters as Unicode does", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("N1QL_lower('ÄÖß İ ABC')", #""äöß i̇ abc""#),
        Answer("N1QL_upper('straße ﬁ')", #""STRASSE FI""#),
        Answer("title('hello wORLD don''t 1st ñandú')", #""Hello World Don't 1st Ñandú""#),
        Answer(#"N1QL_trim('  \#tx ')"#, #""x""#),
        Answer("N1QL_trim('xxaxx', 'x')", #""a""#),
        Answer("N1QL_ltrim('xyaxy', 'yx')", #""axy""#),
        Answer("N1QL_rtrim('éaé', 'é')", #""éa""#),
        Answer("N1QL_length('añ日😀')", "4"),
        Answer("position('añ日x', 'x')", "3"),
        Answer("position('aab', 'ab')", "1"),
        Answer("N1QL_substr('añ日😀', 1, 2)", #""ñ日""#),
        Answer("N1QL_substr('añ日😀', -2)", #""日😀""#),
        Answer("N1QL_substr('abc', 3)", "null"),
        Answer("N1QL_replace('aXbXc', 'X', '-', 1)", #""a-bXc""#),
        Answer("N1QL_replace('aaa', 'a', 'aa')", #""aaaaaa""#),
        Answer("repeat('ab', 3)", #""ababab""#),
        Answer("reverse('añ日')", #""日ña""#),
        Answer("split(' a b  c ')", #"["a","b","c"]"#),
        Answer("split('a,b,,c', ',')", #"["a","b","","c"]"#),
        Answer("suffixes('añb')", #"["añb","ñb","b"]"#),
        Answer(
            "concat('a', J('null'), J('true'), 1.0, J('[1]'), 1e100)",
            #""anulltrue1.0[1]1.0e+100""#),
        Answer("concat('a', NULL)", "MISSING"),
        Answer("concat()", #""""#),
        Answer("initcap('ab CD')", #""Ab Cd""#),
        Answer("N1QL_trim('  x 　')", #""  x""#),
        Answer("N1QL_length(5)", "null"),
        Answer("N1QL_upper(NULL)", "MISSING"),
    ]
}
