internal import DocumentStore
internal import SampleData
internal import StorePlatform

/// Random values for the placeholders of a template, from a seed.
struct GeneratorValues {
    private var random: SeededGenerator
    private var texts: Paragraphs
    /// The current value of each `range`, by its source.
    private var ranges: [String: Int] = [:]
    /// Words that are not used yet.
    private var words: ArraySlice<Substring> = []
    /// The number of the document, from 0.
    var index = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        texts = Paragraphs(count: .max, seed: seed)
    }

    /// The number of repetitions of `repeat`.
    mutating func count(_ function: GeneratorFunction) -> Int {
        let bounds = function.arguments.compactMap(\.integer)
        return integer(from: bounds[0], to: bounds[bounds.count - 1])
    }

    /// A value as text inside a longer string.
    mutating func text(_ function: GeneratorFunction) throws -> String {
        switch function.name {
        case "date", "guid", "lorem", "random": try string(function)
        default: try json(function).string
        }
    }

    /// A value of the function's type.
    mutating func json(_ function: GeneratorFunction) throws -> JSONText {
        var text = JSONText()
        switch function.name {
        case "bool": text.append(random.below(2) == 0 ? "false" : "true")
        case "integer":
            let bounds = function.arguments.compactMap(\.integer)
            text.append(integer(from: bounds[0], to: bounds[1]))
        case "index": text.append(index)
        case "repeat": text.append(count(function))
        case "range": text.append(next(ofRange: function))
        case "floating": text.append(floating(function))
        case "gauss":
            let values = function.arguments.compactMap(\.number)
            text.append(values[0] + values[1] * deviation())
        case "random":
            let argument = random.pick(function.arguments)
            let isBare = !argument.isQuoted && CSVLiteral.isOne(Array(argument.text.utf8))
            if isBare {
                text.utf8 += argument.text.utf8
            } else {
                text.append(quoted: argument.text)
            }
        default: text.append(quoted: try string(function))
        }
        return text
    }

    private mutating func string(_ function: GeneratorFunction) throws -> String {
        switch function.name {
        case "guid": return guid()
        case "random": return random.pick(function.arguments).text
        case "date":
            let bounds = function.arguments.compactMap(\.date)
            let span = Int(bounds[1] - bounds[0]) + 1
            return FleeceTimestamp(milliseconds: bounds[0] + Int64(random.below(span))).text()
        default: return lorem(function)
        }
    }

    private mutating func integer(from low: Int, to high: Int) -> Int {
        let span = UInt64(bitPattern: Int64(high)) &- UInt64(bitPattern: Int64(low))
        guard span < UInt64(Int.max) else { return low &+ Int(random.next() >> 1) }
        return low + random.below(Int(span) + 1)
    }

    /// A number from 0 to less than 1.
    private mutating func fraction() -> Double { Double(random.next() >> 11) * 0x1p-53 }

    private mutating func floating(_ function: GeneratorFunction) -> Double {
        let bounds = function.arguments.compactMap(\.number)
        let value = bounds[0] + (bounds[1] - bounds[0]) * fraction()
        guard function.arguments.count == 3, let digits = function.arguments[2].integer else {
            return value
        }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (value * scale).rounded() / scale
        return rounded.isFinite ? rounded : value
    }

    /// An approximately normal value: the sum of twelve fractions has the variance 1. This needs no
    /// logarithm, whose last bits differ between machines.
    private mutating func deviation() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + fraction() }
    }

    /// Returns the next value of a range, which continues from document to document and restarts at
    /// its end.
    private mutating func next(ofRange function: GeneratorFunction) -> Int {
        let values = function.arguments.compactMap(\.integer)
        let (start, stop) = values.count == 1 ? (0, values[0]) : (values[0], values[1])
        let step = values.count == 3 ? values[2] : 1
        let value = ranges[function.source] ?? start
        let (following, isOver) = value.addingReportingOverflow(step)
        let isAtEnd = isOver || (step >= 0 ? following >= stop : following <= stop)
        ranges[function.source] = isAtEnd ? start : following
        return value
    }

    private mutating func guid() -> String {
        var digits = Array(repeating: UInt8(0), count: 16)
        for index in digits.indices { digits[index] = UInt8(truncatingIfNeeded: random.next()) }
        // Version 4, variant 1 (RFC 9562).
        digits[6] = digits[6] & 0x0F | 0x40
        digits[8] = digits[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in digits.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += Hexadecimal.encoded([byte])
        }
        return text
    }

    private mutating func lorem(_ function: GeneratorFunction) -> String {
        let count = function.arguments[0].integer ?? 0
        switch function.unit {
        case "paragraphs":
            return (0..<count).map { _ in texts.next() ?? "" }.joined(separator: "\n\n")
        case "sentences":
            return (0..<count).map { _ in
                let length = 6 + random.below(12)
                let words = (0..<length).map { _ in word() }.joined(separator: " ")
                return words.prefix(1).uppercased() + words.dropFirst() + "."
            }.joined(separator: " ")
        default: return (0..<count).map { _ in word() }.joined(separator: " ")
        }
    }

    private mutating func word() -> String {
        while true {
            if let word = words.popFirst() {
                let letters = word.filter(\.isLetter)
                if !letters.isEmpty { return letters.lowercased() }
            } else {
                words = (texts.next() ?? "word").split(separator: " ")[...]
            }
        }
    }
}
