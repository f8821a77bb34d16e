/// Figures for people: three significant digits, and a unit.
enum FigureText {
    /// The text for a missing figure.
    static let none = "–"

    /// A number with a number of significant digits, and thousands separators.
    static func number(_ value: Double, digits: Int = 3) -> String {
        guard value.isFinite else { return none }
        guard value != 0 else { return "0" }
        var (size, decimals) = (abs(value), digits - 1)
        while size >= 10 { (size, decimals) = (size / 10, decimals - 1) }
        while size < 1, decimals < 12 { (size, decimals) = (size * 10, decimals + 1) }
        return fixed(value, decimals: max(0, decimals))
    }

    /// A number with a number of decimals.
    static func fixed(_ value: Double, decimals: Int) -> String {
        let factor = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 1e18 else { return value.isFinite ? "\(value)" : none }
        let sign = value < 0 && scaled > 0 ? "−" : ""
        let digits = Int(scaled)
        let whole = sign + grouped(digits / Int(factor))
        guard decimals > 0 else { return whole }
        let rest = String(digits % Int(factor))
        return whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
    }

    /// A whole number with thousands separators.
    static func grouped(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (value < 0 ? "−" : "") + text
    }

    static func duration(_ seconds: Double) -> String {
        switch abs(seconds) {
        case ..<1e-6: number(seconds * 1e9) + " ns"
        case ..<1e-3: number(seconds * 1e6) + " µs"
        case ..<1: number(seconds * 1e3) + " ms"
        default: number(seconds) + " s"
        }
    }

    static func bytes(_ count: Double) -> String {
        switch abs(count) {
        case ..<1e3: number(count) + " B"
        case ..<1e6: number(count / 1e3) + " kB"
        case ..<1e9: number(count / 1e6) + " MB"
        default: number(count / 1e9) + " GB"
        }
    }

    static func rate(_ bytesPerSecond: Double) -> String { number(bytesPerSecond / 1e6) + " MB/s" }

    static func ratio(_ ratio: Double) -> String {
        abs(ratio) < 0.1
            ? number(ratio) : abs(ratio) < 10 ? fixed(ratio, decimals: 2) : number(ratio)
    }

    /// A factor as a change: 1.1 is "+10.0 %".
    static func change(_ factor: Double) -> String {
        guard factor.isFinite else { return none }
        let text = fixed((factor - 1) * 100, decimals: 1)
        return (text.hasPrefix("−") ? text : "+" + text) + " %"
    }

    /// A number of people in few characters: "10k", "1M".
    static func people(_ count: Int) -> String {
        if count >= 1_000_000, count % 1_000_000 == 0 { return grouped(count / 1_000_000) + "M" }
        if count >= 1000, count % 1000 == 0 { return grouped(count / 1000) + "k" }
        return grouped(count)
    }
}

extension WorkloadResult {
    /// The time of a pass in the unit of the workload.
    public func text(_ seconds: Double) -> String {
        switch unit {
        case .items: FigureText.duration(each(seconds))
        case .bytes:
            seconds > 0 ? FigureText.rate(Double(amount) / seconds) : FigureText.none
        }
    }
}

extension Figure {
    /// One of its numbers, with its unit.
    func text(_ number: Double) -> String {
        switch unit {
        case "times": FigureText.ratio(number) + " times"
        case "bytes": FigureText.bytes(number)
        case "seconds": FigureText.duration(number)
        default: FigureText.number(number) + " " + unit
        }
    }
}
