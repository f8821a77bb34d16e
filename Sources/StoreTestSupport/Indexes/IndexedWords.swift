internal import SQLCore

/// A word of a full-text index, and its position.
struct IndexedWord: Hashable, CustomStringConvertible {
    let word: [UInt8]
    let row: Int64
    let column: Int
    let position: Int

    var description: String {
        "\"\(String(decoding: word, as: UTF8.self))\" in row \(row), column \(column) "
            + "at \(position)"
    }
}

/// The contents of the segments of an FTS4 table, read according to its file format.
struct IndexedWords {
    private(set) var all: [IndexedWord] = []
    /// The rows found for each word, latest segment first.
    private var seen: Set<WordInRow> = []

    private struct WordInRow: Hashable {
        let word: [UInt8]
        let row: Int64
    }

    /// The bytes are not a valid segment.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    init(_ table: String, _ context: SQLContext) throws {
        // Lower levels are newer, and within a level higher numbers.
        let segments = try context.selectAll(
            sql: """
                SELECT start_block, leaves_end_block, root FROM \((table + "_segdir").sqlName)
                ORDER BY level, idx DESC
                """)
        for segment in segments {
            guard let first = segment[0].longValue, let last = segment[1].longValue else {
                throw Damage(description: "a segment without blocks")
            }
            if first == 0 {
                try readLeaf(segment[2].bytesValue ?? [])
                continue
            }
            for block in first...max(first, last) {
                let bytes = try context.selectValue(
                    sql: "SELECT block FROM \((table + "_segments").sqlName) WHERE blockid = ?",
                    parameters: [.long(block)])
                try readLeaf(bytes?.bytesValue ?? [])
            }
        }
    }

    /// A leaf: its height 0, then words that share a prefix with the previous one.
    private mutating func readLeaf(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.number() == 0 else { throw Damage(description: "a leaf's height") }
        var word: [UInt8] = []
        while !reader.isAtEnd {
            let kept = word.isEmpty ? 0 : try reader.number()
            let suffix = try reader.bytes(reader.number())
            word = Array(word.prefix(Int(kept))) + suffix
            try readRows(of: word, reader.bytes(reader.number()))
        }
    }

    /// The rows that have a word: the difference to the previous row, then the positions.
    private mutating func readRows(of word: [UInt8], _ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        var row: Int64 = 0
        while !reader.isAtEnd {
            row &+= Int64(bitPattern: try reader.number())
            // A row without positions was deleted; older segments are ignored for it.
            let isLatest = seen.insert(WordInRow(word: word, row: row)).inserted
            var (column, position) = (0, 0)
            while case let number = try reader.number(), number != 0 {
                if number == 1 {
                    column = Int(try reader.number())
                    position = 0
                } else {
                    position += Int(number) - 2
                    guard isLatest else { continue }
                    all.append(
                        IndexedWord(word: word, row: row, column: column, position: position))
                }
            }
        }
    }
}

/// Reads numbers of 7 bits a byte, lowest first.
struct ByteReader {
    private let source: [UInt8]
    private var offset = 0

    init(_ source: [UInt8]) {
        self.source = source
    }

    var isAtEnd: Bool { offset == source.count }

    mutating func number() throws -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while offset < source.count, shift < 64 {
            let byte = source[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw IndexedWords.Damage(description: "a number without an end")
    }

    mutating func bytes(_ count: UInt64) throws -> [UInt8] {
        guard count <= UInt64(source.count - offset) else {
            throw IndexedWords.Damage(description: "\(count) bytes beyond the end")
        }
        defer { offset += Int(count) }
        return Array(source[offset..<offset + Int(count)])
    }
}
