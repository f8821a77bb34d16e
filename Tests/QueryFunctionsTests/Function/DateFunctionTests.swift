import EngineTestSupport
import Testing

@Suite("Functions of dates")
struct DateFunctionTests {
    @Test("return the same as LiteCore and N1QL", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("millis_to_tz(1540319581000, 120)", #""2018-10-23T20:33:01+0200""#),
        Answer(
            "millis_to_tz(1540319581000, -90, '1111-11-11T11:11:11+11:11')",
            #""2018-10-23T17:03:01-01:30""#),
        Answer("millis_to_utc(1540319581123, '1111-11-11')", #""2018-10-23""#),
        Answer("millis_to_utc(1540319581123, '1111/11/11')", #""2018-10-23""#),
        Answer("millis_to_utc(1540319581123, '11:11:11.111')", #""18:33:01.123""#),
        Answer(
            "millis_to_utc(1540319581123, '1111-11-11 11:11:11Z')", #""2018-10-23 18:33:01.123Z""#),
        Answer(
            "millis_to_utc(1540319581123, '%Y-%m-%dT%H:%M:%S.%s%Ez')",
            #""2018-10-23T18:33:01.123Z""#),
        Answer("millis_to_utc(1540319581123, '%F %T')", #""2018-10-23 18:33:01""#),
        Answer("millis_to_utc(1540319581123, 'nonsense')", #""2018-10-23T18:33:01.123Z""#),
        Answer("str_to_millis('2018-10-23T18:33:01.123+02:00')", "1540312381123"),
        Answer("str_to_millis('2018-02-29')", "null"),
        Answer("str_to_utc('2018-10-23T18:33:01+0200')", #""2018-10-23T16:33:01Z""#),
        Answer("str_to_tz('2018-10-23T18:33:01Z', 60)", #""2018-10-23T19:33:01+0100""#),
        Answer("date_add_str('2018-01-31T00:00:00Z', 1, 'month')", #""2018-03-03T00:00:00Z""#),
        Answer("date_add_str('2018-01-31T00:00:00Z', -1, 'CENTURY')", #""1918-01-31T00:00:00Z""#),
        Answer("date_add_str('2018-10-23T00:00:00Z', -90, 'minute')", #""2018-10-22T22:30:00Z""#),
        Answer("date_add_str('2018-10-23', 1, 'fortnight')", "MISSING"),
        Answer("date_diff_str('2020-03-01', '2019-03-02', 'month')", "12"),
        Answer("date_diff_millis(1540319581000, 1540000000000, 'hour')", "89"),
        Answer(
            "date_range_str('2018-01-30T00:00:00Z', '2018-02-02T00:00:00Z', 'day')",
            #"["2018-01-30T00:00:00Z","2018-01-31T00:00:00Z","2018-02-01T00:00:00Z"]"#),
        Answer("date_range_millis(10, 0, 'millisecond', -4)", "[10,6,2]"),
        Answer("date_part_str('2018-10-23T18:33:01.5+02:00', 'timezone')", "7200"),
        Answer("date_part_str('2016-01-01', 'iso_week')", "53"),
        Answer("date_part_str('2016-01-01', 'dow')", "5"),
        Answer("date_part_millis(1540319581123, 'hour', 60)", "19"),
        Answer("date_trunc_str('2018-10-23T18:33:01Z', 'week')", #""2018-10-22T00:00:00Z""#),
        Answer("date_trunc_str('2018-10-23T18:33:01Z', 'quarter')", #""2018-10-01T00:00:00Z""#),
        Answer("date_trunc_millis(-1, 'day')", "-86400000"),
        Answer("weekday_str('2018-10-23')", #""Tuesday""#),
        Answer("weekday_millis(0)", #""Thursday""#),
        Answer("date_part_str('2018-10-23', 'millennium')", "3"),
        Answer("date_add_millis(9223372036854775807, 1, 'day')", "MISSING"),
        Answer("date_add_millis(0, 9223372036854775807, 'millennium')", "null"),
        Answer("date_add_millis(0, -9223372036854775808, 'day')", "null"),
        Answer("date_diff_str('2020-01-01', '2019-12-31', 'year')", "1"),
        Answer("date_diff_str('2020-01-01', '2019-12-31', 'quarter')", "1"),
        Answer("date_diff_str('2020-01-01T02:00:00Z', '2020-01-01T01:59:00Z', 'hour')", "1"),
        Answer("date_diff_str('2020-01-10', '2020-01-25', 'week')", "-2"),
        Answer("date_diff_str('2018-10-23', '2018-10-20', 'day')", "3"),
        Answer("weekday_millis(0, -60)", #""Wednesday""#),
        Answer("date_format_str('2018-10-23', '%Y')", #""2018""#),
        Answer("str_to_millis('bad')", "null"),
    ]
}
