import EngineTestSupport
import StoreFormat
internal import StorePlatform
import Testing

@Suite("Dates in the machine's zone")
struct LocalDateTests {
    @Test("are the same instant after a round trip, in any zone")
    func roundTrip() throws {
        let fixture = try QueryFunctionFixture()
        for timestamp in ["0", "1540319581123", "1561939200000", "-86400000"] {
            let text = "millis_to_str(\(timestamp))"
            #expect(try fixture.answer("str_to_millis(\(text))") == timestamp)
            #expect(try fixture.answer("str_to_utc(\(text)) = millis_to_utc(\(timestamp))") == "1")
        }
    }

    @Test("a string without a zone is read in the machine's zone")
    func withoutZone() throws {
        let fixture = try QueryFunctionFixture()
        let timestamp = "str_to_millis('2018-10-23 18:33')"
        let format = "'1111-11-11 11:11'"
        #expect(
            try fixture.answer("millis_to_str(\(timestamp), \(format))")
                == #""2018-10-23 18:33:00""#)
        #expect(LocalZone.minutes(atUTC: 0).magnitude <= 1440)
    }

    @Test("the clock returns UTC as a valid date")
    func clock() throws {
        let fixture = try QueryFunctionFixture()
        #expect(try fixture.answer("now_millis() - str_to_millis(clock_utc()) < 60000") == "1")
        #expect(try fixture.answer("typeof(now_millis())") == #""integer""#)
        #expect(try fixture.answer("typeof(clock_millis())") == #""real""#)
        #expect(try fixture.answer("length(now_utc('1111-11-11'))") == "10")
        for name in ["now_str", "now_local", "clock_str", "clock_local"] {
            #expect(try fixture.answer("str_to_millis(\(name)()) > 1700000000000") == "1")
        }
        #expect(try fixture.answer("str_to_millis(now_tz(90)) > 1700000000000") == "1")
        #expect(try fixture.answer("clock_tz(90, '+11:11')") != "null")
    }
}
