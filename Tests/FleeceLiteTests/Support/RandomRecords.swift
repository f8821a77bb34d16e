import SampleData

/// Creates JSON documents of repeated kinds, and of extreme sizes, of which `RandomJSON` has too
/// few.
struct RandomRecords {
    private var random: SeededGenerator
    /// The keys, in JSON, of each kind of record.
    private let shapes: [[String]]
    private let texts: [String]
    private var countedDocuments = 0

    init(random: SeededGenerator) {
        self.random = random
        shapes = (0..<14).map { kind in
            let keys = (0..<(2 + 2 * kind)).map { "\"\(["k", "field_", "id-"][kind % 3])\($0)\"" }
            return keys + Self.oddKeys[..<(kind % (Self.oddKeys.count + 1))]
        }
        texts = (0..<30).map { "\"text \($0)\"" } + (0..<10).map { "\"\($0)\"" }
    }

    /// Of 14 to 17 bytes, with characters that JSON escapes, and with ineligible ones.
    private static let oddKeys = [
        #""fourteen_bytes""#, #""fifteen_bytes__""#, #""sixteen-bytes-xx""#,
        #""seventeen-bytes-x""#, #""quoted \"key\"""#, #""line\nfeed""#, #""\u0061bc""#, #""é""#,
        #""\ud834\udd1e""#, #""two words""#, #""back\\slash of 17""#, #""""#, #""a.b/c""#,
    ]

    mutating func document() -> String {
        switch random.below(36) {
        case 0: return counted()
        case 1: return nested()
        case 2: return long()
        case 3, 4: return numbers()
        case 5, 6, 7:
            return "[" + (0..<6).map { _ in record(depth: 3) }.joined(separator: ",") + "]"
        default: return record(depth: 0)
        }
    }

    /// A record of one of the shapes, sometimes with its keys in another order, or without some.
    private mutating func record(depth: Int) -> String {
        var keys = random.pick(shapes)
        switch random.below(8) {
        case 0: keys.reverse()
        case 1: keys = random.shuffled(keys)
        case 2:
            let cut = random.below(keys.count)
            keys = Array(keys[cut...] + keys[..<cut])
        default: break
        }
        let isSparse = random.oneIn(3)
        let pairs = keys.compactMap { key -> String? in
            isSparse && random.oneIn(5) ? nil : key + ":" + value(depth: depth)
        }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    private mutating func value(depth: Int) -> String {
        switch random.below(depth < 4 ? 14 : 12) {
        case 0: random.pick(["null", "true", "false", "[]", "{}", #""""#])
        case 1, 2, 3: "\(random.below(3000))"
        case 4: "\(random.below(1 << 40))"
        case 5: "\(Double(random.below(100_000)) / 64)"
        case 6...11: random.pick(texts)
        case 12: "[" + value(depth: depth + 2) + "," + value(depth: depth + 2) + "]"
        default: record(depth: depth + 2)
        }
    }
}

extension RandomRecords {
    /// About as many items as a header can count.
    private mutating func counted() -> String {
        countedDocuments += 1
        let count = 2044 + countedDocuments % 6
        let items = (0..<count).map { index in random.oneIn(8) ? "null" : "\(index)" }
        if random.oneIn(2) { return "[" + items.joined(separator: ",") + "]" }
        let prefix = random.pick(["n", "not eligible ", ""])
        let pairs = items.enumerated().map { "\"\(prefix)\(count - $0)\":\($1)" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// As deep as JSON may be, or less.
    private mutating func nested() -> String {
        let depth = 100 - (random.oneIn(2) ? 0 : random.below(60))
        let isObject = (0..<depth).map { _ in random.oneIn(2) }
        let start = isObject.map { $0 ? random.pick([#"{"a":"#, #"{"k0":"#, #"{"":"#]) : "[" }
        let end = isObject.reversed().map { $0 ? "}" : "]" }
        return start.joined() + value(depth: 9) + end.joined()
    }

    /// Strings of the lengths where their form changes, far enough apart to be written again.
    private mutating func long() -> String {
        let lengths = [13, 14, 15, 16, 17, 126, 127, 128, 129, 130, 16_382, 16_383, 16_384, 16_385]
        var strings: [String] = []
        for _ in 0..<12 {
            let length = random.pick(lengths)
            let letter = random.pick(["x", "y", "é", "\\u0041", "\\n"])
            let size = letter == "é" ? 2 : 1
            let rest = length % size == 0 ? "" : "a"
            strings.append("\"" + rest + String(repeating: letter, count: length / size) + "\"")
        }
        guard random.oneIn(2) else { return "[" + strings.joined(separator: ",") + "]" }
        let keys = Set(strings).sorted()
        return "{" + keys.map { "\($0):\(random.below(9))" }.joined(separator: ",") + "}"
    }

    /// Numbers of any size, with as few digits as distinguish them from others, or 17.
    private mutating func numbers() -> String {
        var numbers: [String] = []
        while numbers.count < 40 {
            let bits = random.next()
            let number = Double(bitPattern: bits)
            switch random.below(6) {
            case 0: numbers.append("\(bits >> UInt64(random.below(64)))")
            case 1: numbers.append("-\(bits >> UInt64(1 + random.below(63)))")
            case 2: numbers.append("\(Double(bitPattern: bits >> UInt64(12 + random.below(52))))")
            case 3: numbers.append("\(Float(bitPattern: UInt32(bits >> 33) % 0x7F00_0000))")
            case 4:
                let power = Double(sign: .plus, exponent: random.below(70), significand: 1)
                numbers.append("\(random.pick([power.nextUp, power, power.nextDown]))")
            default: if number.isFinite { numbers.append("\(number)") }
            }
        }
        return "[" + numbers.joined(separator: ",") + "]"
    }
}
