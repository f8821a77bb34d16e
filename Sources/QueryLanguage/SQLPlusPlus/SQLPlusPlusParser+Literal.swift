internal import FleeceLite

extension SQLPlusPlusParser {
    /// Reads a number. One that no integer can hold becomes a floating-point number.
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

    /// Reads `{"key": value, …}`; the brace has been read. The order of keys says nothing.
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
