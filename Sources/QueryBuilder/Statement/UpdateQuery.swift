public import DataFileCore
internal import FleeceLite
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// An update of the documents of a collection that meet a condition.
///
/// ```swift
/// let birthday = update(persons)
///     .set(\.age) { $0.age + 1 }
///     .where(\.name.last == "Byron")
/// let count = try file.write { try birthday.query.run(in: $0) }
/// ```
/// Run its ``query`` in a transaction with `Query.run(in:_:limits:)`. Each changed document gets
/// its next revision, and observers are notified as of any other change. Without `where` the update
/// changes all documents of the collection.
///
/// All values are computed from the documents before the first one changes. Other properties of a
/// document stay, also those that its type does not have. If the update fails for one document, no
/// document changes.
///
/// Errors that the compiler cannot detect, such as an update of nothing, are thrown by ``query``. A
/// property that two clauses set is an error of the run.
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

/// Creates an update of documents, which `set` and `unset` define and `where` restricts.
///
/// ```swift
/// let moved = try update(persons).set(\.state, to: "CA").where(\.state == "NY").query
/// try file.write { try moved.run(in: $0) }
/// ```
/// - Parameters:
///   - collection: a collection with a document type.
///   - alias: the alias of the collection in the query text; its name if nil.
/// - Returns: an update without changes.
public func update<Value>(
    _ collection: TypedCollection<Value>, as alias: String? = nil
) -> UpdateQuery<Value> {
    UpdateQuery(collection.queried, alias)
}

/// Creates an untyped update, whose properties are accessed by path.
///
/// ```swift
/// let moved = update(people).set("address.state", to: "CA").where(property("age") > 30)
/// ```
/// - Parameters:
///   - collection: the collection.
///   - alias: the alias of the collection in the query text; its name if nil.
/// - Returns: an update without changes.
public func update(_ collection: DocumentCollection, as alias: String? = nil) -> UpdateQuery<
    QueryValue
> {
    update(collection.of(QueryValue.self), as: alias)
}

extension UpdateQuery {
    /// Sets a property to a value; nil removes it, unless the collection's encoder writes null.
    ///
    /// ```swift
    /// let change = update(persons).set(\.state, to: "CA").set(\.email, to: nil)
    /// ```
    /// The value is written in the form that the collection's encoder gives it, as when a document
    /// is saved. Missing dictionaries on the path are created.
    ///
    /// - Parameters:
    ///   - property: the key path of a property.
    ///   - value: the new value.
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
    ///
    /// ```swift
    /// let change = try update(persons).set(\.state, to: parameter("state")).query
    /// try file.write { try change.run(in: $0, ["state": "CA"]) }
    /// ```
    /// A missing value removes the property.
    ///
    /// - Parameters:
    ///   - property: the key path of a property.
    ///   - value: the term.
    public func set<Value>(_ property: QueryPath<Root, Value>, to value: QueryTerm<Value>) -> Self {
        changed { $0.assign($0.root[keyPath: property], value) }
    }

    /// Sets a property to a term computed from the document.
    ///
    /// ```swift
    /// let change = update(persons).set(\.age) { $0.age + 1 }.set(\.state) { $0.state.upper() }
    /// ```
    /// The closure is called once, to build the expression. The term has the values before the
    /// update, also those of other properties that are set; a missing value removes the property.
    ///
    /// - Parameters:
    ///   - property: the key path of a property.
    ///   - value: receives the document; returns the new value. Aggregates are an error.
    public func set<Value>(
        _ property: QueryPath<Root, Value>, _ value: (QueryTerm<Root>) -> QueryTerm<Value>
    ) -> Self {
        changed { $0.assign($0.root[keyPath: property], value($0.root)) }
    }

    /// Sets a property that the type does not have, by its path.
    ///
    /// ```swift
    /// let change = update(persons).set("pet.name", to: "Rex").set("pet.age", to: 3)
    /// ```
    /// - Parameters:
    ///   - path: a path such as `pet.name` or `likes[0]`.
    ///   - value: the new value; `.missing` removes the property, nil is null.
    public func set(_ path: String, to value: QueryValue) -> Self {
        changed { $0.assign($0.root.property(path), QueryTerm(value)) }
    }

    /// Removes a property.
    ///
    /// ```swift
    /// let change = update(persons).unset(\.email).where { $0.email.isNull }
    /// ```
    /// A document without the property does not change, and gets no revision.
    ///
    /// - Parameter property: the key path of a property.
    public func unset<Value>(_ property: QueryPath<Root, Value>) -> Self {
        changed { $0.remove($0.root[keyPath: property]) }
    }

    /// Removes a property that the type does not have, by its path.
    ///
    /// - Parameter path: a path such as `pet.name`; an invalid one is an error of ``query``.
    public func unset(_ path: String) -> Self {
        changed { query in
            let term: QueryTerm<QueryValue> = query.root.property(path)
            query.remove(term)
        }
    }

    /// Updates only documents that meet a condition of key paths; several conditions are combined
    /// with AND.
    ///
    /// ```swift
    /// let change = update(persons).set(\.state, to: "CA").where(\.age > 30 && \.state == "NY")
    /// ```
    /// - Parameter condition: the condition; a document for which it is missing stays unchanged.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.add(condition.term($0.root)) }
    }

    /// Updates only documents that meet a condition, which can call methods of terms.
    ///
    /// ```swift
    /// let change = update(persons).set(\.age, to: 0).where { $0.email == nil && $0.likes.isEmpty }
    /// ```
    /// - Parameter condition: receives the document; its result is combined with earlier conditions
    ///   by AND.
    public func `where`(_ condition: (QueryTerm<Root>) -> QueryTerm<Bool>) -> Self {
        changed { $0.add(condition($0.root)) }
    }

    /// Limits the number of documents. Which of the matching documents are updated is unspecified.
    ///
    /// - Parameter count: the largest number of documents; a negative number counts as 0.
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
        if let path = path(property) { update.removals.append(QueryRemoval(path: path)) }
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
