/// A date format, specified by an example or by tokens.
struct DateFormat {
    /// An item of a date format.
    enum Item: Equatable {
        case year, month, day, hour, minute, second
        /// Three digits of milliseconds.
        case fraction
        /// A point and the fraction, unless it is zero.
        case optionalFraction
        /// `Z` for UTC, else `±hhmm`, or with a colon.
        case zone(hasColon: Bool)
        case letter(UInt8)
    }

    let items: [Item]

    /// `YYYY-MM-DDThh:mm:ss[.SSS]` and the zone.
    static var standard: DateFormat {
        DateFormat(
            items: Self.date + [.letter(UInt8(ascii: "T"))] + Self.time
                + [.optionalFraction, .zone(hasColon: false)])
    }

    private static var date: [Item] {
        [.year, .letter(UInt8(ascii: "-")), .month, .letter(UInt8(ascii: "-")), .day]
    }

    private static var time: [Item] {
        [.hour, .letter(UInt8(ascii: ":")), .minute, .letter(UInt8(ascii: ":")), .second]
    }

    private init(items: [Item]) {
        self.items = items
    }

    /// The format that a string specifies; the standard format if it specifies none.
    init(_ value: FunctionValue) {
        let text = value.text ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let items = text.count <= 256 ? Self.tokens(text) ?? Self.example(text) : nil
        self.items = items ?? Self.standard.items
    }

    /// `%Y-%m-%dT%H:%M:%S.%s%Ez`: other characters stand for themselves.
    private static func tokens(_ text: UnsafeRawBufferPointer) -> [Item]? {
        guard text.contains(UInt8(ascii: "%")) else { return nil }
        var items: [Item] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "%") else {
                items.append(.letter(byte))
                continue
            }
            guard index < text.count else { return nil }
            let isExtended = text[index] == UInt8(ascii: "E")
            index += isExtended ? 1 : 0
            guard index < text.count,
                let found = token(text[index], isExtended: isExtended)
            else { return nil }
            index += 1
            found == [.fraction] ? append(fractionTo: &items) : (items += found)
        }
        return items
    }

    /// After seconds the fraction has a point, whether or not the format has one, and is omitted if
    /// it is zero, as elsewhere in dates.
    private static func append(fractionTo items: inout [Item]) {
        if items.suffix(2) == [.second, .letter(UInt8(ascii: "."))] { items.removeLast() }
        items.append(items.last == .second ? .optionalFraction : .fraction)
    }

    private static func token(_ letter: UInt8, isExtended: Bool) -> [Item]? {
        switch letter {
        case UInt8(ascii: "z"): [.zone(hasColon: isExtended)]
        case _ where isExtended: nil
        case UInt8(ascii: "Y"): [.year]
        case UInt8(ascii: "m"): [.month]
        case UInt8(ascii: "d"): [.day]
        case UInt8(ascii: "H"): [.hour]
        case UInt8(ascii: "M"): [.minute]
        case UInt8(ascii: "S"): [.second]
        case UInt8(ascii: "s"): [.fraction]
        case UInt8(ascii: "F"): date
        case UInt8(ascii: "T"): time
        case UInt8(ascii: "%"): [.letter(letter)]
        default: nil
        }
    }

    /// `1111-11-11T11:11:11.111Z`, or only its date or its time part. As in LiteCore, `1111/11/11`
    /// is a date, which is nevertheless written with hyphens.
    private static func example(_ text: UnsafeRawBufferPointer) -> [Item]? {
        // All digits are equivalent here.
        let shape = text.map { $0 >= 0x30 && $0 <= 0x39 ? UInt8(ascii: "1") : $0 }
        var rest = shape[...]
        var items: [Item] = []
        if String(decoding: shape, as: UTF8.self) == "1111/11/11" { return date }
        if take("1111-11-11", from: &rest) {
            items = date
            if let letter = rest.first, [0x20, UInt8(ascii: "T")].contains(letter) {
                rest.removeFirst()
                items.append(.letter(letter))
                guard let time = exampleTime(&rest) else { return nil }
                items += time
            }
        } else {
            guard let time = exampleTime(&rest) else { return nil }
            items = time
        }
        // A date alone has no zone.
        if items != date, let zone = exampleZone(&rest) { items.append(zone) }
        return rest.isEmpty ? items : nil
    }

    /// An example of a time, with or without seconds, stands for a whole time, as in LiteCore.
    private static func exampleTime(_ rest: inout ArraySlice<UInt8>) -> [Item]? {
        guard take("11:11", from: &rest) else { return nil }
        if take(":11", from: &rest), take(".1", from: &rest) {
            while rest.first == UInt8(ascii: "1") { rest.removeFirst() }
        }
        return time + [.optionalFraction]
    }

    private static func exampleZone(_ rest: inout ArraySlice<UInt8>) -> Item? {
        if take("Z", from: &rest) { return .zone(hasColon: false) }
        for sign: StaticString in ["+", "-"] where take(sign, from: &rest) {
            if take("11:11", from: &rest) { return .zone(hasColon: true) }
            if take("1111", from: &rest) { return .zone(hasColon: false) }
        }
        return nil
    }

    private static func take(_ text: StaticString, from rest: inout ArraySlice<UInt8>) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: wanted) else { return false }
        rest.removeFirst(wanted.count)
        return true
    }
}
