import FleeceLite
import Testing

@Suite("FleeceTimestamp")
struct FleeceTimestampTests {
    @Test(
        "a text is parsed as a timestamp",
        arguments: [
            ("2008-08-07T05:18:51.589Z", 1_218_086_331_589),
            ("2008-08-07T05:18Z", 1_218_086_280_000),
            ("2008-08-07T05:18:51+02:00", 1_218_079_131_000),
            ("2008-08-07T05:18:51+0200", 1_218_079_131_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("-0001-12-31T23:59:59.999Z", -62_167_219_200_001),
            ("1970-01-01", 0), ("1970-01-01T", 0), ("1970-01-01 T 00:00 z  ", 0),
            ("1970-01-01T24:00:00Z", 86_400_000), ("1970-01-01T00:00:00.58912345Z", 589),
            ("1970-01-01T00:00:59.9999Z", 60_000), ("1970-01-01T00:00:00.5", 500),
        ] as [(String, Int64)])
    func reading(text: String, milliseconds: Int64) {
        #expect(FleeceTimestamp(parsing: text)?.milliseconds == milliseconds)
    }

    @Test(
        "other texts are rejected",
        arguments: [
            "", "2008", "2008-08", "2008-8-7", "20080807", " 2008-08-07", "T05:18:51",
            "2008-08-07T05:18:51+15:00", "2008-08-07T05:18:51Zx", "2008-08-07T05",
            "2008-08-07T05:60", "2008-08-07T05:18:60Z", "2008-08-07T25:00Z", "2008-13-01",
            "2008-00-01", "2008-02-30", "2009-02-29", "1900-02-29", "2008-08-00",
            "2008-08-07T05:18:51.Z", "2008-08-07T05:18:51+02:60", "2008-08-07x",
        ])
    func notATime(text: String) {
        #expect(FleeceTimestamp(parsing: text) == nil)
    }

    @Test("a text without a zone is in the caller's zone")
    func defaultZone() {
        let text = "1970-01-01T02:00:00"
        #expect(FleeceTimestamp(parsing: text, zoneMinutes: 120)?.milliseconds == 0)
        #expect(FleeceTimestamp(parsing: text + "Z", zoneMinutes: 120)?.milliseconds == 7_200_000)
        for zone in [Int.min, .max] {
            #expect(FleeceTimestamp(parsing: text, zoneMinutes: zone) == nil)
        }
    }

    @Test(
        "a timestamp is written as text",
        arguments: [
            (0, nil, "1970-01-01T00:00:00Z"), (1_218_086_331_589, nil, "2008-08-07T05:18:51.589Z"),
            (1_218_086_331_050, nil, "2008-08-07T05:18:51.050Z"),
            (1_218_086_331_000, 120, "2008-08-07T07:18:51+0200"),
            (1_218_086_331_000, -210, "2008-08-07T01:48:51-0330"),
            (-62_167_219_200_001, nil, "-0001-12-31T23:59:59.999Z"),
            (-1, nil, "1969-12-31T23:59:59.999Z"),
            (.max, nil, "292278994-08-17T07:12:55.807Z"),
            (.min, nil, "-292275055-05-16T16:47:04.192Z"),
            (0, 153_722_867_280_912, "292278994-08-17T07:12:00+256204778801512"),
        ] as [(Int64, Int?, String)])
    func writing(milliseconds: Int64, zone: Int?, text: String) {
        #expect(FleeceTimestamp(milliseconds: milliseconds).text(zoneMinutes: zone) == text)
    }

    @Test("every day of 800 years is parsed from its text, and no number traps")
    func everyDay() {
        for day in -200_000..<100_000 where day % 7 == 0 {
            let timestamp = FleeceTimestamp(milliseconds: Int64(day) * 86_400_000 + 12_345)
            #expect(FleeceTimestamp(parsing: timestamp.text()) == timestamp)
        }
        for number in [Int64.min, .min + 1, .max, .max - 1] {
            let timestamp = FleeceTimestamp(milliseconds: number)
            #expect(timestamp.text().hasSuffix("Z"))
            #expect(!timestamp.text(zoneMinutes: 840).isEmpty)
            #expect(!timestamp.text(zoneMinutes: -840).isEmpty)
            #expect(timestamp.text(zoneMinutes: .max) == timestamp.text())
            #expect(timestamp.text(zoneMinutes: .min) == timestamp.text())
        }
    }
}
