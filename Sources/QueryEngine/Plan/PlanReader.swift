public import DataFileCore
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

/// Reads what `EXPLAIN QUERY PLAN` says of a query.
struct PlanReader {
    private let prepared: PreparedQuery
    private let analysis: QueryAnalysis
    private let statistics: PlanStatistics
    private let session: Session

    init(
        _ prepared: PreparedQuery, _ analysis: QueryAnalysis, _ snapshot: Snapshot
    ) throws {
        self.prepared = prepared
        self.analysis = analysis
        session = try snapshot.session()
        statistics = try PlanStatistics(session.context)
    }

    /// The steps of the whole query.
    func steps() throws -> [QueryPlan.Step] {
        try steps(below: 0, PlanLine.lines(of: prepared.sql, session.context))
    }

    private func steps(below parent: Int64, _ lines: [PlanLine]) throws -> [QueryPlan.Step] {
        try lines.filter { $0.parent == parent && $0.id != parent }.map { line in
            try step(line.detail, try steps(below: line.id, lines))
        }
    }

    private func step(
        _ detail: String, _ inner: [QueryPlan.Step]
    ) throws -> QueryPlan.Step {
        let words = PlanDescription(detail, prepared.translation)
        let source = words.source
        let reasons = words.kind == .scan ? analysis.reasons(source: words.table ?? "") : []
        return QueryPlan.Step(
            text: words.text, detail: detail, kind: words.kind, index: words.index,
            estimatedRows: try statistics.rows(
                words, source.flatMap { prepared.translation.sqlTables[$0] }),
            reasons: reasons, steps: inner)
    }
}

/// What `ANALYZE` has found out about the sizes of tables and indexes.
struct PlanStatistics {
    private let context: SQLContext
    /// The numbers of each index: rows, and rows that have the same first column, first two, ….
    private var indexes: [String: [Int]] = [:]

    init(_ context: SQLContext) throws {
        self.context = context
        guard
            try context.first(SchemaSQL.tableExists, [.text("sqlite_stat1")], row: { _ in true })
                == true
        else { return }
        try context.forEach("SELECT idx, stat FROM main.sqlite_stat1 WHERE idx NOT NULL") { row in
            let numbers = (row.text(at: 1) ?? "").split(separator: " ").compactMap { Int($0) }
            indexes[row.text(at: 0) ?? ""] = numbers
        }
    }

    /// About how many rows a step reads.
    func rows(_ words: PlanDescription, _ table: String?) throws -> Int? {
        switch words.kind {
        case .scan: return try table.flatMap { try size(of: $0) }
        case .indexScan:
            return try indexes[words.index ?? ""]?.first ?? table.flatMap { try size(of: $0) }
        case .search:
            if words.isUnique { return 1 }
            guard let numbers = words.index.flatMap({ indexes[$0] }), let all = numbers.first else {
                return nil
            }
            let equal = words.equalColumns
            let same = equal < numbers.count ? numbers[equal] : 1
            return equal == 0 ? max(1, all / 4) : same
        default: return nil
        }
    }

    /// The highest number of a row, which is found at once.
    private func size(of table: String) throws -> Int? {
        try context.first(
            "SELECT ifnull(max(rowid), 0) FROM \(table)", row: { Int($0.long(at: 0)) })
    }
}

extension Query {
    /// How the query would be executed now. Nothing of it is run.
    ///
    /// - Parameter parameters: values that it would be run with: with some it is another statement.
    ///
    /// Throws as `rows` does; of an `UPDATE` or `DELETE` it is the plan of finding the documents.
    public func explain(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:]
    ) throws -> QueryPlan {
        let query = try QueryEdit.selection(of: statement).map { Query(.select($0)) } ?? self
        let prepared = try query.prepared(
            in: snapshot, QueryTranslation.Options().with(parameters))
        let analysis = try QueryAnalysis(query.statement, in: snapshot)
        let steps = try PlanReader(prepared, analysis, snapshot).steps()
        return QueryPlan(query: sqlPlusPlus, sql: prepared.sql, steps: steps)
    }
}
