public import DataFileCore
internal import FleeceLite
internal import QueryLanguage

extension Query {
    /// Parses a query in SQL++ in which `_` names a collection.
    ///
    /// ```swift
    /// let query = try Query("SELECT name FROM _ WHERE age > 80", in: CollectionName("hr.staff"))
    /// ```
    /// So one text serves several collections, without inserting a name into it:
    ///
    /// ```swift
    /// let count = "SELECT COUNT(*) AS n FROM _"
    /// for name in ["people", "hr.staff"] {
    ///     let query = try Query(count, in: CollectionName(name))
    ///     print(name, try query.rows(in: snapshot).all().first?["n"] ?? .missing)
    /// }
    /// ```
    /// `_default` still names the default collection, and all other names keep their meaning. A CTE
    /// with the name `_` hides the collection. Whether the collection exists is checked when the
    /// query is run.
    ///
    /// - Parameters:
    ///   - text: a `SELECT`, an `UPDATE` or a `DELETE`.
    ///   - collection: the collection that `_` names, which a query without `FROM` reads.
    /// - Throws: `.invalidQuery`; its underlying `QuerySyntaxError` states the position of the
    ///   error.
    public init(_ text: String, in collection: CollectionName) throws {
        self.init(try Query(text), in: collection)
    }

    /// Parses a query in the JSON form in which `_` names a collection, as in SQL++.
    ///
    /// ```swift
    /// let adults = #"[">=", [".age"], 18]"#
    /// let query = try Query(json: adults, in: CollectionName("people"))
    /// ```
    /// - Parameters:
    ///   - json: an object of clauses, or a condition, as in ``init(json:)``.
    ///   - collection: the collection that `_` names, which a query without `FROM` reads.
    /// - Throws: `.invalidQuery` with a description of the error.
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
        text = query.text.map { QueryText($0.text, in: name) }
    }
}

extension Query {
    /// Whether it is an `UPDATE` or `DELETE` whose condition does not depend on the documents: one
    /// without `WHERE`, or with a condition such as `TRUE` or `1 = 1`.
    ///
    /// A program that runs statements of its users can ask for confirmation first:
    ///
    /// ```swift
    /// let statement = try Query("DELETE FROM people")
    /// if statement.isUnconditionalChange {
    ///     print("This changes all documents of the collection:", statement)
    /// }
    /// ```
    /// False for a `SELECT`. A subquery counts as dependent on documents.
    public var isUnconditionalChange: Bool {
        switch statement {
        case .select: false
        case .update(let update): update.condition?.readsDocument != true
        case .delete(let delete): delete.condition?.readsDocument != true
        }
    }
}

extension QueryExpression {
    /// Whether its value can differ from document to document.
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
