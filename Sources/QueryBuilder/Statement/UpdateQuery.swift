public import DataFileCore
internal import FleeceLite
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// An update of the documents of a collection that meet a condition.
///
/// ```swift
/// let birthday = update(people).set(\.age) { $0.age + 1 }.where(\.name.last == "Byron")
/// ```
/// Run its ``query`` in a transaction with `Query.run(in:_:limits:)`. Each changed document gets
/// its next revision, and observers are notified as of any other change. Without `where` the update
/// changes all documents of the collection.
public struct UpdateQuery<Root: Codable & Sendable>: Sendable {
    private var update: QueryUpdate
    private let names: QuerySourceTerms
    private var problem: StoreError?

    init(_ collection: QueriedCollection, _ alias: String?) {
        let (source, name, problem) = collection.source(as: alias, taken: [])
        update = QueryUpdate(target: source)
        names = QuerySourceTerms(sources: [name])
        self.problem = problem
    }

    /// The statement.
    ///
    /// - Throws: `.invalidQuery` for an invalid term, or if no property is changed.
    var statement: QueryStatement {
        get throws {
            if let problem { throw problem }
            guard !update.assignments.isEmpty || !update.removals.isEmpty else {
                throw StoreError.invalidQuery("an update needs set() or unset()")
            }
            return .update(update)
        }
    }

    private var root: QueryTerm<Root> { names.term(0) }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var changed = self
        BuilderDepth.inside { change(&changed) }
        return changed
    }
}

/// Creates an update: `update(people).set(\.age, to: 3).where(\.name.last == "Byron")`
public func update<Value>(
    _ collection: TypedCollection<Value>, as alias: String? = nil
) -> UpdateQuery<Value> {
    UpdateQuery(collection.queried, alias)
}

/// Creates an untyped update: `update(collection).set("age", to: 3)`
public func update(_ collection: DocumentCollection, as alias: String? = nil) -> UpdateQuery<
    QueryValue
> {
    update(collection.of(QueryValue.self), as: alias)
}

extension UpdateQuery {
    /// Sets a property to a value; nil removes it, unless the collection's encoder writes null.
    public func set<Value>(_ property: QueryPath<Root, Value>, to value: Value) -> Self {
        changed { query in
            let term = QueryTerm(value, query.root.coding)
            guard Value.self is any OptionalQueryValue.Type, term.coding.encoder.nils != .null,
                case .literal(.null) = term.expression
            else { return query.assign(query.root[keyPath: property], term) }
            query.remove(query.root[keyPath: property])
        }
    }

    /// Sets a property to the value of a term, such as a parameter.
    public func set<Value>(_ property: QueryPath<Root, Value>, to value: QueryTerm<Value>) -> Self {
        changed { $0.assign($0.root[keyPath: property], value) }
    }

    /// Sets a property to a term computed from the document: `.set(\.age) { $0.age + 1 }`
    public func set<Value>(
        _ property: QueryPath<Root, Value>, _ value: (QueryTerm<Root>) -> QueryTerm<Value>
    ) -> Self {
        changed { $0.assign($0.root[keyPath: property], value($0.root)) }
    }

    /// Sets a property that the type does not have, by its path.
    public func set(_ path: String, to value: QueryValue) -> Self {
        changed { $0.assign($0.root.property(path), QueryTerm(value)) }
    }

    /// Removes a property.
    public func unset<Value>(_ property: QueryPath<Root, Value>) -> Self {
        changed { $0.remove($0.root[keyPath: property]) }
    }

    /// Removes a property that the type does not have, by its path.
    public func unset(_ path: String) -> Self {
        changed { query in
            let term: QueryTerm<QueryValue> = query.root.property(path)
            query.remove(term)
        }
    }

    /// Updates only documents that meet a condition; several conditions are combined with AND.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.add(condition.term($0.root)) }
    }

    /// Updates only documents that meet a condition.
    public func `where`(_ condition: (QueryTerm<Root>) -> QueryTerm<Bool>) -> Self {
        changed { $0.add(condition($0.root)) }
    }

    /// Limits the number of documents.
    public func limit(_ count: Int) -> Self {
        changed { $0.update.limit = .literal(.integer(Int64(count))) }
    }

    private mutating func note(_ problem: StoreError?) { self.problem = self.problem ?? problem }

    private mutating func assign<Value, Other>(
        _ property: QueryTerm<Value>, _ value: QueryTerm<Other>
    ) {
        note(property.problem ?? value.problem)
        guard let path = path(property) else { return }
        update.assignments.append(QueryAssignment(path: path, value: value.expression))
    }

    private mutating func remove<Value>(_ property: QueryTerm<Value>) {
        note(property.problem)
        if let path = path(property) { update.removals.append(path) }
    }

    /// The path from the document.
    private mutating func path<Value>(_ property: QueryTerm<Value>) -> PropertyPath? {
        guard case .property(let path) = property.expression, path.components.count > 1 else {
            note(StoreError.invalidQuery("only a property of the document can be set"))
            return nil
        }
        return PropertyPath(Array(path.components.dropFirst()))
    }

    private mutating func add(_ condition: QueryTerm<Bool>) {
        note(condition.problem)
        update.condition = .chain(.and, update.condition, condition.expression)
    }
}
