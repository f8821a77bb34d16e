/// Parses the text of a path, byte by byte: all special characters are ASCII.
struct PropertyPathParser {
    let text: [UInt8]
    let isLenient: Bool
    private var position = 0
    private var components: [PropertyPath.Component] = []

    init(text: [UInt8], isLenient: Bool) {
        self.text = text
        self.isLenient = isLenient
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    mutating func parse() throws -> [PropertyPath.Component] {
        guard !text.isEmpty else { throw error("a path is empty; the value itself is $") }
        if try skipRoot() { return [] }
        while let byte = next {
            if byte == UInt8(ascii: "[") {
                try readBracket()
            } else {
                try readName()
            }
            try readSeparator()
        }
        return components
    }

    /// Skips `$` and `$.`; returns true if nothing follows.
    private mutating func skipRoot() throws -> Bool {
        let hasRoot = next == UInt8(ascii: "$")
        if hasRoot { position += 1 }
        if next == UInt8(ascii: ".") {
            guard hasRoot || isLenient || text.count == 1 else {
                throw error("a name is missing before the '.'")
            }
            position += 1
        } else if hasRoot, let byte = next, byte != UInt8(ascii: "[") {
            throw error("after $ comes a '.' or '['; a name that begins with $ is written \\$")
        }
        return position == text.count
    }

    private mutating func readName() throws {
        var name: [UInt8] = []
        scan: while let byte = next {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "["): break scan
            case UInt8(ascii: "\\"):
                position += 1
                guard let escaped = next else { throw error("a '\\' at the end") }
                name.append(escaped)
            default: name.append(byte)
            }
            position += 1
        }
        guard !name.isEmpty else {
            guard isLenient else { throw error("a name is missing") }
            return
        }
        components.append(.key(String(decoding: name, as: UTF8.self)))
    }

    /// Parses an index or a quoted name.
    private mutating func readBracket() throws {
        position += 1
        if next == UInt8(ascii: "\"") {
            try readQuotedName()
        } else {
            try readIndex()
        }
        if next == UInt8(ascii: "]") {
            position += 1
        } else if !(isLenient && next == nil) {
            throw error("']' is expected")
        }
    }

    private mutating func readQuotedName() throws {
        var name: [UInt8] = []
        position += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { position += 1 }
            if let literal = next { name.append(literal) }
            position += 1
        }
        guard position < text.count else { throw error("'\"' is expected", at: text.count) }
        position += 1
        components.append(.key(String(decoding: name, as: UTF8.self)))
    }

    private mutating func readIndex() throws {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
        let digits = String(decoding: text[start..<position], as: UTF8.self)
        guard let index = Int32(digits) else {
            throw error("an array index (a 32-bit integer) is expected", at: start)
        }
        components.append(.index(Int(index)))
    }

    /// Parses the separator between two steps.
    private mutating func readSeparator() throws {
        switch next {
        case nil, UInt8(ascii: "["): return
        case UInt8(ascii: "."):
            position += 1
            guard isLenient || next != nil, isLenient || next != UInt8(ascii: "[") else {
                throw error("a name is missing after the '.'")
            }
        default: throw error("'.' or '[' is expected")
        }
    }

    private func error(_ message: String, at offset: Int? = nil) -> FleeceError {
        FleeceError(.invalidData, message, offset: offset ?? position)
    }
}
