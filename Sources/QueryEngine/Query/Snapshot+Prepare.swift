internal import DataFileCore
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

extension Snapshot {
    /// The query in SQL, for the current schema of the file.
    ///
    /// - Throws: `.invalidQuery`, `.notFound`.
    func prepared(
        _ query: Query, _ options: TranslationOptions
    ) throws -> PreparedQuery {
        let connection = try connection()
        let key = ConnectionQueries.Key(query: query.identity, options: options)
        if let known = connection.queries[key], try holds(known) { return known }
        let prepared = try prepare(query, options, connection)
        connection.queries.keep(prepared, key)
        return prepared
    }

    /// Whether the location of tombstones and the outdated collations are still those of the
    /// translation.
    private func holds(_ prepared: PreparedQuery) throws -> Bool {
        let connection = try connection()
        if prepared.collationVersions.isUsed,
            try info(InfoKey.collationVersions) != prepared.collationVersions.record
        {
            return false
        }
        for table in prepared.tables {
            guard let tables = try connection.storeTables(table.store),
                try tables.mayHaveLiveTombstones(in: self) == table.mayHaveLiveTombstones
            else { return false }
        }
        return true
    }

    private func prepare(
        _ query: Query, _ options: TranslationOptions, _ connection: Connection
    ) throws -> PreparedQuery {
        let translation = try query.locatingErrors(in: self, options) {
            try QueryTranslation(query.selectStatement, options, SnapshotCatalog(self))
        }
        let prepared = try self.prepared(translation)
        prepared.idle = try compile(prepared.sql, connection)
        prepared.guards = try translation.guards.map { try compile($0, connection) }
        return prepared
    }

    private func prepared(_ translation: QueryTranslation) throws -> PreparedQuery {
        guard translation.usesLanguage else {
            return PreparedQuery(translation, sql: translation.sql)
        }
        let record = try info(InfoKey.collationVersions)
        let prepared = PreparedQuery(
            translation, sql: try avoidingStaleCollations(translation.sql, record))
        prepared.collationVersions = (true, record)
        return prepared
    }

    /// The plan of a query as `prepared` translates it, to describe it.
    func plan(_ query: Query, _ options: TranslationOptions) throws -> QueryStatementPlan {
        try QueryTranslation.plan(of: query.selectStatement, options, SnapshotCatalog(self))
    }

    private func compile(_ sql: String, _ connection: Connection) throws -> SQLStatement {
        do {
            return try connection.context.prepare(sql: sql)
        } catch let error as SQLError where error.message.contains("parser stack overflow") {
            throw StoreError.invalidQuery(
                "the query is nested too deeply: SQLite's parser has a stack of 100",
                underlying: error)
        } catch let error as SQLError where error.code == .error {
            throw StoreError.invalidQuery(
                "SQLite cannot compile the query: \(error.message)", underlying: error)
        }
    }
}

extension Query {
    /// The statement, if it returns rows.
    ///
    /// - Throws: `.invalidQuery` for an `UPDATE` or `DELETE`.
    var selectStatement: QuerySelect {
        get throws {
            guard case .select(let query) = statement else {
                throw StoreError.invalidQuery("an UPDATE or DELETE is not a SELECT")
            }
            return query
        }
    }
}

/// A line of the output of `EXPLAIN QUERY PLAN`.
struct PlanLine {
    let id: Int64
    /// The line of the parent step; 0 for none.
    let parent: Int64
    /// The description in SQLite's terms.
    let detail: String

    /// The plan of a statement whose parameters are not bound.
    static func lines(of sql: String, _ context: SQLContext) throws -> [PlanLine] {
        let plan = try context.prepare(sql: "EXPLAIN QUERY PLAN " + sql)
        defer { plan.close() }
        for index in 0..<plan.parameterCount { try plan.bindNull(at: index + 1) }
        var lines: [PlanLine] = []
        while try plan.next() {
            lines.append(
                PlanLine(
                    id: plan.long(at: 0), parent: plan.long(at: 1), detail: plan.text(at: 3) ?? ""))
        }
        return lines
    }
}
