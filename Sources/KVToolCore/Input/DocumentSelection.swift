package import DocumentStore
internal import StoreTools

/// Which documents of a collection are meant: those that are in each of the lists, which name them
/// or have patterns of their ids, and that meet the condition.
package struct DocumentSelection: Sendable {
    /// What a name, a pattern or the condition leads to.
    package enum Choice {
        case id(String)
        /// A document that is named and not there, or a pattern that none matches.
        case missing(String)
    }

    /// Ids, in which `*` and `?` stand for any characters; those that decide about the order first.
    private let lists: [[String]]
    /// A condition in SQL++.
    let condition: String?

    /// - Parameters:
    ///   - names: ids and patterns; none for documents that only the others choose.
    ///   - file: the path of one with an id or pattern a line, which is read here; `-` is standard
    ///     input.
    package init(names: [String], file: String? = nil, condition: String? = nil) throws {
        let lists = [names].filter { !$0.isEmpty } + (try file.map { [try Self.lines($0)] } ?? [])
        // What names documents one by one is shorter than what a pattern can mean.
        self.lists = lists.filter { !Self.isOpen($0) } + lists.filter(Self.isOpen)
        self.condition = condition
    }

    /// Whether documents are meant that nobody has named one by one.
    package var isOpen: Bool {
        lists.allSatisfy(Self.isOpen) && (condition != nil || !lists.isEmpty)
    }

    private static func isOpen(_ names: [String]) -> Bool {
        names.contains { KeyPattern($0)?.isOpen == true }
    }

    /// The documents, in the order in which they are named, those of a pattern in the order of
    /// their ids; each once. It ends early when `body` returns false.
    ///
    /// A document that is named and not there is missing, whatever the condition says of others.
    ///
    /// - Parameter includesDeleted: whether patterns mean tombstones, too, and an id of one is not
    ///   missing.
    /// - Returns: Whether the condition has met documents with bodies that cannot be read: they
    ///   count as empty in it.
    package func forEach(
        in collection: DocumentCollection, _ snapshot: Snapshot, includesDeleted: Bool,
        _ body: (Choice) throws -> Bool
    ) throws -> Bool {
        let before = try snapshot.unreadableBodies()
        let walk = SelectionWalk(
            collection: collection, snapshot: snapshot, includesDeleted: includesDeleted)
        if let first = lists.first {
            try forEach(of: first, walk, body)
        } else if let condition {
            try walk.forEach(meeting: condition, body)
        }
        return try snapshot.unreadableBodies() > before
    }

    /// Those of a list that the other lists and the condition mean, too.
    private func forEach(
        of names: [String], _ walk: SelectionWalk, _ body: (Choice) throws -> Bool
    ) throws {
        let others = lists.dropFirst().map(NameList.init)
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

extension DocumentSelection.Choice {
    /// The id, or the name or pattern that leads to none.
    fileprivate var text: String {
        switch self {
        case .id(let text), .missing(let text): text
        }
    }
}

/// Ids and patterns of which an id must be, or match, one.
private struct NameList {
    private let names: Set<[UInt8]>
    private let patterns: [KeyPattern]

    init(_ texts: [String]) {
        names = Set(texts.map { Array($0.utf8) })
        patterns = texts.compactMap { KeyPattern($0) }
    }

    func contains(_ id: String) -> Bool {
        names.contains(Array(id.utf8)) || patterns.contains { $0.matches(id) }
    }
}

/// A condition that is asked of one document after the other.
private struct SelectionTest {
    private let query: Query
    private let snapshot: Snapshot

    init(_ condition: String, _ walk: SelectionWalk) throws {
        query = try DocumentCondition.query(
            condition, walk.collection.name, onlyParameter: true)
        snapshot = walk.snapshot
    }

    func isMet(by id: String) throws -> Bool {
        try query.rows(in: snapshot, ["id": .string(id)]).next() != nil
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
        return ids.insert(Array(choice.text.utf8)).inserted
    }
}

/// Where documents are looked for.
private struct SelectionWalk {
    let collection: DocumentCollection
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
        let query = try DocumentCondition.query(condition, collection.name)
        let rows = try query.rows(in: snapshot)
        var isEmpty = true
        while let row = try rows.next() {
            isEmpty = false
            guard case .string(let id) = row[0] else { continue }
            guard try body(.id(id)) else { return }
        }
        if isEmpty { MissingProperties.report(try query.properties(in: snapshot), in: snapshot) }
    }
}

/// A SQL++ condition that says which documents of a collection are meant.
package enum DocumentCondition {
    /// What a document is called in it, as in a query of the collection.
    static let name = "_"

    /// The query whose rows are the ids of the documents that meet it, or of the one among them
    /// that the parameter `id` names.
    ///
    /// `_` in it stands for the collection, as in a query of it.
    ///
    /// Throws `.invalidQuery` for a text that is more, or less, than one condition.
    package static func query(
        _ condition: String, _ name: CollectionName, onlyParameter: Bool = false
    ) throws -> Query {
        let one = onlyParameter ? "META(_).id = $id AND " : ""
        // By itself first: brackets around it must not close what it opens.
        let beginning = "SELECT META(_).id FROM _ WHERE "
        do {
            let alone = try Query("\(beginning)\(condition)\n", in: name)
            if let parameter = alone.parameterNames.first {
                throw ToolError(
                    "the condition has the parameter $\(Text.line(parameter)), which has no "
                        + "value here; write the value in its place", status: .usage)
            }
        } catch let error as StoreError {
            guard let place = error.underlying as? QuerySyntaxError else { throw error }
            throw located(error, place, condition, after: beginning.count)
        }
        // Behind a line's end, as the condition may end with a comment.
        return try Query(
            "SELECT META(_).id FROM _ WHERE \(one)(\(condition)\n)", in: name)
    }

    /// The error with the place in the condition, which a person is shown.
    private static func located(
        _ error: StoreError, _ place: QuerySyntaxError, _ condition: String, after count: Int
    ) -> StoreError {
        let lines = condition.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // Its end is in the line behind it.
        let line = min(place.line, lines.count)
        let column =
            line < place.line
            ? (lines.last?.count ?? 0) + 1 : max(1, place.column - (line == 1 ? count : 0))
        SyntaxMark.show(condition, line: line, column: column)
        let message = error.message.replacing(
            "line \(place.line), column \(place.column)", with: "line \(line), column \(column)")
        return StoreError(.invalidQuery, message, underlying: error.underlying)
    }
}
