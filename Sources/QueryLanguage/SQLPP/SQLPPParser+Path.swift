internal import FleeceLite

extension SQLPPParser {
    /// Reads a name, with or without back quotes.
    mutating func parseName(_ expected: String) throws -> String {
        guard let name else { throw unexpected(expected) }
        advance()
        return name
    }

    /// The text between the quotes of the next token.
    var unquoted: String {
        guard let quote = source.first else { return "" }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var isSecond = false
        for byte in source.dropFirst().dropLast() {
            isSecond = byte == quote && !isSecond
            if !isSecond { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the path of a property from the document; `*` is the document itself.
    mutating func parsePath() throws -> PropertyPath {
        if skip(.star) {
            // Only an index can follow: the dot of `*.a` would begin another kind of path.
            return kind == .symbol(.leftBracket) ? try parseSteps([]) : PropertyPath([])
        }
        return try parseSteps([.key(parseName("the path of a property"))])
    }

    /// Reads the rest of a path after its first component: `.name`, `[index]`, and a final `.*`.
    mutating func parseSteps(_ first: [PropertyPath.Component]) throws -> PropertyPath {
        var steps = first
        while true {
            if skip(.leftBracket) {
                steps.append(.index(try parseIndex()))
            } else if skip(.dot) {
                if skip(.star) { return PropertyPath(steps) }
                steps.append(.key(try parseStep()))
            } else {
                return PropertyPath(steps)
            }
        }
    }

    /// Reads a name after a dot, where keywords are names.
    mutating func parseStep(_ expected: String = "a name or '*'") throws -> String {
        guard case .keyword = kind else { return try parseName(expected) }
        defer { advance() }
        return String(decoding: source, as: UTF8.self)
    }

    /// Reads an index and its bracket; array indexes fit 32 bits.
    private mutating func parseIndex() throws -> Int {
        let isNegative = skip(.minus)
        guard kind == .integer,
            let index = Int32((isNegative ? "-" : "") + String(decoding: source, as: UTF8.self))
        else { throw unexpected("the index of an element") }
        advance()
        try expect(.rightBracket)
        return Int(index)
    }

    /// Reads the path after a value, if there is one.
    mutating func parseSuffixes(after value: QueryExpression) throws -> QueryExpression {
        guard kind == .symbol(.dot) || kind == .symbol(.leftBracket) else { return value }
        let path = try parseSteps([])
        guard !path.components.isEmpty else { return value }
        try grow(on: height)
        return .nested(value, path)
    }
}

extension SQLPPParser {
    /// Reads a number. A number that no integer type can represent becomes a floating-point number.
    mutating func parseNumber(isNegative: Bool) throws -> QueryExpression {
        let digits = (isNegative ? "-" : "") + String(decoding: source, as: UTF8.self)
        growLeaf()
        if kind == .integer {
            if let integer = Int64(digits) {
                advance()
                return .literal(.integer(integer))
            } else if let integer = UInt64(digits) {
                advance()
                return .literal(.unsigned(integer))
            }
        }
        guard let real = Double(digits), real.isFinite else {
            throw unexpected("a number below 1.8e308")
        }
        advance()
        return .literal(.real(real))
    }

    /// Reads `{"key": value, …}` after its opening brace. The order of keys has no meaning.
    mutating func parseDictionary() throws -> QueryExpression {
        var tallest = 0
        var entries: [QueryDictionaryEntry] = []
        if !skip(.rightBrace) {
            repeat {
                guard kind == .string else { throw unexpected("a key in quotes") }
                let key = unquoted
                advance()
                try expect(.colon)
                entries.append(QueryDictionaryEntry(key: key, value: try parseExpression()))
                tallest = max(tallest, height)
            } while skip(.comma)
            try expect(.rightBrace, or: "an operator, ',' or ")
        }
        try grow(on: tallest)
        return .dictionary(entries.sortedByKey)
    }
}
