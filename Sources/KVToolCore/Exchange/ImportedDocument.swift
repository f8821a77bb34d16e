internal import DocumentStore

/// A document that cannot be taken.
struct ImportError: Error {
    let message: String
    let place: TextLocation
    var status = ExitStatus.failure
}

/// Writes one document of a file into a collection.
struct ImportedDocument {
    let options: ImportOptions
    let transaction: Transaction

    /// It is there already, and stays.
    private struct Skipped: Error {}

    /// What has become of a document.
    enum Outcome {
        case new, overwritten, skipped
    }

    /// Writes it, or passes it over.
    ///
    /// Throws `ImportError` if it is at fault itself.
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
                place: TextLocation(line: inside.line, column: inside.column + column))
        } catch let error as StoreError where error.isOfInput {
            throw mistake(document, error.message)
        }
    }

    private func save(
        _ json: UnsafeRawBufferPointer, _ document: SourceDocument
    ) throws -> DocumentCollection.Saved {
        if case .standard = options.identity, options.mode != .merge {
            return try saveDirectly(json, document)
        }
        let parsed = try FleeceDocument(json: String(decoding: json, as: UTF8.self))
        // It may have the id as a property that is left out of what is stored.
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

    /// The usual case: read once, the id found on the way.
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

    /// Ends with what is there already, if that is to stay.
    private func check(_ id: String?, _ document: SourceDocument) throws {
        guard let id, options.mode == .insert || options.mode == .skip else { return }
        let old = try options.collection.keyStore.get(id, content: .metadata, in: transaction)
        guard let old, !old.flags.contains(.deleted) else { return }
        guard options.mode == .insert else { throw Skipped() }
        throw mistake(
            document, "there is a document \"\(Text.line(id))\" already", status: .conflict)
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
                throw mistake(document, "the value of \"_id\" must be a string")
            }
            return options.prefix + text
        case .property(let path):
            var value: FleeceValue? = path.first.flatMap { properties[$0] }
            for key in path.dropFirst() { value = value?.dictionary?[key] }
            guard let value, let text = Self.text(value) else {
                throw mistake(
                    document,
                    "\"\(Text.line(path.joined(separator: ".")))\", which is to be the id, is "
                        + (value == nil ? "missing" : "neither a text nor a number"))
            }
            return options.prefix + text
        }
    }

    /// A scalar as an id.
    private static func text(_ value: FleeceValue) -> String? {
        switch value.kind {
        case .string: value.string
        case .integer, .double, .bool: try? value.json()
        default: nil
        }
    }

    private func mistake(
        _ document: SourceDocument, _ message: String, status: ExitStatus = .failure
    ) -> ImportError {
        ImportError(
            message: message, place: TextLocation(line: document.line, column: document.column),
            status: status)
    }
}

extension StoreError {
    /// Whether the one document is at fault, or the one that it would replace.
    fileprivate var isOfInput: Bool {
        has(.badDocumentID) || has(.invalidParameter) || has(.unsupported)
            || has(.corruptRevisionData) || has(.badRevisionID) || has(.conflict)
    }
}
