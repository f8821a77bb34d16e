internal import DocumentStore
internal import SQLCore
internal import StoreTools

// FTS4 (https://sqlite.org/fts3.html#shadow_tables) stores terms in segments, each sorted by the
// terms' bytes. A term of a newer segment (lower level) overrides that of older ones.
//
//   leaf       height 0, then terms
//   term       [length of the prefix shared with the previous term,] length of the rest, the rest,
//              length of the document list, the list
//   list       documents: ID, as difference to the previous one, and positions
//   positions  0 ends them, 1 and a number start a column, others are a position + 2
//
// All numbers are varints: 7 bits per byte, lowest first. A document without positions was removed
// after the older segments were written.

/// The terms of a full-text index, read from the FTS4 shadow tables, each once, in byte order.
struct IndexedWords {
    /// A term with its counts.
    struct Word {
        let text: String
        let documents: Int
        let occurrences: Int
    }

    private let snapshot: Snapshot
    private let table: String
    private var segments: [WordSegment] = []

    init(_ table: String, _ snapshot: Snapshot) throws {
        self.table = table
        self.snapshot = snapshot
        let sql = """
            SELECT start_block, leaves_end_block, root FROM \(SQLText.name(table + "_segdir"))
            ORDER BY level, idx DESC
            """
        var segments: [WordSegment] = []
        try snapshot.sqlRows(sql) { row in
            segments.append(
                WordSegment(
                    first: row.value(at: 0).integerValue ?? 0,
                    last: row.value(at: 1).integerValue ?? 0,
                    root: row.value(at: 2).bytesValue ?? []))
            return true
        }
        self.segments = segments
    }

    /// Calls `body` for each term, until it returns false.
    ///
    /// - Throws: a tool error for damaged segments.
    func forEach(_ body: (Word) throws -> Bool) throws {
        var segments = segments
        for index in segments.indices { try segments[index].advance(block) }
        while let least = segments.compactMap(\.term).min(by: { $0.lexicographicallyPrecedes($1) })
        {
            var counts: [Int64: Int] = [:]
            for index in segments.indices where segments[index].term == least {
                try segments[index].forEachDocument { document, count in
                    // The newest segment comes first.
                    if counts[document] == nil { counts[document] = count }
                }
                try segments[index].advance(block)
            }
            let kept = counts.values.filter { $0 > 0 }
            guard !kept.isEmpty else { continue }
            let word = Word(
                text: String(decoding: least, as: UTF8.self), documents: kept.count,
                occurrences: kept.reduce(0, +))
            guard try body(word) else { return }
        }
    }

    private func block(_ number: Int) throws -> [UInt8] {
        var bytes: [UInt8]?
        let sql = "SELECT block FROM \(SQLText.name(table + "_segments")) WHERE blockid=?"
        try snapshot.sqlRows(sql, [.long(Int64(number))]) { row in
            bytes = row.value(at: 0).bytesValue
            return false
        }
        guard let bytes else { throw WordSegment.damage }
        return bytes
    }
}

/// A sorted run of terms, read leaf by leaf.
struct WordSegment {
    private var nextLeaf: Int
    private let lastLeaf: Int
    private var leaf: ArraySlice<UInt8>
    private var hasLeafStarted: Bool
    private var list: ArraySlice<UInt8> = []
    /// The current term; nil at the end, and before the first.
    private(set) var term: [UInt8]?

    static let damage = ToolError(
        "the full-text data of the index is damaged; rebuild it with reindex", status: .damaged)

    /// - Parameter root: the only leaf, if there are no blocks.
    init(first: Int, last: Int, root: [UInt8]) {
        nextLeaf = first
        lastLeaf = first == 0 ? -1 : last
        leaf = first == 0 ? root[...] : []
        hasLeafStarted = false
    }

    /// Advances to the next term.
    mutating func advance(_ block: (Int) throws -> [UInt8]) throws {
        if leaf.isEmpty {
            guard nextLeaf > 0, nextLeaf <= lastLeaf else {
                term = nil
                return
            }
            leaf = try block(nextLeaf)[...]
            nextLeaf += 1
            hasLeafStarted = false
        }
        guard !hasLeafStarted else { return try readTerm(sharing: Int(clamping: try number())) }
        guard try number() == 0 else { throw Self.damage }
        hasLeafStarted = true
        try readTerm(sharing: 0)
    }

    private mutating func readTerm(sharing count: Int) throws {
        let before = term ?? []
        guard count >= 0, count <= before.count else { throw Self.damage }
        term = Array(before.prefix(count)) + (try bytes(Int(clamping: try number())))
        list = try bytes(Int(clamping: try number()))
    }

    /// Calls `body` for each document of the term, with the number of its positions.
    func forEachDocument(_ body: (Int64, Int) -> Void) throws {
        var rest = list
        var document: Int64 = 0
        while !rest.isEmpty {
            document &+= try Self.number(&rest)
            var count = 0
            while true {
                let value = try Self.number(&rest)
                if value == 0 { break }
                if value == 1 {
                    _ = try Self.number(&rest)
                } else {
                    count += 1
                }
            }
            body(document, count)
        }
    }

    private mutating func number() throws -> Int64 { try Self.number(&leaf) }

    private mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= leaf.count else { throw Self.damage }
        defer { leaf = leaf.dropFirst(count) }
        return leaf.prefix(count)
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) throws -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int64(bitPattern: value) }
            shift += 7
            guard shift < 70 else { break }
        }
        throw damage
    }
}
