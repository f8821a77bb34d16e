import EngineTestSupport
import Testing

@Suite("Functions of numbers")
struct MathsFunctionTests {
    @Test("return doubles, and null for other values", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("round(2.345, 2)", "2.35"),
        Answer("round_even(2.345, 2)", "2.35"),
        Answer("round_even(2.5)", "2.0"),
        Answer("trunc(3.999, 1)", "3.9"),
        Answer("round(1234.5, -2)", "1200.0"),
        Answer("round(1e300, 300)", "1e+300"),
        Answer("idiv(-7, 2)", "-3"),
        Answer("idiv(-9223372036854775808, -1)", "9.223372036854776e+18"),
        Answer("div(5, 15)", "0.3333333333333333"),
        Answer("idiv(5, 15)", "0"),
        Answer("sqrt(-1)", "null"),
        Answer("acos(2)", "null"),
        Answer("ln(0)", "null"),
        Answer("sign(-2.5)", "-1"),
        Answer("sign('x')", "null"),
        Answer("atan2('x', 1)", "null"),
        Answer("power(2, 'x')", "null"),
        Answer("power(2, 10)", "1024.0"),
        Answer("div(1, 0)", "null"),
        Answer("idiv(1, 0)", "null"),
        Answer("abs('x')", "null"),
        Answer("round('x')", "null"),
        Answer("pi()", "3.141592653589793"),
        Answer("e()", "2.718281828459045"),
        Answer("N1QL_random(5) = N1QL_random(5)", "1"),
        Answer("N1QL_random() < 1", "1"),
        Answer("acos(0.5)", "1.0471975511965979"),
        Answer("asin(0.5)", "0.5235987755982989"),
        Answer("atan(1)", "0.7853981633974483"),
        Answer("atan2(1, 2)", "0.4636476090008061"),
        Answer("ceil(-2.5)", "-2.0"),
        Answer("cos(1)", "0.5403023058681398"),
        Answer("degrees(1)", "57.29577951308232"),
        Answer("exp(0)", "1.0"),
        Answer("floor(-2.5)", "-3.0"),
        Answer("ln(3.7)", "1.308332819650179"),
        Answer("log(100)", "2.0"),
        Answer("radians(1)", "0.017453292519943295"),
        Answer("sin(1)", "0.8414709848078965"),
        Answer("sqrt(2.5)", "1.5811388300841898"),
        Answer("tan(-2.5)", "0.7470222972386603"),
        Answer("abs(-1)", "1.0"),
        Answer("round(-2.5)", "-3.0"),
        Answer("round_even(3.5)", "4.0"),
        Answer("trunc(-2.5)", "-2.0"),
    ]
}
