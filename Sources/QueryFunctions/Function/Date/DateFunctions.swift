internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Dates as text and as milliseconds since 1970. What is not a date, or missing, gives null, as in
/// LiteCore; a format that is none is the standard one.
enum DateFunctions {
    static var table: [NamedFunction] { numbers + texts }

    private static var numbers: [NamedFunction] {
        [
            NamedFunction("millis_to_str") {
                DateFunctions.convert($0, $1, $2, format: 1) { CivilDate(local: $0[0]) }
            },
            NamedFunction("millis_to_utc") {
                DateFunctions.convert($0, $1, $2, format: 1) { CivilDate($0[0]) }
            },
            NamedFunction("millis_to_tz") {
                DateFunctions.convert($0, $1, $2, format: 2) { call in
                    DateFunctions.zone(call[1]).flatMap { CivilDate(call[0], zone: $0) }
                }
            },
        ]
    }

    private static var texts: [NamedFunction] {
        [
            NamedFunction("str_to_millis") {
                FunctionCall.run($0, $1, $2) { call in
                    guard let date = DateParser.day(call[0]) else { return call.setNull() }
                    call.raw.setResult(date.milliseconds)
                }
            },
            NamedFunction("str_to_utc") {
                DateFunctions.convert($0, $1, $2, format: 1) { DateParser.date($0[0])?.inZone(0) }
            },
            NamedFunction("str_to_tz") {
                DateFunctions.convert($0, $1, $2, format: 2) { call in
                    DateFunctions.zone(call[1]).flatMap { DateParser.date(call[0])?.inZone($0) }
                }
            },
            NamedFunction("date_format_str") {
                DateFunctions.convert($0, $1, $2, format: 1) { DateParser.date($0[0]) }
            },
        ]
    }

    /// Minutes before UTC.
    static func zone(_ value: FunctionValue) -> Int? {
        value.wholeNumber.flatMap { $0.magnitude <= 1440 ? Int($0) : nil }
    }

    /// The text of a date in the format that an argument gives; null if there is no date.
    @inline(__always)
    static func convert(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, format: Int,
        _ date: (FunctionCall) -> CivilDate?
    ) {
        FunctionCall.run(context, count, arguments) { call in
            try call.set(date(call), call.format(format))
        }
    }
}

extension CivilDate {
    /// The same moment in another zone.
    func inZone(_ zone: Int) -> CivilDate? {
        CivilDate(milliseconds: milliseconds, zone: zone)
    }
}

/// The time it is, as text or as milliseconds since 1970. Neither is the same for all rows of a
/// statement: those that begin with `now` are the others without parts of milliseconds.
enum ClockFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("now_millis") {
                FunctionCall.run($0, $1, $2) { $0.raw.setResult(ClockFunctions.milliseconds) }
            },
            NamedFunction("clock_millis") {
                FunctionCall.run($0, $1, $2) {
                    $0.set(Double(SystemClock.nanoseconds) / 1_000_000)
                }
            },
            NamedFunction("now_str", ClockFunctions.local),
            NamedFunction("clock_str", ClockFunctions.local),
            NamedFunction("now_local", ClockFunctions.local),
            NamedFunction("clock_local", ClockFunctions.local),
            NamedFunction("now_utc", ClockFunctions.universal),
            NamedFunction("clock_utc", ClockFunctions.universal),
            NamedFunction("now_tz", ClockFunctions.zoned),
            NamedFunction("clock_tz", ClockFunctions.zoned),
        ]
    }

    private static let local: SQLRawFunction = {
        DateFunctions.convert($0, $1, $2, format: 0) { _ in
            CivilDate(local: .integer(ClockFunctions.milliseconds))
        }
    }

    private static let universal: SQLRawFunction = {
        DateFunctions.convert($0, $1, $2, format: 0) { _ in
            CivilDate(.integer(ClockFunctions.milliseconds))
        }
    }

    private static let zoned: SQLRawFunction = {
        DateFunctions.convert($0, $1, $2, format: 1) { call in
            DateFunctions.zone(call[0]).flatMap {
                CivilDate(.integer(ClockFunctions.milliseconds), zone: $0)
            }
        }
    }

    private static var milliseconds: Int64 { Int64(SystemClock.nanoseconds / 1_000_000) }
}
