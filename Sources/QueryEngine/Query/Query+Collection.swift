public import DataFileCore
internal import FleeceLite
internal import QueryLanguage

extension Query {
    /// A query in SQL++ in which `_` stands for a collection.
    ///
    /// ```swift
    /// let query = try Query("SELECT name FROM _ WHERE age > 80", in: CollectionName("hr.staff"))
    /// ```
    /// `_default` still names the default collection, and other names stand for what they do in
    /// any query. A CTE with the name `_` hides the collection.
    ///
    /// - Parameter collection: what `_` stands for, and the documents of a query without `FROM`.
    ///
    /// Throws `.invalidQuery`; beneath it a `QuerySyntaxError` says where it is wrong.
    public init(_ text: String, in collection: CollectionName) throws {
        self.init(try Query(text), in: collection)
    }

    /// A query in the JSON form in which `_` stands for a collection, as in SQL++.
    ///
    /// - Parameter collection: what `_` stands for, and the documents of a query without `FROM`.
    ///
    /// Throws `.invalidQuery`.
    public init(json: String, in collection: CollectionName) throws {
        self.init(try Query(json: json), in: collection)
    }

    private init(_ query: Query, in collection: CollectionName) {
        guard collection != .default else {
            self = query
            return
        }
        let name = QueryCollectionName(scope: collection.scope, collection: collection.name)
        statement = CurrentCollection(name).statement(query.statement)
        identity = ExactString("c\(name.text) \(query.identity.string)")
    }
}

extension Query {
    /// Whether it is an `UPDATE` or `DELETE` that no property of a document decides about: one
    /// without `WHERE`, or with a condition such as `TRUE` or `1 = 1`.
    public var isUnconditionalChange: Bool {
        switch statement {
        case .select: false
        case .update(let update): update.condition?.readsDocument != true
        case .delete(let delete): delete.condition?.readsDocument != true
        }
    }
}

extension QueryExpression {
    /// Whether its value can be another one for each document.
    fileprivate var readsDocument: Bool {
        var reads = false
        visit { expression in
            switch expression {
            case .property, .meta, .blob, .match, .rank, .subquery: reads = true
            default: break
            }
        }
        return reads
    }
}
