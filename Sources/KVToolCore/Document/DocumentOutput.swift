package import ArgumentParser
package import DocumentStore

/// The JSON format of documents in console output.
package enum JSONForm: String, EnumerableFlag {
    case pretty, raw, canonical, json5

    package static func help(for value: JSONForm) -> ArgumentHelp? {
        switch value {
        case .pretty: "Indented JSON (default)."
        case .raw: "One line of JSON per document."
        case .canonical:
            "One line, keys sorted by their bytes: equal documents, equal text."
        case .json5: "Indented JSON5, without unnecessary quotes."
        }
    }

    var options: JSONWriter.Options {
        JSONWriter.Options(pretty: self == .pretty || self == .json5, canonical: self == .canonical)
    }
}

/// Writes documents, or selected parts of them.
package struct DocumentOutput {
    private let form: JSONForm
    private let keys: [String]
    private let path: PropertyPath?
    private let withMetadata: Bool
    private var rows: RowOutput?

    package init(
        form: JSONForm, keys: [String], path: PropertyPath?, withMetadata: Bool,
        _ output: OutputArguments
    ) {
        self.form = form
        self.keys = keys
        self.path = path
        self.withMetadata = withMetadata
        guard !output.isForPeople else { return }
        rows = RowOutput(
            "cat", list: "documents",
            [
                Column("id", "Document", isKey: true), Column("revision", "Revision"),
                Column("sequence", "Sequence", isNumber: true), Column("flags", "Flags"),
                Column("expiration", "Expires"),
                path == nil ? Column("body", "Body") : Column("value", "Value"),
            ], output)
    }

    /// Writes a document. Throws `.notFound` if it has no value at the path.
    package mutating func write(_ document: WrittenDocument) throws {
        do {
            if rows != nil { return try addRow(document) }
            try StandardOutput.current.write(
                JSONColours.coloured(finished(text(of: document))) + [0x0A])
        } catch let error as FleeceError {
            throw StoreError(
                .corruptData, "document \"\(Text.line(document.id))\" is damaged: \(error)")
        }
    }

    package mutating func finish() throws { try rows?.finish() }

    private func text(of document: WrittenDocument) throws -> JSONText {
        var writer = JSONWriter(options: form.options)
        if path != nil {
            try writer.write(value(of: document))
        } else {
            var first = withMetadata ? document.metadata : []
            first.insert(("_id", JSONText(quoting: document.id)), at: 0)
            try writer.write(chosen(document), after: first)
        }
        return writer.text
    }

    private func finished(_ text: JSONText) -> [UInt8] {
        form == .json5 ? JSON5Keys.unquoted(text.utf8) : text.utf8
    }

    private mutating func addRow(_ document: WrittenDocument) throws {
        var writer = JSONWriter(options: .init(canonical: form == .canonical))
        if path != nil {
            try writer.write(value(of: document))
        } else {
            try writer.write(chosen(document), after: [])
        }
        try rows?.add([
            .text(document.id), .optional(document.revision),
            document.sequence.map(Cell.integer) ?? .none, .list(document.flags.names),
            document.expiration.map(Cell.date) ?? .none, .json(writer.text),
        ])
    }

    private func chosen(_ document: WrittenDocument) throws -> FleeceDictionary? {
        keys.isEmpty ? document.properties : try document.properties?.only(keys)
    }

    private func value(of document: WrittenDocument) throws -> FleeceValue {
        guard let path, let value = document.properties?.value(at: path) else {
            throw StoreError(
                .notFound,
                "document \"\(Text.line(document.id))\" has nothing at "
                    + Text.line(path?.description ?? "$"))
        }
        return value
    }
}

extension JSONText {
    /// The JSON of a string.
    package init(quoting text: String) {
        self.init()
        append(quoted: text)
    }
}
