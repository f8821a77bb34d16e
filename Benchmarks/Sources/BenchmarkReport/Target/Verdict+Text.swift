extension Verdict {
    /// The verdict as text: "met, 12 % to spare".
    public var text: String {
        switch outcome {
        case .met(let stretch):
            return (measured.map { Self.text(of: $0.figure, $0.bound) } ?? "met")
                + (stretch == true ? ", and the stretch" : "")
        case .missed:
            return (measured.map { Self.text(of: $0.figure, $0.bound) } ?? "missed")
                + (measured?.isBaselineBeyond == true ? "; the baseline alone misses it" : "")
        case .notMeasured(let reason): return "not measured: \(reason)"
        }
    }

    private static func text(of figure: Double, _ bound: Bound) -> String {
        guard bound.limit != 0 else { return bound.allows(figure) ? "met" : "missed" }
        let share = FigureText.number(abs(bound.margin(of: figure)) * 100, digits: 2) + " %"
        if bound.allows(figure) { return "met, \(share) to spare" }
        let times = figure / bound.limit
        return times > 2
            ? "missed: \(FigureText.ratio(times)) × the limit" : "missed by \(share)"
    }

    /// The verdict by the limit in the tables, if it was scaled.
    public var unscaledText: String {
        guard let measured, let bound = measured.unscaled else { return FigureText.none }
        return Self.text(of: measured.figure, bound)
    }

    /// How many of several runs meet the target: "2 of 3".
    public var runsText: String { runs.map { "\($0.met) of \($0.all)" } ?? FigureText.none }

    /// The condition as in the table: "at most 1.5 × baseline".
    public var limitText: String {
        let text = Self.text(of: target.rule)
        guard let measured, measured.unscaled != nil else { return text }
        return "\(text); here \(Self.text(measured.bound.limit, measured.unit))"
    }

    /// The stretch goal, if there is one.
    public var stretchText: String {
        guard let measured, let stretch = measured.bound.stretch else { return FigureText.none }
        return Self.text(stretch, measured.unit)
    }

    /// The compared figure.
    public var figureText: String {
        measured.map { Self.text($0.figure, $0.unit) } ?? FigureText.none
    }

    /// The median of the measured time.
    public var timeText: String {
        measured?.seconds.map(FigureText.duration) ?? FigureText.none
    }

    /// The median of the baseline's time.
    public var baselineText: String {
        measured?.baseline.map(FigureText.duration) ?? FigureText.none
    }

    private static func text(_ value: Double, _ unit: Unit) -> String {
        switch unit {
        case .times: FigureText.ratio(value) + " ×"
        case .seconds: FigureText.duration(value)
        case .bytesPerSecond: FigureText.rate(value)
        case .count: FigureText.number(value)
        }
    }

    private static func text(of rule: Rule) -> String {
        switch rule {
        case .timesBaseline(let bound): limit(bound, .times) + " baseline"
        case .timesAsFast(let others, let bound):
            "\(limit(bound, .times)) as fast as \(others.joined(separator: " + "))"
        case .share(let seconds, let engine, let bound):
            "\(limit(bound, .times)) \(engine)'s \(FigureText.duration(seconds))"
        case .seconds(let bound): limit(bound, .seconds)
        case .bytesPerSecond(let bound): limit(bound, .bytesPerSecond)
        case .secondsMore(let other, let bound): "\(limit(bound, .seconds)) more than \(other)"
        case .figure(let bound): limit(bound, .times)
        case .noAllocations: "0"
        }
    }

    private static func limit(_ bound: Bound, _ unit: Unit) -> String {
        (bound.isUpper ? "at most " : "at least ") + text(bound.limit, unit)
    }
}
