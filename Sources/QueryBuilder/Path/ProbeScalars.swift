/// What texts and numbers a type is offered when a sample of it is made.
enum ProbeForm: Int, CaseIterable {
    case word, mail, link, identifier, moment, day, digits, large, time, version

    /// The text of a number.
    func text(_ number: Int) -> String {
        let digits = String(number)
        func padded(_ width: Int) -> String {
            String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return switch self {
        case .word: "v" + digits
        case .mail: "v\(digits)@example.com"
        case .link: "https://example.com/v\(digits)"
        case .identifier: "00000000-0000-4000-8000-" + padded(12)
        case .moment: "2001-01-01T00:00:00.\(padded(3))Z"
        case .day: "20\(padded(2).suffix(2))-01-01"
        case .digits: digits
        case .large: "1" + padded(7)
        case .time: "00:00:\(padded(2).suffix(2))"
        case .version: "1.0.\(digits)"
        }
    }

    /// Added to numbers.
    var offset: Int { self == .word ? 0 : self == .large ? 100_000 : rawValue * 10 }
}

/// The scalars of samples.
enum ProbeScalars {
    /// A scalar for a place; nil if the type is none.
    static func value<Value>(
        _ type: Value.Type, _ probe: Probe, _ path: [any CodingKey]
    ) throws -> Value? {
        if type == Bool.self { return probe.bit(probe.place(path)) as? Value }
        if type == String.self { return probe.form.text(number(probe, path)) as? Value }
        if type == Double.self { return Double(number(probe, path)) as? Value }
        if type == Float.self { return Float(number(probe, path)) as? Value }
        guard let integer = type as? any FixedWidthInteger.Type else { return nil }
        let place = probe.place(path)
        return integer.integer(number(probe, path), 1 + (place >> min(probe.sample, 62)) & 63)
            as? Value
    }

    /// Another number for each place and sample.
    private static func number(_ probe: Probe, _ path: [any CodingKey]) -> Int {
        let place = probe.place(path)
        // Small ones, which fit in all types and in most ranges.
        return place + probe.sample + probe.form.offset
    }
}

extension FixedWidthInteger {
    /// A number, or a small one if it does not fit.
    fileprivate static func integer(_ number: Int, _ small: Int) -> Self {
        Self(exactly: number) ?? Self(small)
    }
}
