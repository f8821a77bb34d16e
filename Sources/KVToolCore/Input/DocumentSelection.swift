package import DocumentStore
internal import StoreTools

/// Selects documents of a collection: those that every list contains, by ID or pattern, and that
/// meet the condition.
package struct DocumentSelection: Sendable {
    /// A result of the selection.
    package enum Choice {
        case id(String)
        /// An ID that does not exist, or a pattern without matches.
        case missing(String)
    }

    /// Ids and patterns (with the wildcards `*` and `?`). The first list determines the order.
    private let lists: [[String]]
    private let hasPatterns: Bool
    /// A condition in SQL++.
    let condition: String?

    /// - Parameters:
    ///   - names: IDs and patterns; empty if only the file or the condition selects documents.
    ///   - file: the path of a file with an ID or pattern per line, which is read immediately; `-`
    /// is standard input.
    ///   - hasPatterns: whether `*`, `?` and `\` are special.
    package init(
        names: [String], file: String? = nil, condition: String? = nil, hasPatterns: Bool = true
    ) throws {
        let lists = [names].filter { !$0.isEmpty } + (try file.map { [try Self.lines($0)] } ?? [])
        // A list of IDs is shorter than the documents that a pattern may match.
        let isOpen = { (names: [String]) in hasPatterns && Self.isOpen(names) }
        self.lists = lists.filter { !isOpen($0) } + lists.filter(isOpen)
        self.hasPatterns = hasPatterns
        self.condition = condition
    }

    /// Whether the selection includes documents that are not named individually.
    package var isOpen: Bool {
        lists.allSatisfy { hasPatterns && Self.isOpen($0) }
            && (condition != nil || !lists.isEmpty)
    }

    private static func isOpen(_ names: [String]) -> Bool {
        names.contains { KeyPattern($0)?.isOpen == true }
    }

    /// Calls `body` for the selected documents, each once, in the order of the IDs in the list;
    /// matches of a pattern are in the order of their IDs. Ends early when `body` returns false.
    ///
    /// An ID that does not exist is missing, regardless of the condition.
    ///
    /// - Parameter includesDeleted: whether patterns match tombstones, too, and the ID of a
    ///   tombstone is not missing.
    /// - Returns: Whether the condition was evaluated for documents with unreadable bodies, which
    ///   it treats as empty.
    package func forEach(
        in collection: DocumentCollection, _ snapshot: Snapshot, includesDeleted: Bool,
        _ body: (Choice) throws -> Bool
    ) throws -> Bool {
        let before = try snapshot.unreadableBodies()
        let walk = SelectionWalk(
            collection: collection, snapshot: snapshot, includesDeleted: includesDeleted,
            hasPatterns: hasPatterns)
        if let first = lists.first {
            try forEach(of: first, walk, body)
        } else if let condition {
            try walk.forEach(meeting: condition, body)
        }
        return try snapshot.unreadableBodies() > before
    }

    /// Selects from one list the documents that the other lists and the condition include.
    private func forEach(
        of names: [String], _ walk: SelectionWalk, _ body: (Choice) throws -> Bool
    ) throws {
        let others = lists.dropFirst().map { NameList($0, hasPatterns: hasPatterns) }
        let test = try condition.map { try SelectionTest($0, walk) }
        var seen = SeenIDs(isNeeded: names.count > 1)
        for name in names {
            let goesOn = try walk.forEach(name) { choice in
                guard seen.isNew(choice), others.allSatisfy({ $0.contains(choice.text) }) else {
                    return true
                }
                if case .id(let id) = choice, try test?.isMet(by: id) == false { return true }
                return try body(choice)
            }
            guard goesOn else { return }
        }
    }

    private static func lines(_ path: String) throws -> [String] {
        var reader = try LineReader(path: path)
        var lines: [String] = []
        while let line = try reader.next(Self.text) {
            guard let line else {
                throw ToolError(
                    "\(reader.name), line \(reader.line): the ID is not UTF-8", status: .usage)
            }
            if !line.isEmpty { lines.append(line) }
        }
        return lines
    }

    /// A line, without the CR of a Windows line ending; nil if it is not UTF-8.
    private static func text(_ line: UnsafeRawBufferPointer) -> String? {
        String(validating: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
    }
}

extension DocumentSelection.Choice {
    /// The ID, or the name or pattern without a match.
    fileprivate var text: String {
        switch self {
        case .id(let text), .missing(let text): text
        }
    }
}

/// A set of IDs and patterns.
private struct NameList {
    private let names: Set<[UInt8]>
    private let patterns: [KeyPattern]

    init(_ strings: [String], hasPatterns: Bool) {
        names = Set(strings.map { Array($0.utf8) })
        patterns = hasPatterns ? strings.compactMap { KeyPattern($0) } : []
    }

    func contains(_ id: String) -> Bool {
        names.contains(Array(id.utf8)) || patterns.contains { $0.matches(id) }
    }
}

/// A condition that is evaluated for one document at a time.
private struct SelectionTest {
    private let condition: DocumentCondition
    private let snapshot: Snapshot

    init(_ condition: String, _ walk: SelectionWalk) throws {
        self.condition = try DocumentCondition(
            condition, walk.collection.name, onlyParameter: true)
        snapshot = walk.snapshot
    }

    func isMet(by id: String) throws -> Bool {
        try condition.locatingErrors {
            try condition.query.rows(in: snapshot, ["id": .string(id)])
        }.next() != nil
    }
}

/// The IDs returned so far, if duplicates are possible.
private struct SeenIDs {
    let isNeeded: Bool
    private var ids: Set<[UInt8]> = []

    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    /// Whether the ID is new. IDs are compared by their bytes.
    mutating func isNew(_ choice: DocumentSelection.Choice) -> Bool {
        guard isNeeded else { return true }
        return ids.insert(Array(choice.text.utf8)).inserted
    }
}

/// The collection and snapshot in which documents are selected.
private struct SelectionWalk {
    let collection: DocumentCollection
    let snapshot: Snapshot
    let includesDeleted: Bool
    let hasPatterns: Bool

    /// Returns whether to continue.
    func forEach(_ name: String, _ body: (DocumentSelection.Choice) throws -> Bool) throws -> Bool {
        // A name with `*` is an ID if such a document exists.
        let exact = try collection.keyStore.get(name, content: .metadata, in: snapshot)
        if let exact, includesDeleted || !exact.flags.contains(.deleted) {
            return try body(.id(name))
        }
        guard hasPatterns, let pattern = KeyPattern(name) else { return try body(.missing(name)) }
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
        let condition = try DocumentCondition(condition, collection.name)
        let query = condition.query
        let rows = try condition.locatingErrors { try query.rows(in: snapshot) }
        var isEmpty = true
        while let row = try rows.next() {
            isEmpty = false
            guard case .string(let id) = row[0] else { continue }
            guard try body(.id(id)) else { return }
        }
        if isEmpty { MissingProperties.report(try query.properties(in: snapshot), in: snapshot) }
    }
}
