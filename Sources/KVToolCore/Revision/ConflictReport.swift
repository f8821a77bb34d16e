internal import DocumentStore

/// What the sides of a conflict changed.
package struct ConflictReport {
    private let document: ConflictedDocument
    /// The merge of all sides; nil if one of them deletes the document.
    private let merge: ThreeWayMerge?
    /// What each side changed in the ancestor; nil if that is not known, or JSON cannot represent
    /// it.
    private let deltas: [FleeceDelta?]

    package init(_ document: ConflictedDocument) {
        self.document = document
        merge = document.sides.contains(where: \.isDeleted) ? nil : ThreeWayMerge(document)
        let ancestor = document.ancestorProperties?.value
        deltas = document.sides.map { side in
            guard let ancestor, !side.isDeleted else { return nil }
            return try? FleeceDelta(from: ancestor, to: side.revision.value())
        }
    }
}

extension ThreeWayMerge {
    /// A merge of the sides of a conflict, none of which deletes the document.
    package init(_ document: ConflictedDocument) {
        self.init(
            from: document.ancestorProperties,
            to: document.sides.map { ($0.name, $0.revision.properties) })
    }
}

// For programs.
extension ConflictReport {
    /// The columns of reports as rows: those of the list, and more.
    package static let columns =
        ConflictedDocument.columns + [
            Column("ancestor", "Ancestor"), Column("ancestorBody", "Ancestor's body"),
            Column("conflicts", "Conflicts"),
        ]

    /// One cell for each of `columns`.
    package func row() throws -> [Cell] {
        let sides = try zip(document.sides, deltas).map { side, delta in
            var object = side.properties
            if !side.isDeleted { object.add("body", try Self.json(side.revision.value())) }
            object.add("delta", delta?.json)
            return object.finished()
        }
        let body = try document.ancestorProperties.map { try Self.json($0.value) }
        return document.row(sides) + [
            .optional(document.ancestor?.id.description), body.map(Cell.json) ?? .none,
            try merge.map { .json(JSONText(array: try $0.conflicts.map(json))) } ?? .none,
        ]
    }

    private func json(_ conflict: ThreeWayMerge.Conflict) throws -> JSONText {
        var object = JSONObject()
        object.add("path", conflict.path.description)
        object.add("ancestor", try conflict.ancestor.map(Self.json))
        let values = try zip(document.sides, conflict.values).map { side, value in
            var object = JSONObject()
            object.add("side", side.name)
            object.add("value", try value.map(Self.json))
            return object.finished()
        }
        object.add("values", values)
        return object.finished()
    }

    private static func json(_ value: FleeceValue) throws -> JSONText {
        var writer = JSONWriter()
        try writer.write(value)
        return writer.text
    }
}

// For people.
extension ConflictReport {
    /// Writes the report.
    ///
    /// - Parameter addresses: the addresses of the remotes, by their numbers.
    package func writeText(_ addresses: [Int: String]) throws {
        let count = Text.count(document.sides.count, "revision")
        try StandardOutput.current.write("\(Text.line(document.title)): \(count) in conflict\n")
        try Headings.write(
            [("ancestor", ancestorText)]
                + document.sides.map { ($0.name, Text.line($0.description(addresses))) })
        for (side, delta) in zip(document.sides, deltas) {
            guard let delta else { continue }
            try StandardOutput.current.write(
                "\nChanges of \(side.name)\n  \(Text.line(delta.json.string))\n")
        }
        try writeConflicts()
    }

    private var ancestorText: String {
        guard let ancestor = document.ancestor else { return "not in the file" }
        let note =
            ancestor.isDeleted
            ? ", deleted the document"
            : document.ancestorProperties == nil ? ", its properties are not stored" : ""
        return ancestor.id.description + note
    }

    /// Writes a table of the properties that cannot be merged.
    private func writeConflicts() throws {
        guard let merge else { return }
        let isKnown = document.ancestorProperties != nil
        guard !merge.conflicts.isEmpty else {
            return try StandardOutput.current.write(
                "\n\(isKnown ? "No property was changed in different ways" : "No property differs")"
                    + "; --merge merges all changes\n")
        }
        try StandardOutput.current.write(
            isKnown ? "\nChanged in different ways\n" : "\nDifferences\n")
        var columns = [Column("path", "Property", isKey: true)]
        if isKnown { columns.append(Column("ancestor", "ancestor")) }
        columns += document.sides.map { Column($0.name, $0.name) }
        var table = Table(columns, asLines: OutputStyle.current.showsLines)
        for conflict in merge.conflicts {
            let values = (isKnown ? [conflict.ancestor] : []) + conflict.values
            let cells = try values.map { try $0.map { Cell.json(try Self.json($0)) } ?? .none }
            try table.add([Text.line(conflict.path.description)] + cells.map(\.forPeople))
        }
        try table.finish()
    }
}
