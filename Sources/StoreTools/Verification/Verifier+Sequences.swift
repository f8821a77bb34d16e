internal import DataFileCore
internal import SQLCore
internal import StoreFormat

// Conditions on all rows of a store together.
extension Verifier {
    func checkSequences(of store: KeyStoreName, _ tracks: [SequenceTrack]) throws {
        let tables = [false, true].compactMap { table(of: store, isTombstone: $0) }
        guard !tables.isEmpty else { return }
        try checkLastSequence(of: store, tables, tracks)
        guard tables.allSatisfy({ !isDamaged($0.name) }) else {
            return sink.skip(
                "whether a sequence or a key of \(store.displayName) occurs twice",
                "its tables have damaged pages")
        }
        try checkDoubleSequences(of: store, tables, tracks)
        if tables.count == 2 {
            try checkDoubleKeys(of: store, live: tables[0], tombstones: tables[1])
        }
    }

    /// Whether one pass has read the sequences of all rows.
    private func areComplete(_ tracks: [SequenceTrack], _ tables: [StoreTable]) -> Bool {
        options.sample == nil && tracks.count == tables.count
    }

    /// All sequences of a store, from both tables.
    private func sequences(of tables: [StoreTable], with column: String = "") -> String {
        tables.map { "SELECT sequence\(column) FROM main.\($0.name.sqlName)" }
            .joined(separator: " UNION ALL ")
    }

    private func checkDoubleSequences(
        of store: KeyStoreName, _ tables: [StoreTable], _ tracks: [SequenceTrack]
    ) throws {
        // Usually one pass has shown that there are no duplicates.
        let isPlain =
            areComplete(tracks, tables)
            && tracks[0].isApart(from: tracks.count > 1 ? tracks[1] : SequenceTrack())
        guard !isPlain else { return }
        var listed: [Int64] = []
        var count = 0
        try context.forEach(
            """
            SELECT sequence FROM (\(sequences(of: tables))) WHERE typeof(sequence) = 'integer'
            GROUP BY sequence HAVING count(*) > 1 ORDER BY sequence
            """
        ) { row in
            count += 1
            if listed.count < options.limit { listed.append(row.long(at: 0)) }
        }
        guard count > 0 else { return }
        let keys = try keys(ofSequences: listed, tables)
        for number in 0..<count {
            guard number < listed.count else {
                sink.add(.duplicateSequence, "", store: store)
                continue
            }
            let keys = keys[listed[number]] ?? []
            sink.add(
                .duplicateSequence,
                "the sequence \(listed[number]) occurs twice: \(Self.listed(keys))",
                store: store, key: keys.first)
        }
    }

    /// Some keys for each of some sequences, found in one pass.
    private func keys(
        ofSequences numbers: [Int64], _ tables: [StoreTable]
    ) throws -> [Int64: [String]] {
        guard !numbers.isEmpty else { return [:] }
        let list = numbers.map { "\($0)" }.joined(separator: ", ")
        var keys: [Int64: [String]] = [:]
        try context.forEach(
            "SELECT sequence, key FROM (\(sequences(of: tables, with: ", key"))) "
                + "WHERE sequence IN (\(list))"
        ) { row in
            let number = row.long(at: 0)
            if keys[number, default: []].count < Self.examples {
                keys[number, default: []].append(row.text(at: 1) ?? "")
            }
        }
        return keys.mapValues { $0.sorted() }
    }

    /// The number of keys in one message.
    static let examples = 3

    /// A list of keys for a message.
    static func listed(_ keys: [String]) -> String {
        keys.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private func checkDoubleKeys(
        of store: KeyStoreName, live: StoreTable, tombstones: StoreTable
    ) throws {
        try context.forEach(
            """
            SELECT d.key FROM main.\(tombstones.name.sqlName) AS d
            CROSS JOIN main.\(live.name.sqlName) AS l ON l.key = d.key ORDER BY d.key
            """
        ) { row in
            sink.add(
                .duplicateKey, "it is both in the live table and in the tombstone table",
                store: store, key: row.text(at: 0))
        }
    }

    /// `kvmeta` lags behind the rows in some files of real applications.
    private func checkLastSequence(
        of store: KeyStoreName, _ tables: [StoreTable], _ tracks: [SequenceTrack]
    ) throws {
        var highest = tracks.map(\.highest).max() ?? .min
        if !areComplete(tracks, tables), tables.allSatisfy({ !isDamaged($0.name) }) {
            let found = try context.selectValue(
                sql: """
                    SELECT max(sequence) FROM (\(sequences(of: tables)))
                    WHERE typeof(sequence) = 'integer'
                    """)
            highest = max(highest, found?.longValue ?? .min)
        }
        let last = try context.selectValue(
            sql: "SELECT lastSeq FROM main.kvmeta WHERE name=?", parameters: [.text(store.rawName)])
        guard highest > last?.longValue ?? 0 else { return }
        sink.add(
            .laggingSequence,
            "the last sequence is \(highest), but kvmeta has \(last?.longValue ?? 0)",
            store: store)
    }
}

/// What one pass over a table's rows shows about their sequences.
struct SequenceTrack {
    private(set) var lowest = Int64.max
    private(set) var highest = Int64.min
    /// Whether each row has a higher sequence than the row before it.
    private(set) var isAscending = true

    /// Whether no row has a sequence.
    var isEmpty: Bool { highest < lowest }

    @inline(__always)
    mutating func add(_ sequence: Int64) {
        if sequence <= highest { isAscending = false }
        lowest = min(lowest, sequence)
        highest = max(highest, sequence)
    }

    /// Whether it is certain that no sequence occurs in both tables.
    func isApart(from other: SequenceTrack) -> Bool {
        guard isAscending, other.isAscending else { return false }
        return isEmpty || other.isEmpty || highest < other.lowest || other.highest < lowest
    }
}
