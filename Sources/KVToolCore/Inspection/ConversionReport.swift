package import DocumentStore
package import StoreTools

/// The number of documents of a collection by the format of their revisions.
package struct RevisionForms: Sendable {
    /// Couchbase Lite 2: a revision tree in the body.
    package private(set) var treesInBody = 0
    /// Couchbase Lite 3: a revision tree in `extra`.
    package private(set) var trees = 0
    /// Couchbase Lite 4: version vectors.
    private(set) var vectors = 0

    var all: Int { treesInBody + trees + vectors }

    /// Counts the documents, including tombstones, without reading bodies.
    package init(_ collection: DocumentCollection, _ snapshot: Snapshot) throws {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = true
        options.order = .unsorted
        let records = try collection.records(options, in: snapshot)
        while let record = try records.next() {
            if record.version.first == 0 {
                vectors += 1
            } else if record.extraSize > 0 {
                trees += 1
            } else {
                treesInBody += 1
            }
        }
    }
}

/// The result of a conversion, or of its dry run.
package struct ConversionReport: OneReport, Sendable {
    /// The result for a collection.
    package struct Row: Sendable {
        package let name: CollectionName
        package let forms: RevisionForms
        var converted = 0
        package var kept = 0
        var examples: [RevisionUpgrade.Kept] = []

        package init(name: CollectionName, forms: RevisionForms) {
            self.name = name
            self.forms = forms
        }

        package mutating func add(_ step: RevisionUpgrade) {
            converted += step.converted
            kept += step.kept
            let space = RevisionUpgrade.maximumExamples - examples.count
            examples += step.examples.prefix(max(0, space))
        }
    }

    let path: String
    let to: String
    package var collections: [Row]
    package var isDry = true

    package init(path: String, to: String, collections: [Row]) {
        self.path = path
        self.to = to
        self.collections = collections
    }

    package var converted: Int { collections.reduce(0) { $0 + $1.converted } }

    package var schema: String { "convert" }

    package var columns: [Column] {
        let counts = [
            Column("collection", "Collection", isKey: true),
            Column("treesInBody", "2.x trees", isNumber: true),
            Column("trees", "3.x trees", isNumber: true),
            Column("vectors", "Vectors", isNumber: true),
        ]
        guard !isDry else { return counts }
        return counts + [
            Column("converted", "Converted", isNumber: true),
            Column("kept", "Kept", isNumber: true),
        ]
    }

    package var rows: [[Cell]] {
        collections.map { row in
            let counts: [Cell] = [
                .text(row.name.description), .number(row.forms.treesInBody),
                .number(row.forms.trees), .number(row.forms.vectors),
            ]
            return isDry ? counts : counts + [.number(row.converted), .number(row.kept)]
        }
    }

    package func writeText() throws {
        try Self.writeTable(columns, rows)
        for row in collections {
            for kept in row.examples {
                let text = "\"\(kept.key)\" in \(row.name) stays a tree: \(kept.reason)"
                try StandardOutput.current.write(Text.line(text) + "\n")
            }
        }
    }

    package var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("to", to)
        object.add("dryRun", isDry)
        object.add("collections", list)
        object.add("kept", collections.flatMap { row in row.examples.map { json($0, row.name) } })
        return object
    }

    private func json(_ kept: RevisionUpgrade.Kept, _ name: CollectionName) -> JSONText {
        var object = JSONObject()
        object.add("collection", name.description)
        object.add("id", kept.key)
        object.add("reason", kept.reason)
        return object.finished()
    }
}
