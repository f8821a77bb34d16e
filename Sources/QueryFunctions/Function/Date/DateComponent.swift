/// A part of a date, or a unit of time, by its name in any case.
enum DateComponent: String, CaseIterable {
    case millennium, century, decade, year, quarter, month, week, day
    case hour, minute, second, millisecond

    /// The component of a name, nil if there is none.
    init?(_ value: FunctionValue) {
        guard let text = value.text, text.count <= 16 else { return nil }
        self.init(rawValue: String(decoding: text, as: UTF8.self).lowercased())
    }

    /// How many months it has; nil for a unit that has not always as many days.
    var months: Int? {
        switch self {
        case .millennium: 12_000
        case .century: 1200
        case .decade: 120
        case .year: 12
        case .quarter: 3
        case .month: 1
        default: nil
        }
    }

    /// How many milliseconds it has; of months and more, 0.
    var milliseconds: Int64 {
        switch self {
        case .week: 7 * CivilDate.dayLength
        case .day: CivilDate.dayLength
        case .hour: 3_600_000
        case .minute: 60_000
        case .second: 1000
        case .millisecond: 1
        default: 0
        }
    }

    /// Whether it is a matter of the calendar, not of the clock.
    var isOfCalendar: Bool { months != nil || self == .week || self == .day }
}

extension CivilDate {
    /// The date so many units later; where its month is too short, days of the next one: a month
    /// after 31 January is 2 or 3 March.
    func adding(_ count: Int, _ component: DateComponent) -> CivilDate? {
        if let length = component.months {
            let (months, isTooFar) = count.multipliedReportingOverflow(by: length)
            guard !isTooFar, months.magnitude < 10_000_000 else { return nil }
            let (year, month, day) = date
            return moved(toMonth: year * 12 + month - 1 + months, days: day - 1)
        }
        let (length, isTooFar) = Int64(count).multipliedReportingOverflow(
            by: component.milliseconds)
        guard !isTooFar, length.magnitude <= Self.range.upperBound.magnitude * 2 else {
            return nil
        }
        if component.isOfCalendar { return shown(at: shown + length) }
        var later = CivilDate(milliseconds: milliseconds + length, zone: zone)
        if isLocal, let timestamp = later {
            later = CivilDate(local: .integer(timestamp.milliseconds))
            later?.isLocal = true
        }
        return later
    }

    /// How many units it is after another one, as N1QL counts: by what calendar and clock show, so
    /// that from 1:59 to 2:00 is an hour, and from December to January a year.
    func units(since other: CivilDate, _ component: DateComponent) -> Int64 {
        // Two dates without a zone are compared as calendars show them.
        let isCivil = isLocal && other.isLocal
        guard let left = CivilDate(milliseconds: isCivil ? shown : milliseconds, zone: 0),
            let right = CivilDate(
                milliseconds: isCivil ? other.shown : other.milliseconds, zone: 0)
        else { return 0 }
        let years = left.date.year - right.date.year
        switch component {
        case .millennium: return Int64(years / 1000)
        case .century: return Int64(years / 100)
        case .decade: return Int64(years / 10)
        case .year: return Int64(years)
        case .quarter:
            return Int64(years * 4 + (left.date.month - 1) / 3 - (right.date.month - 1) / 3)
        case .month: return Int64(years * 12 + left.date.month - right.date.month)
        case .week: return Int64((left.day - right.day) / 7)
        case .day, .hour, .minute, .second, .millisecond:
            let length = component.milliseconds
            return Self.quotient(left.milliseconds, length)
                - Self.quotient(right.milliseconds, length)
        }
    }

    /// The beginning of the unit that it is in; a week begins on Monday.
    func truncated(to component: DateComponent) -> CivilDate? {
        guard component.isOfCalendar else {
            let rest = shown - Self.quotient(shown, component.milliseconds) * component.milliseconds
            return shown(at: shown - rest)
        }
        let midnight = Int64(day) * Self.dayLength
        switch component {
        case .day: return shown(at: midnight)
        case .week: return shown(at: midnight - Int64(daysSinceMonday) * Self.dayLength)
        default:
            let length = component.months ?? 1
            let months = Int64(date.year * 12 + date.month - 1)
            let first = Int(Self.quotient(months, Int64(length))) * length
            let start = shown(at: midnight)
            return start?.moved(toMonth: first, days: 0)
        }
    }

    /// 0 on Monday, 6 on Sunday. 1 January 1970 was a Thursday.
    var daysSinceMonday: Int {
        let rest = (day + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }
}
