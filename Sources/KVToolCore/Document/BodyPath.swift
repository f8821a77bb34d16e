package import DocumentStore

/// Parses paths into a document's body: `name.first`, `$.likes[0]`, `a["b.c"]`, and in SQL++ syntax
/// `` `a b`.c ``.
package enum BodyPath {
    /// Parses a path. Throws for an invalid path.
    package static func parse(_ text: String) throws -> PropertyPath {
        do {
            return try PropertyPath(parsing: bracketed(text))
        } catch let error as FleeceError {
            throw ToolError(
                "\(Text.line(text)) is not a path such as name.first or likes[0]: \(error.message)",
                status: .usage)
        }
    }

    /// Replaces names in backticks by quoted names in brackets.
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
    /// A dictionary with only these properties, without those that do not exist.
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

    /// The value at a path; the whole value for the path `$`.
    func value(at path: PropertyPath) -> FleeceValue? {
        path.components.isEmpty ? value : self[path]
    }
}
