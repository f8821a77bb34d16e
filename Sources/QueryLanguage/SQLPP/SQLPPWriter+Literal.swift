internal import FleeceLite
internal import StoreFormat

extension SQLPPWriter {
    /// Writes a literal; a number that is not finite becomes null, as in JSON.
    mutating func write(_ literal: QueryLiteral) {
        switch literal {
        case .missing: append("MISSING")
        case .null: append("NULL")
        case .boolean(let boolean): append(boolean ? "TRUE" : "FALSE")
        case .integer(let integer): append("\(integer)")
        case .unsigned(let integer): append("\(integer)")
        case .real(let real): append(real.isFinite ? "\(real)" : "NULL")
        case .string(let string): append(Self.quoted(string, by: "'"))
        }
    }

    mutating func write(_ entries: [QueryDictionaryEntry]) {
        append("{")
        for (index, entry) in entries.enumerated() {
            append("\(index > 0 ? ", " : "")\(Self.quoted(entry.key, by: "'")): ")
            write(entry.value)
        }
        append("}")
    }

    mutating func write(_ path: PropertyPath) {
        guard let first = path.components.first else { return append("*") }
        if case .key(let name) = first {
            append(Self.quotedName(name))
            writeSteps(path.components.dropFirst())
        } else {
            append("*")
            writeSteps(path.components[...])
        }
    }

    private mutating func writeSteps(_ steps: ArraySlice<PropertyPath.Component>) {
        for step in steps {
            switch step {
            case .key(let name): append("." + Self.quotedName(name))
            case .index(let index): append("[\(index)]")
            }
        }
    }

    /// Writes a value and a path that begins at it. Parentheses are added where the value would
    /// absorb the path or where the path would make it a number.
    mutating func write(_ value: QueryExpression, followedBy path: PropertyPath) {
        switch value {
        case .array, .dictionary, .function, .call, .subquery, .parameter, .prediction:
            write(value)
        default:
            append("(")
            write(value)
            append(")")
        }
        writeSteps(path.components[...])
    }

    /// The third argument of `PREDICTION`. A string argument can begin with an index, or be empty.
    mutating func writePredicted(_ path: PropertyPath) {
        append(", ")
        if case .key = path.components.first {
            writeSteps(path.components[...])
        } else {
            let text = path.components.isEmpty ? "" : path.description
            append(Self.quoted("." + text, by: "'"))
        }
    }

    /// A name, in back quotes unless it is unambiguous without them.
    package static func quotedName(_ name: String) -> String {
        let bytes = name.utf8
        let isWord = bytes.allSatisfy { byte in
            byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A
                || byte >= 0x61 && byte <= 0x7A || byte == 0x5F || byte == 0x24
        }
        guard isWord, let first = bytes.first, first > 0x39, SQLPPKeyword(bytes) == nil,
            !SQLPPContextualKeyword.needingQuotes.contains(String(asciiLowercase: bytes))
        else { return quoted(name, by: "`") }
        return name
    }

    private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView()
        quoted.append(quote)
        for scalar in text.unicodeScalars {
            if scalar == quote { quoted.append(quote) }
            quoted.append(scalar)
        }
        quoted.append(quote)
        return String(quoted)
    }
}

/// The reserved words of SQL++, which are names only in back quotes.
package enum SQLPPKeyword: String, CaseIterable, Hashable, Sendable {
    case and, any, `as`, asc, between, by, `case`, collate, cross, desc, distinct, `else`, end
    case every, `false`, from, group, having, `in`, inner, `is`, join, left, like, limit, missing
    case natural, not, null, offset, on, or, order, outer, right, satisfies, select, then, `true`
    case unnest, using, valued, when, `where`

    /// The keyword with this spelling, in any case.
    init?(_ bytes: some Swift.Collection<UInt8>) {
        let count = bytes.count
        guard count < Self.byLength.count else { return nil }
        let spelling = Spelling(bytes)
        guard let known = Self.byLength[count].first(where: { $0.spelling == spelling }) else {
            return nil
        }
        self = known.keyword
    }

    /// The keywords by their length in bytes.
    private static let byLength: [[(spelling: Spelling, keyword: SQLPPKeyword)]] = {
        let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0
        return (0...longest).map { length in
            allCases.filter { $0.rawValue.utf8.count == length }
                .map { (Spelling($0.rawValue.utf8), $0) }
        }
    }()

    /// Up to 16 bytes as two numbers, letters in lower case: comparing them costs no memory.
    private struct Spelling: Equatable {
        private var first: UInt64 = 0
        private var second: UInt64 = 0

        init(_ bytes: some Swift.Collection<UInt8>) {
            for byte in bytes {
                second = second << 8 | first >> 56
                // The lower-case letter; other bytes are not in keywords, and do not become one.
                let isUpperCase = byte >= 0x41 && byte <= 0x5A
                first = first << 8 | UInt64(isUpperCase ? byte | 0x20 : byte)
            }
        }
    }
}
