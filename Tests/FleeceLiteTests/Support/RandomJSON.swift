import SampleData

/// Creates JSON documents of all shapes that the encoder treats differently.
struct RandomJSON {
    private var random: SeededGenerator
    private var text = ""
    /// The number of values that the document may still get.
    private var budget = 0
    /// Strings that are repeated, so that they are shared.
    private let words: [String]

    init(random: SeededGenerator) {
        self.random = random
        var words = (0..<40).map { "w\($0 * $0)" }
        words += [
            "", "a", "é", "ab", "Zürich", "fourteen bytes", "fifteen bytes..", "sixteen bytes...",
        ]
        words +=
            (0..<60).map { "key_\($0)" } + [
                "two words", "a.b", "☠️", "\"quoted\"", "tab\t", "\u{1}\u{7F}",
            ]
        self.words = words
    }

    /// An object or array; every fiftieth is large enough for slots of 4 bytes.
    mutating func document(_ number: Int) -> String {
        text = ""
        budget = 3 + random.below(60)
        if number % 50 == 49 { return largeDocument() }
        if random.oneIn(2) { array(depth: 1) } else { object(depth: 1) }
        return text
    }

    private mutating func value(depth: Int) {
        budget -= 1
        let isNested = depth < 12 && budget > 0
        switch random.below(isNested ? 12 : 8) {
        case 0: text += random.pick(["null", "true", "false"])
        case 1, 2: number()
        case 3, 4, 5: quoted(random.pick(words))
        case 6: quoted(newString())
        case 7: text += "\(Int64(bitPattern: random.next()) >> Int64(random.below(64)))"
        case 8, 9: array(depth: depth + 1)
        default: object(depth: depth + 1)
        }
    }

    private mutating func array(depth: Int) {
        text += "["
        for index in 0..<size() {
            if index > 0 { text += "," }
            blank()
            value(depth: depth)
        }
        text += "]"
    }

    private mutating func object(depth: Int) {
        text += "{"
        var keys: Set<String> = []
        // Sometimes more keys than are sorted by insertion.
        let count = random.oneIn(40) ? 33 + random.below(40) : size()
        for _ in 0..<count {
            let key = random.oneIn(4) ? newKey() : random.pick(words)
            guard keys.insert(key).inserted else { continue }
            if keys.count > 1 { text += "," }
            blank()
            quoted(key)
            blank()
            text += ":"
            value(depth: depth)
        }
        text += "}"
    }

    private mutating func size() -> Int {
        budget > 0 ? random.below(1 + min(budget, 9)) : 0
    }

    private mutating func blank() {
        if random.oneIn(10) { text += random.pick([" ", "\t", "\r", "  "]) }
    }
}

extension RandomJSON {
    private static let edges: [String] = {
        let bits: [UInt64] = [
            7, 8, 11, 12, 15, 16, 23, 24, 31, 32, 39, 40, 47, 48, 52, 53, 55, 56, 62, 63,
        ]
        var numbers = ["0", "-0", "18446744073709551615", "18446744073709551616"]
        numbers += ["-9223372036854775808", "-9223372036854775809", "99999999999999999999"]
        for bit in bits {
            let power = UInt64(1) << bit
            numbers += ["\(power - 1)", "\(power)", "\(power + 1)"]
            if bit < 63 { numbers += ["-\(power - 1)", "-\(power)", "-\(power + 1)"] }
        }
        return numbers
    }()

    private static let decimals = [
        "0.0", "-0.0", "0.5", "-1.5", "1e2", "1E+2", "1.0e-7", "0.1", "3.14159265358979", "1e22",
        "1e23", "123456789.125", "3.4028234663852886e38", "3.4028235677973366e38", "1e-45",
        "5e-324",
        "2.2250738585072014e-308", "1.7976931348623157e308", "0.30000000000000004", "16777217.0",
        "307.79998779296875", "9007199254740993.0", "1.00000000000000000000000001", "0e0", "100e-2",
    ]

    private mutating func number() {
        switch random.below(4) {
        case 0: text += random.pick(Self.edges)
        case 1: text += random.pick(Self.decimals)
        case 2: text += "\(random.below(5000) - 2500)"
        default:
            // A mantissa of up to 17 digits and a small or a large exponent.
            let digits = String(random.next() % 100_000_000_000_000_000)
            let sign = random.oneIn(3) ? "-" : ""
            let exponent = random.oneIn(2) ? random.below(20) : random.below(560) - 280
            text += "\(sign)\(digits.first ?? "0").\(digits)e\(exponent)"
        }
    }

    private mutating func newKey() -> String {
        switch random.below(3) {
        case 0: "id-\(random.below(4000))"
        case 1: "not eligible \(random.below(300))"
        default: String(repeating: "k", count: random.below(20))
        }
    }

    private mutating func newString() -> String {
        let letters = [
            "a", "b", "z", " ", "/", "\"", "\\", "\n", "\t", "\u{8}", "\u{1F}", "é", "☠", "𝄞",
            "\u{7F}",
        ]
        // Up to 15 bytes are shared; from 128 on the count takes two bytes.
        let count = random.pick([2, 3, 7, 14, 15, 16, 17, 30, 127, 128, 129, 200])
        return (0..<count).map { _ in random.pick(letters) }.joined()
    }

    private mutating func quoted(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || random.oneIn(50) {
                escape(scalar)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        let short: [Unicode.Scalar: String] = [
            "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\n": #"\n"#, "\t": #"\t"#, "\u{8}": #"\b"#,
        ]
        if let escape = short[scalar], random.oneIn(2) {
            text += escape
            return
        }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
            text += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Words, then much of one kind, then the words again from afar.
    private mutating func largeDocument() -> String {
        text = "["
        for word in words {
            quoted(word)
            text += ","
        }
        switch random.below(3) {
        case 0: text += "\"" + String(repeating: "x", count: 32_000 + random.below(2000)) + "\","
        case 1: for _ in 0..<4500 { text += "\(random.below(40_000_000))," }
        default:
            for index in 0..<1500 {
                text += #"{"n":\#(index),"some key":"text \#(random.below(5000))"},"#
            }
        }
        for _ in 0..<5 {
            budget = 30
            object(depth: 1)
            text += ","
        }
        for word in words {
            quoted(word)
            text += ","
        }
        text += "0]"
        return text
    }
}
