public import DataFileCore
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// Converts the output of `EXPLAIN QUERY PLAN` to the steps of a `QueryPlan`.
struct PlanReader {
    private let sql: String
    private let names: PlanNames
    private let analysis: QueryAnalysis
    private let statistics: PlanStatistics
    private let connection: Connection
    private let parameters: QueryParameters

    init(
        _ sql: String, _ names: PlanNames, _ analysis: QueryAnalysis, _ snapshot: Snapshot,
        _ parameters: QueryParameters
    ) throws {
        self.parameters = parameters
        self.sql = sql
        self.names = names
        self.analysis = analysis
        connection = try snapshot.connection()
        statistics = try PlanStatistics(connection.context)
    }

    /// The steps of the whole query.
    func steps() throws -> [QueryPlan.Step] {
        try steps(below: 0, PlanLine.lines(of: sql, connection.context))
    }

    private func steps(below parent: Int64, _ lines: [PlanLine]) throws -> [QueryPlan.Step] {
        try lines.filter { $0.parent == parent && $0.id != parent }.map { line in
            try step(line.detail, try steps(below: line.id, lines))
        }
    }

    private func step(
        _ detail: String, _ inner: [QueryPlan.Step]
    ) throws -> QueryPlan.Step {
        let words = PlanDescription(detail, names)
        let source = words.source
        let search = try source.flatMap { names.vectorSearches[$0] }.flatMap { try work($0) }
        let reasons = words.kind == .scan ? analysis.reasons(source: words.table ?? "") : []
        return QueryPlan.Step(
            text: words.text + (search.map { ": \($0)" } ?? ""), detail: detail, kind: words.kind,
            index: words.index,
            estimatedRows: try statistics.rows(
                words, source.flatMap { names.tables[$0] }),
            reasons: reasons, steps: inner)
    }

    /// What a search in a vector index reads. It depends on the vector: the search is run if its
    /// parameters are known, unless other conditions select its documents, which can take as long
    /// as the query. Otherwise, it is what the index has.
    private func work(_ search: NearestPlan) throws -> String? {
        guard let index = try search.ownName.flatMap({ try connection.vectorIndex($0) }) else {
            return nil
        }
        let cells = try index.index.cellCount()
        if search.documents == nil {
            let statement = try connection.context.prepare(sql: SQLPrinter.sql(search))
            defer { statement.close() }
            try statement.bind(parameters, changed: nil)
            if (try? statement.next()) == true, let work = index.lastWork {
                return work.description(ofCells: cells)
            }
        }
        return cells > 0 ? "\(cells) cells" : nil
    }
}

extension SearchWork {
    fileprivate func description(ofCells all: Int) -> String {
        guard cells > 0 else { return "compares \(measurements) vectors" }
        return "probes \(cells) of \(all) cells, estimates \(estimates) distances, "
            + "measures \(measurements)"
    }
}

/// The sizes of tables and indexes that `ANALYZE` has recorded.
struct PlanStatistics {
    private let context: SQLContext
    /// The numbers of each index: all rows, then the average rows with equal first column, first
    /// two columns, ….
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

    /// The estimated number of rows that a step reads.
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

    /// The highest rowid, which is read without a scan.
    private func size(of table: String) throws -> Int? {
        try context.first(
            "SELECT ifnull(max(rowid), 0) FROM \(table)", row: { Int($0.long(at: 0)) })
    }
}

extension Query {
    /// Returns how the query would be executed now, without running it; only a search in a vector
    /// index is run, if its vector is known, to count the cells and distances.
    ///
    /// ```swift
    /// let query = try Query("SELECT name FROM people WHERE age > $least ORDER BY name")
    /// let plan = try query.explain(in: snapshot, ["least": 80])
    /// print(plan)
    /// if plan.scansDocuments { print("an index on age would help") }
    /// ```
    /// The plan depends on the indexes and the planner statistics of the file, so it can change
    /// when an index is created or ``DataFile/optimize(isThorough:)`` runs. For an `UPDATE` or
    /// `DELETE` it is the plan of selecting the documents. ``adviseIndexes(in:)`` recommends
    /// indexes that would change it.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot, or a transaction.
    ///   - parameters: values for its parameters; the type of a value can change the plan.
    /// - Returns: the steps, in SQLite's order.
    /// - Throws: the errors of ``rows(in:_:limits:)``.
    public func explain(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:]
    ) throws -> QueryPlan {
        let query = try selecting(in: snapshot)
        let (prepared, options) = try query.preparedWithOptions(
            in: snapshot, TranslationOptions().with(parameters))
        let names = PlanNames(try snapshot.plan(query, options))
        let analysis = try QueryAnalysis(query.selectStatement, in: snapshot)
        let steps = try PlanReader(prepared.sql, names, analysis, snapshot, parameters)
            .steps()
        return QueryPlan(query: sqlPlusPlus, sql: prepared.sql, steps: steps)
    }
}
