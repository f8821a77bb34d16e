internal import StoreFormat

/// A query in SQL, with what is needed to run it.
///
/// A query is translated in four stages, each of which makes a value of the one before it:
/// `QueryResolver` binds its names, `QueryTyper` determines the types of its values, `QueryPlanner`
/// chooses indexes and tables, and `SQLPrinter` writes the plan.
package struct QueryTranslation {
    package let sql: String
    /// Whether it compares strings by a language's collation.
    package let usesLanguage: Bool
    package let columnNames: [String]
    /// The columns that are document bodies as stored in the file.
    package let bodies: Set<Int>
    /// Whether an additional first column contains the document IDs.
    package let hasKeys: Bool
    /// The parameters of the query.
    package let parameters: Set<String>
    /// The collections that the query reads.
    package let tables: [QueryTable]
    /// The search strings of full-text matches.
    package let searches: [SearchText]
    /// Statements that return a row if the query must be translated without indexes.
    package let guards: [String]

    /// Translates a query.
    ///
    /// - Parameter origins: where its expressions begin, if the query has positions.
    /// - Throws: `.invalidQuery` for an invalid query, `.notFound` if a collection does not exist,
    ///   `.missingIndex` if a full-text or vector index does not exist.
    package init(
        _ query: QuerySelect, _ options: TranslationOptions, _ catalog: any QueryCatalog,
        _ origins: QueryOrigins? = nil
    ) throws {
        let resolved = try QueryResolver.resolve(query, catalog, origins)
        let typed = QueryTyper(options.parameters).type(resolved)
        let plan = try QueryPlanner.plan(typed, options, origins)
        (sql, usesLanguage) = try SQLPrinter.sql(plan)
        columnNames = plan.columnNames
        bodies = plan.bodies
        hasKeys = plan.hasKeys
        parameters = resolved.parameters
        tables = resolved.tables
        searches = plan.searches
        guards = try plan.guards.map { try SQLPrinter.sql($0) }
    }

    /// The plan of a query, to describe it.
    package static func plan(
        of query: QuerySelect, _ options: TranslationOptions, _ catalog: any QueryCatalog
    ) throws -> QueryStatementPlan {
        let resolved = try QueryResolver.resolve(query, catalog)
        return try QueryPlanner.plan(QueryTyper(options.parameters).type(resolved), options)
    }
}

extension QueryExpression {
    /// The SQL of the expression in an index, exactly as LiteCore writes it: SQLite uses an index
    /// only for an identical expression, and LiteCore recreates an index whose text differs from
    /// its own.
    ///
    /// - Throws: `.invalidQuery` for an expression that is not allowed in an index.
    package func indexSQL(
        of rows: IndexResolver.Rows = .documents(prefix: "")
    ) throws -> String {
        let resolved = try IndexResolver.resolve(self, rows)
        return try QueryPlanner.indexSQL(QueryTyper().type(resolved))
    }
}
