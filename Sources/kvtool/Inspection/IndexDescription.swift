internal import DocumentStore

/// An index, and what stands for it in the file.
struct IndexDescription: OneReport, Sendable {
    let index: IndexInfo
    let objects: IndexObjects

    var schema: String { "index.show" }
    let columns = [
        Column("type", "Type"), Column("name", "Name", isKey: true),
        Column("rows", "Rows", isNumber: true), Column("bytes", "Size", isNumber: true),
        Column("sql", "SQL"),
    ]

    var rows: [[Cell]] {
        objects.all.map { object in
            [
                .text(object.type), .text(object.name), object.rows.map(Cell.number) ?? .none,
                object.bytes.map(Cell.bytes) ?? .none, .optional(object.sql),
            ]
        }
    }

    func writeText() throws {
        let pairs = zip(IndexList.columns, IndexList.row(index)).map {
            ($0.heading, $1.forPeople)
        }
        try Headings.write(pairs.filter { !$0.1.isEmpty } + sizes)
        for object in objects.all {
            guard let sql = object.sql else { continue }
            try StandardOutput.write("\n\(Text.line(sql))\n")
        }
    }

    private var sizes: [(String, String)] {
        let rows = objects.rows.map { [("Rows", "\($0)")] } ?? []
        return rows + (objects.bytes.map { [("Size", Text.size($0))] } ?? [])
    }

    var properties: JSONObject {
        var object = JSONObject()
        for (column, cell) in zip(IndexList.columns, IndexList.row(index)) {
            cell.add(to: &object, as: column.field)
        }
        object.add("rows", objects.rows)
        object.add("bytes", objects.bytes)
        object.add("objects", list)
        return object
    }
}
