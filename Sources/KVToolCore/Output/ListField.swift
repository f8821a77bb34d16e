package import ArgumentParser
package import DocumentStore

/// A document of the list.
package struct ListRow {
    package let record: Record
    private(set) var revision = "-"
    /// The timestamp of the revision, if it has one.
    private(set) var time: Int64?
    private(set) var body: JSONText?
    /// The error, if a field cannot be read.
    package private(set) var error: StoreError?

    package init(
        _ record: Record, _ sharedKeys: SharedKeys, _ fields: [ListField], _ form: ListForm = .raw
    ) {
        self.record = record
        do {
            if fields.contains(.revision) || fields.contains(.time) { try readRevision() }
            if fields.contains(.body) { try readBody(sharedKeys, form) }
        } catch let error as StoreError {
            self.error = error
        } catch {
            self.error = StoreError(.corruptData, "\(error)")
        }
    }

    private mutating func readRevision() throws {
        revision = "(damaged)"
        let id = try record.revisionID()
        revision = id?.description ?? "-"
        time = id?.time
    }

    private mutating func readBody(_ sharedKeys: SharedKeys, _ form: ListForm) throws {
        let body = try record.currentBody.flatMap {
            try $0.isEmpty ? nil : FleeceDocument(trusted: $0, sharedKeys: sharedKeys)
        }
        self.body = try form.text(of: body?.root.dictionary)
    }
}

/// A field of the document list.
package enum ListField: String, CaseIterable {
    case id, revision, flags, sequence, bytes, expiration, time, body

    /// The default fields.
    package static let usual: [ListField] = [
        .id, .revision, .flags, .sequence, .bytes, .expiration,
    ]

    /// Returns the field with this name, or with the name in console output.
    package init?(named name: String) { self.init(rawValue: name == "size" ? "bytes" : name) }

    var column: Column {
        switch self {
        case .id: Column("id", "Document", isKey: true)
        case .revision: Column("revision", "Revision")
        case .flags: Column("flags", "Flags")
        case .sequence: Column("sequence", "Sequence", isNumber: true)
        case .bytes: Column("bytes", "Size", isNumber: true)
        case .expiration: Column("expiration", "Expires")
        case .time: Column("time", "Time")
        case .body: Column("body", "Body")
        }
    }

    func cell(of row: ListRow) -> Cell {
        let record = row.record
        return switch self {
        case .id: .text(record.key)
        case .revision:
            .both(row.revision, program: row.error == nil ? .text(row.revision) : .none)
        case .flags: .both(Text.flags(record.flags), program: .list(record.flags.names))
        case .sequence: .integer(record.sequence)
        case .bytes: .number(record.bodySize)
        case .expiration: record.expiration.map(Cell.date) ?? .none
        case .time: row.time.map(Cell.date) ?? .none
        case .body: row.body.map(Cell.json) ?? .none
        }
    }
}

/// The format of bodies in a list.
package enum ListForm: String, EnumerableFlag {
    case raw, pretty, json5

    package static func help(for value: ListForm) -> ArgumentHelp? {
        switch value {
        case .raw: "With --body: one line per body (default)."
        case .pretty: "With --body: indented, below each document."
        case .json5: "With --body: as JSON5, without unnecessary quotes."
        }
    }

    /// The text of a body.
    func text(of body: FleeceDictionary?) throws -> JSONText {
        var writer = JSONWriter(options: JSONWriter.Options(pretty: self == .pretty))
        try writer.write(body, after: [])
        var text = writer.text
        if self == .json5 { text.utf8 = JSON5Keys.unquoted(text.utf8) }
        return text
    }

    /// The presentation of rows with these fields.
    func presentation(of fields: [ListField]) -> RowOutput.Presentation {
        guard self == .pretty, let body = fields.firstIndex(of: .body) else { return .table }
        return .lines { row in
            var cells = row
            let text = cells.remove(at: body).plain
            let head = cells.map(\.forPeople).filter { !$0.isEmpty }.joined(separator: "  ")
            let lines = text.split(separator: "\n").map { Text.line(String($0)) }
            return ([head] + lines).joined(separator: "\n")
        }
    }
}
