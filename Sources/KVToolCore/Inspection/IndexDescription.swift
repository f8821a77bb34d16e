package import DocumentStore

/// An index and its objects in the file.
package struct IndexDescription: OneReport, Sendable {
    package let index: IndexInfo
    package let objects: IndexObjects
    /// Nil for other kinds than a vector index.
    private let vectors: VectorIndexStatistics?

    package var schema: String { "index.show" }
    package let columns = [
        Column("type", "Type"), Column("name", "Name", isKey: true),
        Column("rows", "Rows", isNumber: true), Column("bytes", "Size", isNumber: true),
        Column("sql", "SQL"),
    ]

    package init(_ index: IndexInfo, in snapshot: Snapshot) throws {
        self.index = index
        objects = try IndexObjects(index, snapshot)
        vectors = try snapshot.vectorStatistics(of: index)
    }

    package var rows: [[Cell]] {
        objects.all.map { object in
            [
                .text(object.type), .text(object.name), object.rows.map(Cell.number) ?? .none,
                object.bytes.map(Cell.bytes) ?? .none, .optional(object.sql),
            ]
        }
    }

    package func writeText() throws {
        let pairs = zip(IndexList.columns, IndexList.row(index)).map {
            ($0.heading, $1.forPeople)
        }
        try Headings.write(
            pairs.filter { !$0.1.isEmpty } + (vectors?.headings ?? []) + sizes)
        for object in objects.all {
            guard let sql = object.sql else { continue }
            try StandardOutput.current.write("\n\(Text.line(sql))\n")
        }
    }

    private var sizes: [(String, String)] {
        let rows = vectors == nil ? objects.rows.map { [("Rows", "\($0)")] } ?? [] : []
        return rows + (objects.bytes.map { [("Size", Text.size($0))] } ?? [])
    }

    package var properties: JSONObject {
        var object = JSONObject()
        for (column, cell) in zip(IndexList.columns, IndexList.row(index)) {
            cell.add(to: &object, as: column.field)
        }
        object.add("rows", vectors?.vectors ?? objects.rows)
        object.add("bytes", objects.bytes)
        object.add("vectors", vectors?.object)
        object.add("objects", list)
        return object
    }
}

/// The list of a database's indexes.
package enum IndexList {
    static let columns = [
        Column("name", "Index", isKey: true), Column("collection", "Collection"),
        Column("kind", "Kind"), Column("expressions", "Expressions"),
        Column("language", "Language"), Column("where", "Where"), Column("path", "Array"),
        Column("stale", "Stale"),
    ]

    /// Writes the indexes of all collections or of one.
    package static func write(
        _ snapshot: Snapshot, of collection: DocumentCollection?, _ output: OutputArguments
    ) throws {
        if let collection, try !collection.exists(in: snapshot) {
            throw ToolError(
                "the database has no collection \(collection.name)", status: .notFound)
        }
        var rows = RowOutput(
            "index.ls", list: "indexes", columns, output, empty: "(no indexes)")
        for index in try snapshot.indexes()
        where collection.map({ $0.keyStore.name == index.keyStore }) ?? true {
            try rows.add(row(index))
        }
        try rows.finish()
    }

    static func row(_ index: IndexInfo) -> [Cell] {
        [
            .text(index.name), .text(IndexText.collection(index.keyStore)),
            .text(IndexText.kind(index.kind)), .optional(index.expressions?.text),
            .optional(IndexText.language(index)), .optional(index.condition),
            .optional(index.arrayPath), .optional(IndexText.staleness(index)),
        ]
    }
}
