public import DataFileCore
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A deletion of the documents of a collection that meet a condition.
///
/// ```swift
/// let old = delete(from: people).where(\.age > 150)
/// ```
/// Run its ``query`` in a transaction with `Query.run(in:_:limits:)`. Each deleted document becomes
/// a tombstone. Without `where` the deletion applies to all documents of the collection.
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

    /// Deletes only documents that meet a condition; several conditions are combined with AND.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        adding(BuilderDepth.inside { condition.term(names.term(0)) })
    }

    /// Deletes only documents that meet a condition.
    public func `where`(_ condition: (QueryTerm<Root>) -> QueryTerm<Bool>) -> Self {
        adding(BuilderDepth.inside { condition(names.term(0)) })
    }

    /// Limits the number of documents.
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

/// Creates a deletion of documents: `delete(from: people).where(\.age > 150)`
public func delete<Value>(
    from collection: TypedCollection<Value>, as alias: String? = nil
) -> DeleteQuery<Value> {
    DeleteQuery(collection.queried, alias)
}

/// Creates an untyped deletion: `delete(from: collection).where(property("age") > 150)`
public func delete(
    from collection: DocumentCollection, as alias: String? = nil
) -> DeleteQuery<QueryValue> {
    delete(from: collection.of(QueryValue.self), as: alias)
}
