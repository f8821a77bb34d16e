internal import FleeceLite

/// A word, literal or punctuation character of SQL text.
package struct SQLTextToken: Hashable {
    package enum Kind { case word, quoted, string, number, sign }

    package let kind: Kind
    /// The token's text, without quotes.
    package let text: String

    /// Whether it is this keyword or unquoted name, ignoring case.
    package func isWord(_ lowercased: String) -> Bool {
        kind == .word && text.asciiLowercased == lowercased
    }

    package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    /// Whether it is this name, quoted or not.
    package func isName(_ name: String) -> Bool {
        (kind == .word || kind == .quoted) && text.hasSameBytes(as: name)
    }

    /// Whether SQLite reads both alike: older versions quoted different names than newer ones.
    package func isSame(as other: SQLTextToken) -> Bool {
        let isName =
            (kind == .word || kind == .quoted) && (other.kind == .word || other.kind == .quoted)
        return (isName || kind == other.kind) && text.hasSameBytes(as: other.text)
    }

    /// The tokens of SQL text, without white space and comments.
    package static func all(in sql: String) -> [SQLTextToken] {
        var reader = SQLTokenReader(bytes: Array(sql.utf8))
        var tokens: [SQLTextToken] = []
        while let token = reader.next() { tokens.append(token) }
        return tokens
    }
}

/// Tokenizes SQL like SQLite's own tokenizer.
private struct SQLTokenReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> SQLTextToken? {
        skipBlanks()
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        switch byte {
        case 0x27: return SQLTextToken(kind: .string, text: quoted(until: byte))
        case 0x22, 0x60: return SQLTextToken(kind: .quoted, text: quoted(until: byte))
        case 0x5B: return SQLTextToken(kind: .quoted, text: bracketed())
        case 0x30...0x39:
            return SQLTextToken(kind: .number, text: run { $0 == 0x2E || Self.isOfWord($0) })
        case _ where Self.isOfWord(byte):
            return SQLTextToken(kind: .word, text: run(Self.isOfWord))
        default:
            position += 1
            return SQLTextToken(kind: .sign, text: String(UnicodeScalar(byte)))
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...0xFF: true
        default: false
        }
    }

    private mutating func run(_ isPart: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// The text between two quotes; a doubled quote stands for one.
    private mutating func quoted(until quote: UInt8) -> String {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            if bytes[position] == quote {
                guard position + 1 < bytes.count, bytes[position + 1] == quote else { break }
                position += 1
            }
            text.append(bytes[position])
            position += 1
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func bracketed() -> String {
        let start = position + 1
        while position < bytes.count, bytes[position] != 0x5D { position += 1 }
        defer { position += 1 }
        return String(decoding: bytes[min(start, position)..<position], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            if bytes[position] <= 0x20 {
                position += 1
            } else if isPair(0x2D, 0x2D) {
                while position < bytes.count, bytes[position] != 0x0A { position += 1 }
            } else if isPair(0x2F, 0x2A) {
                position += 2
                while position < bytes.count, !isPair(0x2A, 0x2F) { position += 1 }
                position = min(position + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position] == first && bytes[position + 1] == second
    }
}

extension String {
    /// Whether the UTF-8 contains a byte that is below `limit` or equal to `other`.
    @inlinable @inline(__always)
    package func hasByte(below limit: UInt8, or other: UInt8) -> Bool {
        let result = utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where byte < limit || byte == other { return true }
            return false
        }
        return result ?? utf8.contains { $0 < limit || $0 == other }
    }
}
