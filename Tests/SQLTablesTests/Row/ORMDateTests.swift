import SQLCore
import Testing
@testable import SQLTables

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Dates and other types in columns")
struct ORMDateTests {
    private let column = SQLColumn(name: "D", type: .text)

    private func seconds(_ value: SQLValue) -> Double? {
        column.dateValue(in: [column: value])?.timeIntervalSince1970
    }

    @Test(
        "text is read as ISO 8601, with fractions",
        arguments: [
            ("2001-02-03T04:05:06Z", 981_173_106), ("2001-02-03T04:05:06.75Z", 981_173_106.75),
            ("2001-02-03 04:05:06.125", 981_173_106.125), ("2001-02-03 04:05", 981_173_100),
            ("2001-02-03", 981_158_400), ("2001-02-03T06:05:06+02:00", 981_173_106),
            ("2001-02-02T23:05:06-0500", 981_173_106), ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.5Z", -0.5), ("2000-02-29T00:00:00Z", 951_782_400),
            ("0000-01-01", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2001-02-03t04:05:06.75z", 981_173_106.75),
            ("2001-02-03T04:05:06.\(String(repeating: "0", count: 400))Z", 981_173_106),
        ] as [(String, Double)])
    func text(text: String, expected: Double) {
        #expect(seconds(.text(text)) == expected)
    }

    @Test(
        "other text is not a date",
        arguments: [
            "", "x", "2001", "2001-13-01", "2001-02-30", "1900-02-29", "2001-02-03T",
            "2001-02-03T04",
            "+1234567890123-01-01", "+999999999999-01-01", "-999999999999-01-01", "12345-01-01",
            "+-2001-01-01", "+", "+200-01-01", "2001-02-03T24:00", "2001-02-03T04:60",
            "2001-02-03T04:05:06.", "2001-02-03T04:05:06+",
            "2001-02-03T04:05:06Zx", "2001-02-03x04:05", "２００１-02-03", "-001-02-03",
        ])
    func noDate(text: String) {
        #expect(seconds(.text(text)) == nil)
        #expect(throws: SQLBindingError.typeMismatch(column)) {
            try column.dateValueRequired(in: [column: .text(text)])
        }
    }

    @Test("numbers are seconds since 1970, blobs and nulls are not dates")
    func numbers() {
        #expect(seconds(.long(86_400)) == 86_400)
        #expect(seconds(.real(-1.25)) == -1.25)
        #expect(seconds(.blob([1])) == nil)
        #expect(throws: SQLBindingError.nullColumn(column)) {
            try column.dateValueRequired(in: [column: .null])
        }
    }

    @Test("every form is read back unchanged", arguments: [SQLType.real, .text, .long])
    func roundTrip(type: SQLType) throws {
        for day in stride(from: -719_162.0, through: 2_932_896, by: 997) {
            let date = Date(timeIntervalSince1970: day * 86_400 + 12_345)
            #expect(seconds(SQLValue(date, as: type)) == day * 86_400 + 12_345)
        }
    }

    @Test(
        "a year outside 0 to 9999 is written with its sign, and reads back",
        arguments: [
            (253_402_300_800, "+10000-01-01T00:00:00.000000Z"),
            (-62_167_219_200.5, "-0001-12-31T23:59:59.500000Z"),
            (-63_549_360_000, "-0044-03-15T00:00:00.000000Z"),
        ] as [(Double, String)])
    func signedYears(seconds: Double, text: String) {
        let value = SQLValue(Date(timeIntervalSince1970: seconds), as: .text)
        #expect(value == .text(text))
        #expect(self.seconds(value) == seconds)
    }

    @Test("distant years are read back unchanged")
    func farYears() {
        for step in -200...200 {
            let seconds = (Double(step) * 4.3e16 + 12_345).rounded()
            let text = iso8601(secondsSince1970: seconds)
            #expect(text.flatMap { secondsSince1970(iso8601: $0) } == seconds)
        }
        let last = "+273790702668-11-07T00:00:00.000000Z"
        #expect(iso8601(secondsSince1970: 8.64e18) == last)
        let first = "-273790698729-02-24T00:00:00.000000Z"
        #expect(iso8601(secondsSince1970: -8.64e18) == first)
        #expect(iso8601(secondsSince1970: 253_402_300_799.999_95)?.hasPrefix("9999-12-31") == true)
        #expect(iso8601(secondsSince1970: 0.999_999_9) == "1970-01-01T00:00:01.000000Z")
        #expect(secondsSince1970(iso8601: "+273790702668-11-07T23:59:60-23:59") != nil)
        #expect(secondsSince1970(iso8601: "+273790702668-11-08") == nil)
    }

    @Test("a date that is not finite, or too far for its form, is null unless it is real")
    func notFinite() {
        for seconds in [Double.infinity, -.infinity, 1e300, -1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(SQLValue(date, as: .text) == .null)
            #expect(SQLValue(date, as: .long) == .null)
            #expect(SQLValue(date, as: .real) == .real(seconds))
            #expect(self.seconds(SQLValue(date, as: .real)) == seconds)
        }
        let beyond = Date(timeIntervalSince1970: 8.65e18)
        #expect(SQLValue(beyond, as: .text) == .null)
        for type in [SQLType.real, .text, .long] {
            #expect(SQLValue(Date(timeIntervalSince1970: .nan), as: type) == .null)
        }
    }

    @Test("SQLite agrees on the days")
    func sqlite() throws {
        let context = try SQLContext()
        for day in stride(from: -719_162.0, through: 2_932_896, by: 9973) {
            let date = SQLValue(Date(timeIntervalSince1970: day * 86_400), as: .text)
            let text = try context.selectValue(
                sql: "SELECT strftime('%Y-%m-%dT%H:%M:%S', ?, 'unixepoch') || '.000000Z'",
                parameters: [.long(Int64(day) * 86_400)])
            #expect(date == text)
        }
    }

    @Test("a date in text has microseconds")
    func micros() {
        let date = Date(timeIntervalSince1970: 1.000_25)
        #expect(SQLValue(date, as: .text) == .text("1970-01-01T00:00:01.000250Z"))
        #expect(SQLValue(Date(timeIntervalSince1970: -0.5), as: .long) == .long(-1))
        #expect(SQLValue(Date?.none, as: .real) == .null)
    }

    @Test("identifiers are text or 16 bytes, Boolean values are integers")
    func others() throws {
        let id = UUID()
        #expect(column.uuidValue(in: [column: SQLValue(id)]) == id)
        let bytes = withUnsafeBytes(of: id.uuid) { Data($0) }
        #expect(try column.uuidValueRequired(in: [column: .blob(bytes)]) == id)
        #expect(column.uuidValue(in: [column: .blob(bytes.dropLast())]) == nil)
        #expect(column.boolValue(in: [column: SQLValue(true)]) == true)
        #expect(try column.boolValueRequired(in: [column: .long(0)]) == false)
        #expect(column.realValue(in: [column: .long(2)]) == 2)
        #expect(column.longValue(in: [column: .real(2)]) == 2)
        #expect(column.longValue(in: [column: .real(2.5)]) == nil)
        #expect(throws: SQLBindingError.unknownColumn(column)) {
            try column.longValueRequired(in: SQLRow())
        }
    }

    @Test("checkNonNull takes its column with and without a label")
    func checkNonNull() throws {
        #expect(try SQLBindingError.checkNonNull(1, in: column) == 1)
        #expect(try SQLBindingError.checkNonNull("x", column) == "x")
        #expect(throws: SQLBindingError.nullColumn(column)) {
            try SQLBindingError.checkNonNull(Int?.none, column)
        }
    }
}
