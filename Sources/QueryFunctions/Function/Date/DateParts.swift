internal import FleeceLite
internal import SQLCore
internal import StorePlatform

/// Parts of dates, and truncated dates. Milliseconds are interpreted in UTC, or in the zone of the
/// last argument, an offset from UTC in minutes.
enum DateParts {
    static var table: [NamedFunction] {
        [
            NamedFunction("date_part_str") {
                FunctionCall.run($0, $1, $2) { DateParts.part($0, DateParser.date($0[0])) }
            },
            NamedFunction("date_part_millis") {
                FunctionCall.run($0, $1, $2) { DateParts.part($0, DateParts.number($0, zone: 2)) }
            },
            NamedFunction("date_trunc_str") {
                FunctionCall.run($0, $1, $2) { call in
                    guard let date = DateParser.date(call[0]),
                        let component = DateComponent(call[1])
                    else { return call.setAbsent() }
                    try call.set(date.truncated(to: component))
                }
            },
            NamedFunction("date_trunc_millis") {
                FunctionCall.run($0, $1, $2) { call in
                    guard !call.hasMissing, let component = DateComponent(call[1]),
                        let date = DateParts.number(call, zone: 2)?.truncated(to: component)
                    else { return call.setAbsent() }
                    call.raw.setResult(date.milliseconds)
                }
            },
            NamedFunction("weekday_str") {
                FunctionCall.run($0, $1, $2) { DateParts.weekday($0, DateParser.date($0[0])) }
            },
            NamedFunction("weekday_millis") {
                FunctionCall.run($0, $1, $2) {
                    DateParts.weekday($0, DateParts.number($0, zone: 1))
                }
            },
        ]
    }

    private static func number(_ call: FunctionCall, zone index: Int) -> CivilDate? {
        let zone = call.count > index ? DateFunctions.zone(call[index]) : 0
        return zone.flatMap { CivilDate(call[0], zone: $0) }
    }

    private static func weekday(_ call: FunctionCall, _ date: CivilDate?) {
        guard !call.hasMissing, let date else { return call.setAbsent() }
        let names = [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ]
        call.set(names[date.daysSinceMonday])
    }

    private static func part(_ call: FunctionCall, _ date: CivilDate?) {
        guard !call.hasMissing, let date, let name = call[1].text, name.count <= 16,
            let part = date.part(String(decoding: name, as: UTF8.self).lowercased())
        else { return call.setAbsent() }
        call.set(part)
    }
}

extension CivilDate {
    /// A part by its N1QL name; nil for an unknown name.
    func part(_ name: String) -> Int? {
        partOfDate(name) ?? partOfTime(name) ?? partOfZone(name)
    }

    private func partOfDate(_ name: String) -> Int? {
        let (year, month, day) = date
        return switch name {
        case "millennium": year / 1000 + 1
        case "century": year / 100 + 1
        case "decade": year / 10
        case "year": year
        case "quarter": (month + 2) / 3
        case "month": month
        case "week": (dayOfYear + 6) / 7
        case "day": day
        case "doy", "day_of_year": dayOfYear
        // Sunday is 0.
        case "dow", "day_of_week": (daysSinceMonday + 1) % 7
        // Monday is 1.
        case "iso_dow": daysSinceMonday + 1
        case "iso_year": isoWeek.year
        case "iso_week": isoWeek.week
        default: nil
        }
    }

    private func partOfTime(_ name: String) -> Int? {
        let time = Int(timeOfDay)
        return switch name {
        case "hour": time / 3_600_000
        case "minute": time / 60_000 % 60
        case "second": time / 1000 % 60
        case "millisecond": time % 1000
        default: nil
        }
    }

    private func partOfZone(_ name: String) -> Int? {
        switch name {
        case "timezone": zone * 60
        case "timezone_hour": zone / 60
        case "timezone_minute": zone % 60
        default: nil
        }
    }

    private var dayOfYear: Int {
        day - GregorianDay.number(year: date.year, month: 1, day: 1) + 1
    }

    /// A week belongs to the year of its Thursday.
    private var isoWeek: (year: Int, week: Int) {
        let thursday = day - daysSinceMonday + 3
        let year = GregorianDay.date(thursday).year
        return (year, (thursday - GregorianDay.number(year: year, month: 1, day: 1)) / 7 + 1)
    }
}
