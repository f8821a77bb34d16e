internal import DataFileCore

/// Which documents of a collection are meant: those that are named, those whose ids match a
/// pattern, and those that meet a condition.
struct DocumentSelection: Sendable {
    /// What a name, a pattern or the condition leads to.
    enum Choice {
        case id(String)
        /// A document that is named and not there, or a pattern that none matches.
        case missing(String)
    }

    /// Ids, in which `*` and `?` stand for any characters.
    let names: [String]
    /// A condition in SQL++.
    let condition: String?

    /// - Parameter file: the path of one with an id or pattern a line, which is read here; `-` is
    ///   standard input.
    init(names: [String], file: String? = nil, condition: String? = nil) throws {
        self.names = names + (try file.map(Self.lines) ?? [])
        self.condition = condition
    }

    /// Whether documents are meant that nobody has named one by one.
    var isOpen: Bool { condition != nil || names.contains { KeyPattern($0) != nil } }

    /// The documents, in the order in which they are named, those of a pattern in the order of
    /// their ids; each once. It ends early when `body` returns false.
    ///
    /// - Parameter includesDeleted: whether patterns mean tombstones, too, and an id of one is not
    ///   missing.
    /// - Returns: Whether the condition has met documents with bodies that cannot be read: they
    ///   count as empty in it.
    func forEach(
        in collection: Collection, _ snapshot: Snapshot, includesDeleted: Bool,
        _ body: (Choice) throws -> Bool
    ) throws -> Bool {
        let walk = SelectionWalk(
            collection: collection, snapshot: snapshot, includesDeleted: includesDeleted)
        var seen = SeenIDs(isNeeded: names.count + (condition == nil ? 0 : 1) > 1)
        func once(_ choice: Choice) throws -> Bool {
            guard seen.isNew(choice) else { return true }
            return try body(choice)
        }
        for name in names {
            guard try walk.forEach(name, once) else { return false }
        }
        guard let condition else { return false }
        let before = try snapshot.unreadableBodies()
        try walk.forEach(meeting: condition, once)
        return try snapshot.unreadableBodies() > before
    }

    private static func lines(_ path: String) throws -> [String] {
        var reader = try LineReader(path: path)
        var lines: [String] = []
        while let line = try reader.next(Self.text) {
            guard let line else {
                throw ToolError(
                    "\(reader.name), line \(reader.line): the id is not UTF-8", status: .usage)
            }
            if !line.isEmpty { lines.append(line) }
        }
        return lines
    }

    /// A line, which may end as on Windows; nil if it is not UTF-8.
    private static func text(_ line: UnsafeRawBufferPointer) -> String? {
        String(validating: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
    }
}

/// The ids that have come, where one can come again.
private struct SeenIDs {
    let isNeeded: Bool
    private var ids: Set<[UInt8]> = []

    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    /// Whether it comes for the first time; ids are told apart by their bytes.
    mutating func isNew(_ choice: DocumentSelection.Choice) -> Bool {
        guard isNeeded else { return true }
        return switch choice {
        case .id(let id), .missing(let id): ids.insert(Array(id.utf8)).inserted
        }
    }
}

/// Where documents are looked for.
private struct SelectionWalk {
    let collection: Collection
    let snapshot: Snapshot
    let includesDeleted: Bool

    /// Returns whether more is wanted.
    func forEach(_ name: String, _ body: (DocumentSelection.Choice) throws -> Bool) throws -> Bool {
        // An id that has a `*` in it is that document, if it is there.
        let exact = try collection.keyStore.get(name, content: .metadata, in: snapshot)
        if let exact, includesDeleted || !exact.flags.contains(.deleted) {
            return try body(.id(name))
        }
        guard let pattern = KeyPattern(name) else { return try body(.missing(name)) }
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = includesDeleted
        options.startKey = pattern.prefix.isEmpty ? nil : pattern.prefix
        let records = try collection.records(options, in: snapshot)
        var isFound = false
        while let record = try records.next() {
            guard record.key.utf8.starts(with: pattern.prefix.utf8) else { break }
            guard pattern.matches(record.key) else { continue }
            isFound = true
            guard try body(.id(record.key)) else { return false }
        }
        return try isFound || body(.missing(name))
    }

    func forEach(
        meeting condition: String, _ body: (DocumentSelection.Choice) throws -> Bool
    ) throws {
        let rows = try DocumentCondition.query(condition, collection.name).rows(in: snapshot)
        while let row = try rows.next() {
            guard case .string(let id) = row[0] else { continue }
            guard try body(.id(id)) else { return }
        }
    }
}
