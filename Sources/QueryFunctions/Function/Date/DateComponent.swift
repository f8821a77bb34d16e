/// A part of a date, or a unit of time, with a case-insensitive name.
enum DateComponent: String, CaseIterable {
    case millennium, century, decade, year, quarter, month, week, day
    case hour, minute, second, millisecond

    /// The component with a name; nil if there is none.
    init?(_ value: FunctionValue) {
        guard let text = value.text, text.count <= 16 else { return nil }
        self.init(rawValue: String(decoding: text, as: UTF8.self).lowercased())
    }

    /// Its length in months; nil for units with a fixed number of days.
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

    /// Its length in milliseconds; 0 for months and longer units.
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

    /// Whether it depends on the calendar rather than on elapsed time.
    var isOfCalendar: Bool { months != nil || self == .week || self == .day }
}

extension CivilDate {
    /// The date after a number of units. A day beyond the end of the month overflows: a month after
    /// 31 January is 2 or 3 March.
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

    /// The number of units since another date, as N1QL counts them: by the displayed calendar and
    /// clock fields, so that 1:59 to 2:00 is one hour, and December to January one year.
    func units(since other: CivilDate, _ component: DateComponent) -> Int64 {
        // Two dates without a zone are compared by their local fields.
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

    /// The start of the unit that contains the date; weeks start on Monday.
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
