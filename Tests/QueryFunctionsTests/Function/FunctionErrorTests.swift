import EngineTestSupport
import Testing

@Suite("Errors of functions")
struct FunctionErrorTests {
    @Test("fail with a message; no result exceeds a limit", arguments: answers)
    func failure(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().message(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer(
            "array_range(0, 1e12)",
            "an array of more than 1000000 elements"),
        Answer(
            "array_repeat('x', 1e9)",
            "an array of more than 1000000 elements"),
        Answer(
            "repeat('ab', 1e9)",
            "a result of more than 67108864 bytes"),
        Answer(
            "regexp_contains('a', '(')",
            "not a regular expression"),
        Answer(
            "date_range_millis(0, 8640000000000000, 'millisecond')",
            "an array of more than 1000000 elements"),
        Answer(
            "array_append(J('[1]'))",
            "array_append() needs at least 2 arguments"),
    ]

    @Test(
        "a regular expression that needs exponential time is stopped",
        arguments: ["(a+)+$", "(a|aa)+$", "(.*)*x"])
    func exponentialPattern(pattern: String) throws {
        let fixture = try QueryFunctionFixture()
        let text = String(repeating: "a", count: 200)
        let message = fixture.message("regexp_contains('\(text)b', '\(pattern)')")
        #expect(message == nil || message?.hasPrefix("the regular expression was stopped") == true)
        if pattern != "(.*)*x" { #expect(message != nil) }
        // The connection remains usable.
        #expect(try fixture.answer("regexp_like('abc', 'a.c')") == "true")
    }
}
