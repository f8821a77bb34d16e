public import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

extension Query {
    /// Does an `UPDATE` or a `DELETE`: each document that meets the condition gets its next
    /// revision, or becomes a tombstone. Observers are told of it as of any other change.
    ///
    /// ```swift
    /// let raise = try Query("UPDATE staff SET salary = salary + $more WHERE grade = 3")
    /// try file.write { try raise.run(in: $0, ["more": 100]) }
    /// ```
    /// Conditions and values are computed for all documents before the first one is changed, so
    /// that none is changed twice. All of it is undone if it fails. A value that is missing removes
    /// the property; dictionaries that are missing on the way to a property are made.
    ///
    /// - Returns: how many documents were changed; one that has nothing to remove is not.
    ///
    /// Throws `.unsupported` for a `SELECT`; as `rows` does; `.invalidParameter` where the way to a
    /// property leads through a value that has none; and what saving a document throws.
    @discardableResult
    public func run(
        in transaction: Transaction, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) throws -> Int {
        let edit = try QueryEdit(statement)
        let rows = try Query(.select(edit.selection))
            .rows(in: transaction, parameters, limits: limits).all()
        return try transaction.savepoint {
            let collection = try transaction.collection(edit.collection)
            return try rows.count { try edit.apply($0, to: collection, in: transaction) }
        }
    }
}

/// An `UPDATE` or `DELETE`, as a query for what is to be done and what is done with each row.
struct QueryEdit {
    /// The IDs of the documents, and the new values.
    let selection: QuerySelect
    fileprivate let collection: QueryCollectionName
    private let assignments: [QueryAssignment]
    private let removals: [PropertyPath]
    private let isDeletion: Bool

    init(_ statement: QueryStatement) throws {
        switch statement {
        case .update(let update):
            self = try QueryEdit(
                update.target, update.condition, update.limit, update.assignments,
                update.removals, isDeletion: false)
        case .delete(let delete):
            self = try QueryEdit(
                delete.target, delete.condition, delete.limit, [], [], isDeletion: true)
        case .select:
            throw StoreError(.unsupported, "a SELECT changes nothing; rows(in:) asks it")
        }
    }

    private init(
        _ target: QuerySource, _ condition: QueryExpression?, _ limit: QueryExpression?,
        _ assignments: [QueryAssignment], _ removals: [PropertyPath], isDeletion: Bool
    ) throws {
        guard case .collection(let name) = target.kind else {
            throw StoreError.invalidQuery("only documents of a collection can be changed")
        }
        collection = name
        guard !assignments.contains(where: { $0.value.hasAggregate || $0.value.hasWindow }) else {
            throw StoreError.invalidQuery(
                "an aggregate function cannot stand behind SET; a query in parentheses can")
        }
        try Self.requireDifferent(assignments.map(\.path) + removals)
        let values = [.meta(.id, source: nil)] + assignments.map(\.value)
        let results = values.map { QueryResult(expression: $0) }
        selection = QuerySelect(
            body: .block(QueryBlock(results: results, sources: [target], condition: condition)),
            limit: limit)
        self.assignments = assignments
        self.removals = removals
        self.isDeletion = isDeletion
    }

    /// The query for the documents that a statement changes; nil for one that changes nothing.
    static func selection(of statement: QueryStatement) throws -> QuerySelect? {
        if case .select = statement { return nil }
        return try QueryEdit(statement).selection
    }

    /// Returns whether the document was changed: one that is deleted is not.
    func apply(
        _ row: ResultRow, to collection: DocumentCollection, in transaction: Transaction
    ) throws -> Bool {
        guard let id = row[0].string else { return false }
        if isDeletion { return try collection.delete(id, in: transaction) != nil }
        guard var document = try collection.get(id, in: transaction)?.mutableCopy() else {
            return false
        }
        for (number, assignment) in assignments.enumerated() {
            let value = MutableFleeceValue(row[number + 1])
            if value != nil { try document.requireLocation(for: assignment.path) }
            document[assignment.path] = value
        }
        let isUnset = removals.filter { document[$0] != nil }
        for path in isUnset { document[path] = nil }
        guard !assignments.isEmpty || !isUnset.isEmpty else { return false }
        return try collection.save(&document, in: transaction).saved != nil
    }
}

extension MutableFleeceValue {
    /// A value of a query; nil for one that is missing.
    fileprivate init?(_ value: QueryValue) {
        switch value {
        case .missing: return nil
        case .null: self = .null
        case .boolean(let bool): self = .bool(bool)
        case .integer(let number): self = .int(number)
        case .unsigned(let number): self = .uint(number)
        case .real(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .data(let bytes): self = .data(bytes)
        case .array(let array): self = .value(array.value)
        case .dictionary(let dictionary): self = .value(dictionary.value)
        }
    }
}

// The paths of an UPDATE.
extension QueryEdit {
    /// Throws `.invalidQuery` if a property is changed twice.
    static func requireDifferent(_ paths: [PropertyPath]) throws {
        var known: Set<PropertyPath> = []
        for path in paths where !known.insert(path).inserted {
            throw StoreError.invalidQuery("\(path) is changed twice by one UPDATE")
        }
    }
}

extension MutableDocument {
    /// Throws `.invalidParameter` if a value would be lost on the way to a property, or the array
    /// on the way is too short.
    func requireLocation(for path: PropertyPath) throws {
        for count in 1..<max(path.components.count, 1) {
            let owner = PropertyPath(Array(path.components.prefix(count)))
            let value = self[owner]
            let rest = PropertyPath([path.components[count]])
            switch (path.components[count], value?.kind) {
            case (.key, nil), (.key, .null), (.key, .dictionary): continue
            case (.index(let index), .array):
                let size = value?.array?.count ?? 0
                if index < size, index >= -size { continue }
                throw StoreError(
                    .invalidParameter,
                    "\(path) cannot be set in the document \(id): \(owner) ends before \(rest)")
            case (_, let kind):
                throw StoreError(
                    .invalidParameter,
                    "\(path) cannot be set in the document \(id): \(owner) is "
                        + "\(kind?.inWords ?? "missing"), so it has no \(rest)")
            }
        }
    }
}

extension FleeceValue.Kind {
    fileprivate var inWords: String {
        switch self {
        case .undefined: "missing"
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .double: "a number"
        case .string: "a text"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}
