public import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

extension Query {
    /// Runs an `UPDATE` or a `DELETE`: each matching document gets its next revision or becomes a
    /// tombstone.
    ///
    /// Observers, live queries, indexes and replication see ordinary changes, as of
    /// ``DocumentCollection``'s own functions to save and delete.
    ///
    /// ```swift
    /// let raise = try Query("UPDATE staff SET salary = salary + $more WHERE grade = 3")
    /// let count = try file.write { try raise.run(in: $0, ["more": 100]) }
    /// print("\(count) documents changed")
    /// ```
    /// All conditions and values are evaluated before the first document changes, so no document
    /// changes twice, and each value is computed from the original document. The statement is
    /// atomic: it runs in a savepoint, and if it fails, none of its changes remain, while earlier
    /// changes of the transaction do. Setting a property to a missing value removes the property;
    /// dictionaries on the path to a property are created if they are missing.
    ///
    /// ```swift
    /// let cleanup = try Query("DELETE FROM people WHERE state = $state LIMIT 1000")
    /// try file.write { transaction in
    ///     while try cleanup.run(in: transaction, ["state": "closed"]) > 0 {}
    /// }
    /// ```
    /// The cost is that of selecting the documents, which an index on the condition reduces, and of
    /// one save for each. The IDs and the new values of all matching documents are in memory
    /// meanwhile, so divide a change of very many documents by `LIMIT`. Check
    /// ``isUnconditionalChange`` before running a statement that a user has written.
    ///
    /// - Parameters:
    ///   - transaction: the transaction that contains the changes.
    ///   - parameters: values for the parameters; a parameter without a value is missing.
    ///   - limits: the limits of selecting the documents; none by default.
    /// - Returns: the number of documents that changed. A document whose `UNSET` removes nothing
    ///   does not count.
    /// - Throws: `.unsupported` for a `SELECT`; the errors of ``rows(in:_:limits:)``;
    ///   `.invalidParameter` if the path to a property leads through a value that has no properties
    ///   or past the end of an array; `.invalidQuery` if two assignments set the same property or
    ///   one contains an aggregate function; and the errors of saving a document.
    @discardableResult
    public func run(
        in transaction: Transaction, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) throws -> Int {
        let edit = try locatingErrors(in: transaction) { try QueryEdit(statement) }
        let rows = try Query(.select(edit.selection), from: self)
            .rows(in: transaction, parameters, limits: limits).all()
        return try transaction.savepoint {
            let collection = try transaction.collection(edit.collection)
            return try rows.count { try edit.apply($0, to: collection, in: transaction) }
        }
    }
}

/// An `UPDATE` or `DELETE`: the query that selects its documents, and the change of each row.
struct QueryEdit {
    /// The document IDs and the new values.
    let selection: QuerySelect
    fileprivate let collection: QueryCollectionName
    private let assignments: [QueryAssignment]
    private let removals: [QueryRemoval]
    private let isDeletion: Bool

    init(_ statement: QueryStatement) throws {
        let target: QuerySource
        switch statement {
        case .update(let update):
            (target, assignments) = (update.target, update.assignments)
            (removals, isDeletion) = (update.removals, false)
        case .delete(let delete):
            (target, assignments, removals, isDeletion) = (delete.target, [], [], true)
        case .select:
            throw StoreError(.unsupported, "a SELECT changes nothing; rows(in:) runs it")
        }
        guard case .collection(let name) = target.kind else {
            throw StoreError.invalidQuery("only documents of a collection can be changed")
        }
        collection = name
        selection = try statement.selection
    }

    /// Returns whether the document changed; a deleted document does not.
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
        let isUnset = removals.map(\.path).filter { document[$0] != nil }
        for path in isUnset { document[path] = nil }
        guard !assignments.isEmpty || !isUnset.isEmpty else { return false }
        return try collection.save(&document, in: transaction).saved != nil
    }
}

extension Query {
    /// The query for the documents that the statement changes; the query itself if it has rows.
    func selecting(in snapshot: Snapshot) throws -> Query {
        guard isChange else { return self }
        return Query(
            .select(try locatingErrors(in: snapshot) { try statement.selection }), from: self)
    }
}

extension MutableFleeceValue {
    /// A value of a query; nil if it is missing.
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
extension MutableDocument {
    /// - Throws: `.invalidParameter` if the path to a property leads through a value that would be
    ///   lost, or through an array that is too short.
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
                        + "\(kind?.noun ?? "missing"), so it has no \(rest)")
            }
        }
    }
}

extension FleeceValue.Kind {
    fileprivate var noun: String {
        switch self {
        case .undefined: "missing"
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}
