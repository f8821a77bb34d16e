internal import DataFileCore
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

extension Snapshot {
    /// The query in SQL, for the current schema of the file.
    ///
    /// - Throws: `.invalidQuery`, `.notFound`.
    func prepared(
        _ query: Query, _ options: QueryTranslation.Options
    ) throws -> PreparedQuery {
        let session = try session()
        if self is Transaction, try session.hasAlteredSchema() { session.queries.removeAll() }
        let key = SessionQueries.Key(query: query.identity, options: options)
        if let known = session.queries[key], try holds(known) { return known }
        let prepared = try prepare(query.statement, options, session)
        session.queries.keep(prepared, key)
        return prepared
    }

    /// Whether the location of tombstones and the outdated collations are still those of the
    /// translation.
    private func holds(_ prepared: PreparedQuery) throws -> Bool {
        let session = try session()
        if prepared.collationVersions.isUsed,
            try info(InfoKey.collationVersions) != prepared.collationVersions.record
        {
            return false
        }
        for (store, table) in prepared.translation.tables {
            guard let tables = try session.storeTables(store),
                try tables.mayHaveLiveTombstones(in: self) == table.mayHaveLiveTombstones
            else { return false }
        }
        return true
    }

    private func prepare(
        _ statement: QueryStatement, _ options: QueryTranslation.Options, _ session: Session
    ) throws -> PreparedQuery {
        let prepared = try translate(statement, options)
        prepared.idle = try compile(prepared.sql, session)
        guard options.servesValues, prepared.translation.hasServedValues,
            try !usesIndex(prepared, session)
        else {
            prepared.guards = try prepared.translation.guards.map { try compile($0, session) }
            return prepared
        }
        // Without an index there is no need to distinguish its values from those of documents.
        var plain = options
        plain.servesValues = false
        return try prepare(statement, plain, session)
    }

    func translate(
        _ statement: QueryStatement, _ options: QueryTranslation.Options
    ) throws -> PreparedQuery {
        let catalog = SnapshotCatalog(self)
        return try withExtendedLifetime(catalog) {
            let translation = QueryTranslation(catalog, options)
            var writer = SQLQueryWriter(translation)
            var written = try writer.write(statement)
            guard CollationVersions.usesLanguage(written.sql) else {
                return PreparedQuery(written, translation)
            }
            let record = try info(InfoKey.collationVersions)
            written.sql = try avoidingStaleCollations(written.sql, record)
            let prepared = PreparedQuery(written, translation)
            prepared.collationVersions = (true, record)
            return prepared
        }
    }

    private func compile(_ sql: String, _ session: Session) throws -> SQLStatement {
        do {
            return try session.context.prepare(sql: sql)
        } catch let error as SQLError where error.message.contains("parser stack overflow") {
            throw StoreError.invalidQuery(
                "the query is nested too deeply: SQLite's parser has a stack of 100",
                underlying: error)
        } catch let error as SQLError where error.code == .error {
            throw StoreError.invalidQuery(
                "SQLite cannot compile the query: \(error.message)", underlying: error)
        }
    }

    /// Whether SQLite uses an index on expressions.
    private func usesIndex(_ prepared: PreparedQuery, _ session: Session) throws -> Bool {
        try PlanLine.lines(of: prepared.sql, session.context).contains {
            $0.detail.contains("USING INDEX") || $0.detail.contains("USING COVERING INDEX")
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
