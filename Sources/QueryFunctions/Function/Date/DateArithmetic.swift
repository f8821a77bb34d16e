internal import FleeceLite
internal import SQLCore

/// Sums, differences and series of dates. Component names are case-insensitive. For an invalid date
/// or component, sums and differences are missing, as in LiteCore, and series are null.
enum DateArithmetic {
    static var table: [NamedFunction] {
        [
            NamedFunction("date_diff_str") {
                FunctionCall.run($0, $1, $2) { DateArithmetic.difference($0, DateParser.date) }
            },
            NamedFunction("date_diff_millis") {
                FunctionCall.run($0, $1, $2) { DateArithmetic.difference($0) { CivilDate($0) } }
            },
            NamedFunction("date_add_str") {
                FunctionCall.run($0, $1, $2, DateArithmetic.addToText)
            },
            NamedFunction("date_add_millis") {
                FunctionCall.run($0, $1, $2, DateArithmetic.addToNumber)
            },
            NamedFunction("date_range_str") {
                FunctionCall.run($0, $1, $2, DateArithmetic.rangeOfTexts)
            },
            NamedFunction("date_range_millis") {
                FunctionCall.run($0, $1, $2, DateArithmetic.rangeOfNumbers)
            },
        ]
    }

    private static func difference(
        _ call: FunctionCall, _ date: (FunctionValue) -> CivilDate?
    ) {
        guard let left = date(call[0]), let right = date(call[1]),
            let component = DateComponent(call[2])
        else { return call.setMissing() }
        call.raw.setResult(left.units(since: right, component))
    }

    private static func addToText(_ call: FunctionCall) throws {
        guard let date = DateParser.date(call[0]), let count = call[1].wholeNumber,
            let component = DateComponent(call[2])
        else { return call.setMissing() }
        try call.set(date.adding(Int(count), component), call.format(3))
    }

    /// Months and years are those of UTC.
    private static func addToNumber(_ call: FunctionCall) {
        guard let date = CivilDate(call[0]), let count = call[1].wholeNumber,
            let component = DateComponent(call[2])
        else { return call.setMissing() }
        guard let sum = date.adding(Int(count), component) else { return call.setNull() }
        call.raw.setResult(sum.milliseconds)
    }

    private static func rangeOfTexts(_ call: FunctionCall) throws {
        guard let dates = try range(call, DateParser.date) else { return call.setAbsent() }
        try call.setArray { encoder in
            var text = ScratchBytes()
            let format = DateFormat.standard
            for date in dates {
                text.removeAll()
                DateWriter(date).write(format, to: &text)
                encoder.writeText(text.bytes)
            }
        }
    }

    private static func rangeOfNumbers(_ call: FunctionCall) throws {
        let dates = try range(call) { CivilDate($0) }
        guard let dates else { return call.setAbsent() }
        try call.setArray { encoder in
            for date in dates { encoder.writeInt(date.milliseconds) }
        }
    }

    /// The dates from the first up to, but not including, the second; downwards for a negative
    /// step.
    private static func range(
        _ call: FunctionCall, _ date: (FunctionValue) -> CivilDate?
    ) throws -> [CivilDate]? {
        guard !call.hasMissing, let start = date(call[0]), let end = date(call[1]),
            let component = DateComponent(call[2]),
            let step = call.count == 4 ? call[3].integer : 1
        else { return nil }
        var dates: [CivilDate] = []
        guard step != 0 else { return dates }
        while true {
            let (count, isTooFar) = dates.count.multipliedReportingOverflow(by: step)
            guard !isTooFar, let next = start.adding(count, component),
                step > 0
                    ? next.milliseconds < end.milliseconds
                    : next.milliseconds > end.milliseconds
            else { return dates }
            dates.append(next)
            try FunctionLimits.requireElements(dates.count)
        }
    }
}
