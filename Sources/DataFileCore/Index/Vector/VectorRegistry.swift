internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// The table `vector_indexes`, in which a file registers the vector indexes of this project.
///
/// They are not in the table `indexes`: LiteCore would take them for those of its own extension.
struct VectorRegistry {
    let context: SQLContext

    init(_ context: SQLContext) {
        self.context = context
    }

    private func exists() throws -> Bool {
        try context.columns(ofTable: SchemaSQL.vectorIndexTable)?.isSuperset(
            of: ["name", "keyStore", "dimensions", "metric", "encoding"]) ?? false
    }

    /// All vector indexes; without those whose options this version does not know.
    func rows() throws -> [IndexRow] { try all().filter { $0.vectorOptions != nil } }

    /// The vector indexes of a later version, without options.
    func unsupportedRows() throws -> [IndexRow] { try all().filter { $0.vectorOptions == nil } }

    private func all() throws -> [IndexRow] {
        guard try exists() else { return [] }
        var rows: [IndexRow] = []
        try context.forEach(
            "SELECT name, keyStore, expression, whereClause, indexTableName, dimensions, metric, "
                + "encoding, probes, isLazy FROM main.\(SchemaSQL.vectorIndexTable)"
        ) { row in
            rows.append(
                IndexRow(
                    name: row.text(at: 0) ?? "", kind: .vector,
                    store: KeyStoreName(row.text(at: 1) ?? ""), expression: row.text(at: 2),
                    condition: row.text(at: 3), table: row.text(at: 4), lastSequences: nil,
                    vectorOptions: Self.options(row)))
        }
        return rows
    }

    private static func options(_ row: SQLStatement) -> VectorIndexOptions? {
        guard let metric = VectorMetric(rawValue: row.text(at: 6) ?? ""),
            let encoding = VectorEncoding(rawValue: row.text(at: 7) ?? "")
        else { return nil }
        let options = VectorIndexOptions(
            dimensions: Int(clamping: row.long(at: 5)), metric: metric, encoding: encoding,
            probes: row.isNull(at: 8) ? nil : Int(clamping: row.long(at: 8)),
            isLazy: row.long(at: 9) != 0)
        return (try? options.validate()) == nil ? nil : options
    }

    /// Adds an index, and the table if it is missing.
    func add(_ row: IndexRow) throws {
        guard let options = row.vectorOptions else { return }
        if try context.columns(ofTable: SchemaSQL.vectorIndexTable) == nil {
            try context.exec(sql: SchemaSQL.createVectorIndexes)
        }
        try context.run(
            "INSERT INTO main.\(SchemaSQL.vectorIndexTable) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(row.name), .text(row.store.rawName), SQLValue(text: row.expression),
                SQLValue(text: row.condition), SQLValue(text: row.table),
                .long(Int64(options.dimensions)), .text(options.metric.rawValue),
                .text(options.encoding.rawValue), options.probes.map { .long(Int64($0)) } ?? .null,
                .long(options.isLazy ? 1 : 0),
            ])
    }

    func remove(_ name: String) throws {
        guard try exists() else { return }
        try context.run(
            "DELETE FROM main.\(SchemaSQL.vectorIndexTable) WHERE name=?", [.text(name)])
    }
}
