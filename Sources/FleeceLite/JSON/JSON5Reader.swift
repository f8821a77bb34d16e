/// Converts JSON5 (spec.json5.org) to strict JSON, and reports all errors except numbers that are
/// out of the range of a double.
///
/// A loop with a stack of the open brackets; `JSON5Reader+Token` reads what is between them.
struct JSON5Reader {
    let input: UnsafeRawBufferPointer
    var position = 0
    /// The JSON written so far.
    var output = JSONText()
    /// The expected closing brackets, the innermost last.
    private var brackets: [UInt8] = []
    /// Whether a collection has just been opened, so that no comma is expected.
    private var isFirst = false
    /// The offset in the JSON whose origin in the JSON5 is requested.
    private let requestedOffset: Int
    /// The start of the last value that lies at or before `requestedOffset` in the JSON.
    private(set) var origin = 0

    init(_ input: UnsafeRawBufferPointer, origin requestedOffset: Int = 0) {
        self.input = input
        self.requestedOffset = requestedOffset
    }

    /// The next byte; 0 at the end, since no token starts with it.
    var next: UInt8 { byte(at: position) }

    func byte(at offset: Int) -> UInt8 { offset < input.count ? input[offset] : 0 }

    func error(_ message: String, at offset: Int? = nil) -> FleeceError {
        FleeceError(.jsonError, message, offset: offset ?? position)
    }

    /// An error at the current position: the message, unless the input has ended.
    func unexpected(_ message: String) -> FleeceError {
        error(position < input.count ? message : "the JSON5 is truncated")
    }
}

extension JSON5Reader {
    /// Reads the single value of the input, of any kind.
    mutating func readDocument() throws {
        if let wrong = UTF8Validation.firstInvalid(in: input) {
            throw error("the text is not UTF-8", at: wrong)
        }
        try skipBlanks()
        repeat { try readValue() } while try advance()
        try skipBlanks()
        guard position == input.count else { throw error("unexpected text after the JSON5 value") }
    }

    /// Reads a scalar, or opens a collection.
    private mutating func readValue() throws {
        // As in strict JSON, one more level is allowed if it is empty.
        guard brackets.count <= FleeceLimits.jsonDepth else {
            throw error("more than \(FleeceLimits.jsonDepth) levels of nesting")
        }
        if output.utf8.count <= requestedOffset { origin = position }
        switch next {
        case UInt8(ascii: "["): open("[", UInt8(ascii: "]"))
        case UInt8(ascii: "{"): open("{", UInt8(ascii: "}"))
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try readString()
        case UInt8(ascii: "t"): try readWord("true")
        case UInt8(ascii: "f"): try readWord("false")
        case UInt8(ascii: "n"): try readWord("null")
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "I"), UInt8(ascii: "N"):
            try readNumber()
        default: throw unexpected("a value is expected")
        }
    }

    private mutating func open(_ bracket: StaticString, _ closing: UInt8) {
        position += 1
        output.append(bracket)
        brackets.append(closing)
        isFirst = true
    }

    /// Advances to the next value, past commas, closing brackets and its key; returns false if the
    /// root value is complete.
    private mutating func advance() throws -> Bool {
        while let bracket = brackets.last {
            try skipBlanks()
            if !isFirst, next == UInt8(ascii: ",") {
                position += 1
                try skipBlanks()
            } else if !isFirst, next != bracket {
                throw unexpected(
                    bracket == UInt8(ascii: "]")
                        ? "',' or ']' is expected" : "',' or '}' is expected")
            }
            if next == bracket {
                position += 1
                output.utf8.append(bracket)
                brackets.removeLast()
                isFirst = false
                continue
            }
            if !isFirst { output.append(",") }
            isFirst = false
            if bracket == UInt8(ascii: "}") { try readKey() }
            return true
        }
        return false
    }

    /// Reads a key and the colon after it.
    private mutating func readKey() throws {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            try readString()
        } else {
            try readIdentifier()
        }
        try skipBlanks()
        guard next == UInt8(ascii: ":") else { throw unexpected("':' is expected") }
        position += 1
        output.append(":")
        try skipBlanks()
    }

    private mutating func readWord(_ word: StaticString) throws {
        guard takes(word), identifierPart(at: position) == nil else {
            throw error("a value is expected")
        }
        output.append(word)
    }

    /// Skips a word if it comes next.
    mutating func takes(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard (0..<count).allSatisfy({ byte(at: position + $0) == word.utf8Start[$0] }) else {
            return false
        }
        position += count
        return true
    }
}
