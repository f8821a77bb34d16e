public import DataFileCore
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A deletion of the documents of a collection that meet a condition.
///
/// ```swift
/// let old = delete(from: persons).where(\.age > 150)
/// let count = try file.write { try old.query.run(in: $0) }
/// print("\(count) documents deleted")
/// ```
/// Run its ``query`` in a transaction with `Query.run(in:_:limits:)`. Each deleted document becomes
/// a tombstone, and observers are notified as of any other change. Without `where` the deletion
/// applies to all documents of the collection.
///
/// The value is independent of any file. Errors that the compiler cannot detect are thrown by
/// ``query``, not by the clauses. To delete a document whose ID is known, use the collection's own
/// `delete`.
public struct DeleteQuery<Root: Codable & Sendable>: Sendable {
    private var delete: QueryDelete
    private let names: QuerySourceTerms
    private var problem: StoreError?

    init(_ collection: QueriedCollection, _ alias: String?) {
        let (source, name, problem) = collection.source(as: alias, taken: [])
        delete = QueryDelete(target: source)
        names = QuerySourceTerms(sources: [name])
        self.problem = problem
    }

    /// The statement.
    ///
    /// - Throws: `.invalidQuery` for an invalid term.
    var statement: QueryStatement {
        get throws {
            if let problem { throw problem }
            return .delete(delete)
        }
    }

    /// Deletes only documents that meet a condition of key paths; several conditions are combined
    /// with AND.
    ///
    /// ```swift
    /// let some = delete(from: persons).where(\.age > 150).where(\.state == "NY")
    /// ```
    /// - Parameter condition: the condition; a document for which it is missing stays.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        adding(BuilderDepth.inside { condition.term(names.term(0)) })
    }

    /// Deletes only documents that meet a condition, which can call methods of terms.
    ///
    /// ```swift
    /// let some = delete(from: persons).where { $0.email == nil && $0.name.last.hasPrefix("X") }
    /// ```
    /// - Parameter condition: receives the document; its result is combined with earlier conditions
    ///   by AND.
    public func `where`(_ condition: (QueryTerm<Root>) -> QueryTerm<Bool>) -> Self {
        adding(BuilderDepth.inside { condition(names.term(0)) })
    }

    /// Limits the number of documents, to delete many documents in several transactions.
    ///
    /// ```swift
    /// let some = try delete(from: persons).where(\.age > 150).limit(1000).query
    /// while try file.write({ try some.run(in: $0) }) > 0 {}
    /// ```
    /// Which of the matching documents are deleted is unspecified.
    ///
    /// - Parameter count: the largest number of documents; a negative number counts as 0.
    public func limit(_ count: Int) -> Self {
        var changed = self
        changed.delete.limit = .literal(.integer(Int64(count)))
        return changed
    }

    private func adding(_ condition: QueryTerm<Bool>) -> Self {
        var changed = self
        changed.problem = problem ?? condition.problem
        changed.delete.condition = .chain(.and, delete.condition, condition.expression)
        return changed
    }
}

/// Creates a deletion of documents, which `where` restricts.
///
/// ```swift
/// let old = try delete(from: persons).where(\.age > 150).query
/// try file.write { try old.run(in: $0) }
/// ```
/// - Parameters:
///   - collection: a collection with a document type.
///   - alias: the alias of the collection in the query text; its name if nil.
/// - Returns: a deletion of all documents of the collection.
public func delete<Value>(
    from collection: TypedCollection<Value>, as alias: String? = nil
) -> DeleteQuery<Value> {
    DeleteQuery(collection.queried, alias)
}

/// Creates an untyped deletion, whose properties are accessed by path.
///
/// ```swift
/// let old = delete(from: people).where(property("age") > 150)
/// print(try old.sqlPlusPlus)
/// ```
/// - Parameters:
///   - collection: the collection.
///   - alias: the alias of the collection in the query text; its name if nil.
/// - Returns: a deletion of all documents of the collection.
public func delete(
    from collection: DocumentCollection, as alias: String? = nil
) -> DeleteQuery<QueryValue> {
    delete(from: collection.of(QueryValue.self), as: alias)
}
