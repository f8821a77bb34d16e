internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Conversions between date strings and milliseconds since 1970. An invalid or missing date gives
/// null, as in LiteCore; an invalid format is replaced by the standard one.
enum DateFunctions {
    static var table: [NamedFunction] { numbers + strings }

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

    private static var strings: [NamedFunction] {
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

    /// The offset from UTC in minutes.
    static func zone(_ value: FunctionValue) -> Int? {
        value.wholeNumber.flatMap { $0.magnitude <= 1440 ? Int($0) : nil }
    }

    /// The date as a string in the format of an argument; null if there is no date.
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
    /// The same instant in another zone.
    func inZone(_ zone: Int) -> CivilDate? {
        CivilDate(milliseconds: milliseconds, zone: zone)
    }
}

/// The current time, as a string or as milliseconds since 1970. It may differ between the rows of a
/// statement. The functions that begin with `now` return whole milliseconds.
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
