import DocumentStore

/// A query of a file with a known result.
struct BenchmarkQuery {
    let name: String
    var isIndexed = false
    /// The number of items handled by a pass.
    var items: (QueryFiles.Facts) -> Int = { _ in 1 }
    /// The expected result of a pass.
    let result: (QueryFiles.Facts) -> Int

    /// The baseline in C, over plain columns, or over the records themselves.
    func baseline(
        isPlain: Bool = true, _ sql: String, _ pass: @escaping (BaselineQuery) throws -> Int
    ) -> Workload {
        workload(name + ": C", baseline: nil, path: QueryFiles.path(isIndexed, isPlain: isPlain)) {
            let query = try BaselineQuery(sql, isIndexed: isIndexed, isPlain: isPlain)
            return { try pass(query) }
        }
    }

    /// The baseline in C, as a scan of the records.
    func baselineFile(_ pass: @escaping (BaselineFile) throws -> Int) -> Workload {
        workload(name + ": C", baseline: nil) {
            let file = try BaselineFile(QueryFiles.path(isIndexed))
            return { try pass(file) }
        }
    }

    /// The query through the engine.
    func engine(
        _ suffix: String = "", _ pass: @escaping (DataFile) throws -> Int
    ) -> Workload {
        let path = QueryFiles.path(isIndexed)
        return workload(name + suffix, baseline: name + ": C", path: path) {
            let file = try DataFile(path: path, options: StoreData.options(.readWrite))
            return { try pass(file) }
        }
    }

    /// Sums all rows of one query, like the baseline.
    func rows(
        of text: String, _ parameters: QueryParameters = [:], suffix: String = "",
        value: @escaping (ResultRow) -> Int = Self.sum
    ) -> Workload {
        engine(suffix) { file in
            let query = try Query(text)
            return try file.read { snapshot in
                let rows = try query.rows(in: snapshot, parameters)
                var sum = 0
                while let row = try rows.next() { sum += value(row) }
                return sum
            }
        }
    }

    static func sum(_ row: ResultRow) -> Int {
        (0..<row.count).reduce(0) { sum, column in
            switch row[column] {
            case .integer(let number): sum + Int(number)
            case .string(let text): sum + text.utf8.count
            default: sum
            }
        }
    }

    func workload(
        _ name: String, baseline: String?, path: String? = nil,
        _ open: @escaping () throws -> () throws -> Int
    ) -> Workload {
        Workload(name, baseline: baseline) {
            let facts = try QueryFiles.get().facts
            let expected = result(facts)
            let pass = try open()
            var prepared = Workload.Prepared(.items(items(facts))) {
                try Recount.require(pass(), expected, name)
            }
            prepared.path = path.map { path in { path } }
            return prepared
        }
    }
}
