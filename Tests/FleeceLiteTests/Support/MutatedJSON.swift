import SampleData

/// Creates JSON that is slightly invalid, or different.
struct MutatedJSON {
    private var random: SeededGenerator
    private var texts: RandomJSON
    private var number = 0

    init(random: SeededGenerator) {
        var random = random
        texts = RandomJSON(random: SeededGenerator(seed: random.next()))
        self.random = random
    }

    private static let parts: [String] = [
        "", " ", "\n", ",", ":", "[", "]", "{", "}", "\"", "\\", "\\u", "\\ud834", "\\udd1e",
        "\\u0000", "\\n", "\\x", "0", "1", "-", "+", ".", "e", "E5", "e400", "00", "-0", "1.",
        "true", "null", "nul", "NaN", "Infinity", "//", "\u{0}", "\u{7F}", "\u{1F}", "é", "𝄞",
        "\u{FEFF}", "[[", "]]", "{\"a\":", "[1,", "'a'", "18446744073709551616",
    ]
    private static let wrongBytes: [UInt8] = [0x80, 0xBF, 0xC0, 0xC3, 0xE0, 0xED, 0xF0, 0xF5, 0xFF]

    /// A text of at most some thousand bytes, changed at up to three positions.
    mutating func next() -> [UInt8] {
        number += 1
        // Every fiftieth would be large.
        if number % 50 == 49 { number += 1 }
        var text = Array(texts.document(number).utf8)
        for _ in 0..<random.below(4) { mutate(&text, from: 0) }
        return text
    }

    /// Changes a position after `start`.
    mutating func mutate(_ text: inout [UInt8], from start: Int) {
        guard text.count > start else { return }
        let index = start + random.below(text.count - start)
        switch random.below(9) {
        case 0: text.remove(at: index)
        case 1: text[index] ^= 1 << random.below(8)
        case 2: text.insert(random.pick(Self.wrongBytes), at: index)
        case 3: text.removeLast(text.count - index)
        case 4: text.swapAt(index, start + random.below(text.count - start))
        case 5:
            let end = min(text.count, index + 1 + random.below(20))
            text.insert(contentsOf: text[index..<end], at: index)
        case 6: text[index] = random.pick(Array("[]{},:\"\\0-e. ".utf8))
        default: text.insert(contentsOf: random.pick(Self.parts).utf8, at: index)
        }
    }

    /// A nesting of about as many levels as are allowed.
    mutating func nested() -> [UInt8] {
        let isObject = (0..<(97 + random.below(6))).map { _ in random.oneIn(2) }
        let start = isObject.map { $0 ? #"{"a":"# : "[" }.joined()
        let end = isObject.reversed().map { $0 ? "}" : "]" }.joined()
        let inside = isObject.last == true ? "0" : random.pick(["", "0", "[]", "{}"])
        return Array((start + inside + end).utf8)
    }
}
