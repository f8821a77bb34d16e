package import DocumentStore

/// A way into a document's body as people write it: `name.first`, `$.likes[0]`, `a["b.c"]`, and as
/// SQL++ has it `` `a b`.c ``.
package enum BodyPath {
    /// Reads a path. Throws for a text that is none.
    package static func parse(_ text: String) throws -> PropertyPath {
        do {
            return try PropertyPath(parsing: bracketed(text))
        } catch let error as FleeceError {
            throw ToolError(
                "\(Text.line(text)) is no path as name.first or likes[0]: \(error.message)",
                status: .usage)
        }
    }

    /// Names in backticks become names in brackets and quotes.
    private static func bracketed(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count > 2, !parts.count.isMultiple(of: 2) else { return text }
        var path = ""
        for (index, part) in parts.enumerated() {
            guard !index.isMultiple(of: 2) else {
                path += part
                continue
            }
            if path.last == "." { path.removeLast() }
            path += "[\"" + part.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\"]"
        }
        return path
    }
}

extension FleeceDictionary {
    /// A dictionary with these properties only, those of them that are there.
    func only(_ keys: [String]) throws -> FleeceDictionary? {
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        var seen: Set<[UInt8]> = []
        for key in keys where seen.insert(Array(key.utf8)).inserted {
            guard let value = self[key] else { continue }
            try encoder.writeKey(key)
            try encoder.write(value)
        }
        try encoder.endDictionary()
        return try FleeceDocument(trusted: encoder.finish()).root.dictionary
    }

    /// What a path leads to; the whole for the path `$`.
    func value(at path: PropertyPath) -> FleeceValue? {
        path.components.isEmpty ? value : self[path]
    }
}
