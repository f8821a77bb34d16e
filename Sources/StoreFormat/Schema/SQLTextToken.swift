internal import FleeceLite

/// A word, value or sign of a SQL text.
package struct SQLTextToken: Hashable {
    package enum Kind { case word, quoted, string, number, sign }

    package let kind: Kind
    /// As it stands in the text, without quotes.
    package let text: String

    /// Whether it is a keyword or name without quotes, in any case of its letters.
    package func isWord(_ lowercased: String) -> Bool {
        kind == .word && text.asciiLowercased == lowercased
    }

    package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    /// Whether it is this name, with or without quotes.
    package func isName(_ name: String) -> Bool {
        (kind == .word || kind == .quoted) && text.hasSameBytes(as: name)
    }

    /// Whether SQLite reads the same from both: older versions quoted other names than newer ones.
    package func isSame(as other: SQLTextToken) -> Bool {
        let isName =
            (kind == .word || kind == .quoted) && (other.kind == .word || other.kind == .quoted)
        return (isName || kind == other.kind) && text.hasSameBytes(as: other.text)
    }

    /// The tokens of a text; white space and comments are left out.
    package static func all(in sql: String) -> [SQLTextToken] {
        var reader = SQLTokenReader(bytes: Array(sql.utf8))
        var tokens: [SQLTextToken] = []
        while let token = reader.next() { tokens.append(token) }
        return tokens
    }
}

/// Reads SQL as SQLite's own tokenizer does.
private struct SQLTokenReader {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> SQLTextToken? {
        skipBlanks()
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        switch byte {
        case 0x27: return SQLTextToken(kind: .string, text: quoted(until: byte))
        case 0x22, 0x60: return SQLTextToken(kind: .quoted, text: quoted(until: byte))
        case 0x5B: return SQLTextToken(kind: .quoted, text: bracketed())
        case 0x30...0x39:
            return SQLTextToken(kind: .number, text: run { $0 == 0x2E || Self.isOfWord($0) })
        case _ where Self.isOfWord(byte):
            return SQLTextToken(kind: .word, text: run(Self.isOfWord))
        default:
            place += 1
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
        let start = place
        while place < bytes.count, isPart(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// What stands between two quotes; two of them in it are one.
    private mutating func quoted(until quote: UInt8) -> String {
        var text: [UInt8] = []
        place += 1
        while place < bytes.count {
            if bytes[place] == quote {
                guard place + 1 < bytes.count, bytes[place + 1] == quote else { break }
                place += 1
            }
            text.append(bytes[place])
            place += 1
        }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func bracketed() -> String {
        let start = place + 1
        while place < bytes.count, bytes[place] != 0x5D { place += 1 }
        defer { place += 1 }
        return String(decoding: bytes[min(start, place)..<place], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while place < bytes.count {
            if bytes[place] <= 0x20 {
                place += 1
            } else if isPair(0x2D, 0x2D) {
                while place < bytes.count, bytes[place] != 0x0A { place += 1 }
            } else if isPair(0x2F, 0x2A) {
                place += 2
                while place < bytes.count, !isPair(0x2A, 0x2F) { place += 1 }
                place = min(place + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
        place + 1 < bytes.count && bytes[place] == first && bytes[place + 1] == second
    }
}

extension String {
    /// Whether a byte of the UTF-8 is below `limit` or equal to `other`.
    @inlinable @inline(__always)
    package func hasByte(below limit: UInt8, or other: UInt8) -> Bool {
        let answer = utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where byte < limit || byte == other { return true }
            return false
        }
        return answer ?? utf8.contains { $0 < limit || $0 == other }
    }
}
