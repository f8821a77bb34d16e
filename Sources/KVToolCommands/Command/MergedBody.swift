internal import DocumentStore
internal import KVToolCore

/// The text of a merged document from a person or a script.
enum MergedBody {
    /// The properties in a text.
    ///
    /// - Throws: an error if it is not an object, or has a marker of a conflict.
    static func properties(
        of document: DocumentText, _ text: [UInt8]
    ) throws -> MutableFleeceDictionary {
        let value = try document.value()
        guard let properties = value.dictionary else {
            throw ToolError("a document's body must be an object")
        }
        try MergeMarker.requireNone(in: value, text)
        return MutableFleeceDictionary(properties)
    }

    /// Reads the properties of a document from a file, `-` for standard input.
    static func read(_ path: String, id: String) throws -> MutableFleeceDictionary {
        let text = try InputFile.contents(of: path)
        do {
            let document = try DocumentText(text)
            try document.require(id: id)
            return try properties(of: document, text)
        } catch let error as ToolError {
            let name = path == "-" ? "standard input" : path
            throw ToolError("\(name): \(error.message)", status: error.status)
        }
    }
}
