/// Writes dates as strings.
struct DateWriter {
    private let timestamp: CivilDate

    init(_ timestamp: CivilDate) {
        self.timestamp = timestamp
    }

    /// Appends a date in a format.
    func write(_ format: DateFormat, to result: inout ScratchBytes) {
        let (year, month, day) = timestamp.date
        let time = Int(timestamp.timeOfDay)
        for item in format.items {
            switch item {
            case .year:
                if year < 0 { result.append(UInt8(ascii: "-")) }
                append(abs(year), digits: 4, &result)
            case .month: append(month, digits: 2, &result)
            case .day: append(day, digits: 2, &result)
            case .hour: append(time / 3_600_000, digits: 2, &result)
            case .minute: append(time / 60_000 % 60, digits: 2, &result)
            case .second: append(time / 1000 % 60, digits: 2, &result)
            case .fraction: append(time % 1000, digits: 3, &result)
            case .optionalFraction:
                guard time % 1000 != 0 else { continue }
                result.append(UInt8(ascii: "."))
                append(time % 1000, digits: 3, &result)
            case .zone(let hasColon):
                if timestamp.zone == 0 {
                    result.append(UInt8(ascii: "Z"))
                } else {
                    appendZone(hasColon: hasColon, &result)
                }
            case .letter(let letter): result.append(letter)
            }
        }
    }

    private func appendZone(hasColon: Bool, _ result: inout ScratchBytes) {
        result.append(UInt8(ascii: timestamp.zone < 0 ? "-" : "+"))
        append(abs(timestamp.zone) / 60, digits: 2, &result)
        if hasColon { result.append(UInt8(ascii: ":")) }
        append(abs(timestamp.zone) % 60, digits: 2, &result)
    }

    private func append(_ number: Int, digits: Int, _ result: inout ScratchBytes) {
        var power = 1
        for _ in 1..<digits { power *= 10 }
        while power * 10 <= number { power *= 10 }
        while power > 0 {
            result.append(0x30 + UInt8(number / power % 10))
            power /= 10
        }
    }
}

extension FunctionCall {
    /// Sets the result to a date as a string; null if there is no date.
    func set(_ date: CivilDate?, _ format: DateFormat = .standard) throws {
        guard let date else { return setNull() }
        try setText { DateWriter(date).write(format, to: &$0) }
    }

    /// The format of an argument; the standard format without it.
    func format(_ index: Int) -> DateFormat {
        index < count ? DateFormat(self[index]) : .standard
    }
}
