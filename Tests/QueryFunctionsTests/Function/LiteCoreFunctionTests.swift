import EngineTestSupport
import Testing

/// The results of LiteCore 3.2.4, except where `docs/query.md` differs.
@Suite("Functions as LiteCore computes them")
struct LiteCoreFunctionTests {
    @Test("return the same", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = numbers + arrays + formats + dates + sums

    private static let numbers = [
        Answer("idiv(7.5, 2)", "3"), Answer("idiv(7, 2.5)", "3"), Answer("idiv(-7.9, 2)", "-3"),
        Answer("idiv(1, 0.5)", "null"), Answer("idiv(7, J('true'))", "7"),
        Answer("idiv(1e30, 2)", "4611686018427387903"), Answer("idiv(7, 1e30)", "0"),
        Answer("abs(J('true'))", "1.0"), Answer("sqrt(J('false'))", "0.0"),
        Answer("sign(J('true'))", "1"), Answer("power(2, J('true'))", "2.0"),
        Answer("round(J('true'))", "1.0"), Answer("isnumber(J('true'))", "false"),
    ]

    private static let arrays = [
        Answer("array_sum(J('[true,true,false]'))", "2.0"),
        Answer("array_avg(J('[true,false]'))", "0.5"),
        Answer("array_avg(J('[1,true,4]'))", "2.0"),
        Answer("array_min(J('[5,true]'))", "1.0"), Answer("array_max(J('[true,0]'))", "1.0"),
        Answer("array_max(NULL)", "null"), Answer("array_ifnull(NULL)", "null"),
        Answer("array_contains(J('null'), 1)", "null"), Answer("array_contains(5, 5)", "null"),
        Answer("array_contains('x', 'x')", "null"), Answer("array_contains(5, NULL)", "null"),
        Answer("array_contains(NULL, 1)", "MISSING"),
        Answer("array_contains(J('[1]'), NULL)", "MISSING"),
    ]

    private static let formats = [
        Answer(
            "millis_to_utc(1540319581000, '%Y-%m-%dT%H:%M:%S.%s%z')", #""2018-10-23T18:33:01Z""#),
        Answer(
            "millis_to_utc(1540319581123, '%Y-%m-%dT%H:%M:%S%s%z')",
            #""2018-10-23T18:33:01.123Z""#),
        Answer("millis_to_tz(1540319581000, 90, '%FT%T.%s%z')", #""2018-10-23T20:03:01+0130""#),
        Answer("millis_to_tz(1540319581000, 90, '%FT%T%Ez')", #""2018-10-23T20:03:01+01:30""#),
        Answer("millis_to_utc(1540319581123, '11:11')", #""18:33:01.123""#),
        Answer("millis_to_utc(1540319581000, '11:11')", #""18:33:01""#),
        Answer("millis_to_utc(1540319581123, '11:11:11')", #""18:33:01.123""#),
        Answer("millis_to_utc(1540319581123, '1111-11-11T11:11')", #""2018-10-23T18:33:01.123""#),
        Answer("millis_to_utc(1540319581000, '11:11:11.111')", #""18:33:01""#),
        Answer("millis_to_utc(1540319581123, '1111-11-11Z')", #""2018-10-23T18:33:01.123Z""#),
        Answer("millis_to_tz(1540319581000, -420, '11:11:11Z')", #""11:33:01-0700""#),
        Answer("millis_to_utc(0, NULL)", #""1970-01-01T00:00:00Z""#),
        Answer("millis_to_utc(0, J('null'))", #""1970-01-01T00:00:00Z""#),
        Answer("millis_to_utc(NULL)", "null"), Answer("millis_to_tz(0, NULL)", "null"),
        Answer("millis_to_utc(J('true'))", #""1970-01-01T00:00:00.001Z""#),
        Answer("millis_to_tz(0, 2.7)", #""1970-01-01T00:02:00+0002""#),
    ]

    private static let dates = [
        Answer("str_to_utc('2018-10-23T18:33Z')", #""2018-10-23T18:33:00Z""#),
        Answer("str_to_utc('2018-10-23 18:33+0200')", #""2018-10-23T16:33:00Z""#),
        Answer("str_to_utc('2018-10-23T18:33:01 +02:00')", #""2018-10-23T16:33:01Z""#),
        Answer("str_to_utc('2018-10-23T18:33:01 Z')", #""2018-10-23T18:33:01Z""#),
        Answer("str_to_utc('2018-10-23T18:33:01z ')", #""2018-10-23T18:33:01Z""#),
        Answer("str_to_utc('2018-10-23  18:33:01Z')", #""2018-10-23T18:33:01Z""#),
        Answer("str_to_utc('2018-10-23TT18:33:01Z')", #""2018-10-23T18:33:01Z""#),
        Answer("str_to_utc('2018-10-23t18:33:01Z')", "null"),
        Answer("str_to_utc('2018-10-23T18:33:01+14:59')", #""2018-10-23T03:34:01Z""#),
        Answer("str_to_utc('2018-10-23T18:33:01+15:00')", "null"),
        Answer("str_to_utc('2018-10-23T18:33:01+02')", "null"),
        Answer("str_to_utc('2018-10-23T24:30:00Z')", #""2018-10-24T00:30:00Z""#),
        Answer("str_to_millis('2018-10-23T18:33:01.9999Z')", "1540319582000"),
        Answer("str_to_millis('2018-10-23T18:33:01.0005Z')", "1540319581001"),
        Answer("str_to_millis('2018-10-23T18:33:01.12345678Z')", "1540319581123"),
        Answer("str_to_millis('2018-10-23T18:33:01.Z')", "null"),
        Answer("str_to_utc('18:33:01Z')", #""2000-01-01T18:33:01Z""#),
        Answer("str_to_utc('18:33:01.5+01:00')", #""2000-01-01T17:33:01.500Z""#),
        Answer("str_to_tz('18:33Z', 90)", #""2000-01-01T20:03:00+0130""#),
        Answer("str_to_millis('18:33:01Z')", "null"), Answer("str_to_millis(NULL)", "null"),
        Answer("str_to_utc(NULL)", "null"), Answer("str_to_tz('2018-10-23', NULL)", "null"),
    ]

    private static let sums = [
        Answer("date_add_str('bad', 1, 'day')", "MISSING"),
        Answer("date_add_str(J('null'), 1, 'day')", "MISSING"),
        Answer("date_add_millis(0, '1', 'day')", "MISSING"),
        Answer("date_add_millis(J('true'), 1.9, 'day')", "86400001"),
        Answer("date_diff_str('bad', '2018-10-23', 'day')", "MISSING"),
        Answer("date_diff_str('2018-10-23', '2018-10-22', 'x')", "MISSING"),
        Answer("date_diff_millis('x', 1, 'day')", "MISSING"),
        Answer("date_diff_millis(0, -1, 'year')", "1"),
        Answer("date_diff_str('2018-10-23T10:59:59Z', '2018-10-23T11:00:00Z', 'hour')", "-1"),
        Answer("date_add_str('2018-10-23T10:00+01:00', 1, 'day')", #""2018-10-24T10:00:00+0100""#),
        // Instants, in any zone.
        Answer("date_diff_str('2018-10-23T18:33:01-07:00', '2018-10-23T18:33:01Z', 'hour')", "7"),
    ]
}
