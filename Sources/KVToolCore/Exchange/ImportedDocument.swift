internal import DocumentStore

/// An invalid record of a file.
struct ImportError: Error {
    let message: String
    let location: TextLocation
    var status = ExitStatus.failure
}

/// Writes one record of a file into a collection.
struct ImportedDocument {
    let options: ImportOptions
    let transaction: Transaction

    /// Thrown for a document that already exists and is left unchanged.
    private struct Skipped: Error {}

    /// The result for one record.
    enum Outcome {
        case new, overwritten, skipped
    }

    /// Writes the document, or skips it.
    ///
    /// - Throws: `ImportError` if the record is invalid.
    func write(_ document: SourceDocument) throws -> Outcome {
        do {
            let saved: DocumentCollection.Saved
            if options.isJSON5 {
                let json = try JSONText(json5: document.json)
                saved = try json.utf8.withUnsafeBytes { try save($0, document) }
            } else {
                saved = try save(document.json, document)
            }
            return saved.isNew ? .new : .overwritten
        } catch is Skipped {
            return .skipped
        } catch let error as FleeceError {
            let inside = TextLocation(
                offset: error.offset ?? 0, in: [UInt8](document.json)[...],
                firstLine: document.line)
            let column = inside.line == document.line ? document.column - 1 : 0
            let isUTF8 = UTF8Check.firstInvalid(in: document.json) == nil
            throw ImportError(
                message: isUTF8 ? error.message : "\(error.message); \(UTF8Check.hint)",
                location: TextLocation(line: inside.line, column: inside.column + column))
        } catch let error as StoreError where error.isOfInput {
            throw invalidRecord(document, error.message)
        }
    }

    private func save(
        _ json: UnsafeRawBufferPointer, _ document: SourceDocument
    ) throws -> DocumentCollection.Saved {
        if case .standard = options.identity, options.mode != .merge {
            return try saveDirectly(json, document)
        }
        let parsed = try FleeceDocument(json: String(decoding: json, as: UTF8.self))
        // The ID may be a property that is removed from the stored document.
        guard let properties = parsed.root.dictionary else {
            return try saveDirectly(json, document)
        }
        let id = try id(of: properties, document)
        if options.mode == .merge, let id,
            let old = try options.collection.get(id, in: transaction)
        {
            let before = old.properties.map { MutableFleeceDictionary($0) } ?? [:]
            var merged = try MergePatch(parsed.root).applied(to: before)
            merged["_id"] = nil
            return try options.collection.save(id, in: transaction) { try $0.write(merged) }
        }
        try check(id, document)
        return try options.collection.save(in: transaction) { encoder in
            _ = try encoder.writeJSON(json, lifting: "_id")
            return id
        }
    }

    /// The common case: one pass over the JSON, which also finds the ID.
    private func saveDirectly(
        _ json: UnsafeRawBufferPointer, _ document: SourceDocument
    ) throws -> DocumentCollection.Saved {
        try options.collection.save(in: transaction) { encoder in
            let found = try encoder.writeJSON(json, lifting: "_id") ?? document.fileID
            guard let found, options.mode != .replace || !options.prefix.isEmpty else {
                return found
            }
            let id = options.prefix + found
            try check(id, document)
            return id
        }
    }

    /// Throws if the document already exists and must be left unchanged.
    private func check(_ id: String?, _ document: SourceDocument) throws {
        guard let id, options.mode == .insert || options.mode == .skip else { return }
        let old = try options.collection.keyStore.get(id, content: .metadata, in: transaction)
        guard let old, !old.flags.contains(.deleted) else { return }
        guard options.mode == .insert else { throw Skipped() }
        throw invalidRecord(
            document, "document \"\(Text.line(id))\" already exists", status: .conflict)
    }

    private func id(
        of properties: FleeceDictionary, _ document: SourceDocument
    ) throws -> String? {
        switch options.identity {
        case .new: return options.prefix.isEmpty ? nil : options.prefix + DocumentID.generate()
        case .standard:
            guard let value = properties["_id"] else {
                return document.fileID.map { options.prefix + $0 }
            }
            guard let text = value.string else {
                throw invalidRecord(document, "the value of \"_id\" must be a string")
            }
            return options.prefix + text
        case .property(let path):
            var value: FleeceValue? = path.first.flatMap { properties[$0] }
            for key in path.dropFirst() { value = value?.dictionary?[key] }
            guard let value, let text = Self.text(value) else {
                throw invalidRecord(
                    document,
                    "\"\(Text.line(path.joined(separator: ".")))\", which is the id, is "
                        + (value == nil ? "missing" : "neither a string nor a number"))
            }
            return options.prefix + text
        }
    }

    /// Converts a scalar to an ID.
    private static func text(_ value: FleeceValue) -> String? {
        switch value.kind {
        case .string: value.string
        case .integer, .double, .bool: try? value.json()
        default: nil
        }
    }

    private func invalidRecord(
        _ document: SourceDocument, _ message: String, status: ExitStatus = .failure
    ) -> ImportError {
        ImportError(
            message: message, location: TextLocation(line: document.line, column: document.column),
            status: status)
    }
}

extension StoreError {
    /// Whether the record is the cause, or the document that it would replace.
    fileprivate var isOfInput: Bool {
        has(.badDocumentID) || has(.invalidParameter) || has(.unsupported)
            || has(.corruptRevisionData) || has(.badRevisionID) || has(.conflict)
    }
}
