package import DocumentStore

/// Searches for text in the values of documents.
package struct TextSearch {
    /// A match.
    package struct Hit {
        /// The path of the value, `_id` for the document's ID.
        package var path: String
        /// The whole value.
        package var value: String
        /// The part of the value that console output shows.
        package var excerpt: String
    }

    private let needle: [Character]
    private let text: String
    private let isExact: Bool

    /// The number of characters shown before and after the match.
    private static let margin = 30

    /// - Parameter isExact: whether the search is case-sensitive.
    package init(_ text: String, isExact: Bool) {
        self.isExact = isExact
        self.text = isExact ? text : text.lowercased()
        needle = Array(self.text)
    }

    /// Calls `body` for each value that contains the text, until `body` returns false.
    ///
    /// - Throws: `FleeceError` for a body that cannot be read to its end.
    package func forEachHit(
        in document: FleeceDocument?, id: String, _ body: (Hit) throws -> Bool
    ) throws {
        if let hit = hit(in: id, "_id"), try !body(hit) { return }
        guard let document else { return }
        for item in document.root.deepValues() {
            let item = try item.get()
            guard let value = Self.text(of: item.value) else { continue }
            guard let hit = hit(in: value, item.pathText) else { continue }
            guard try body(hit) else { return }
        }
    }

    private static func text(of value: FleeceValue) -> String? {
        switch value.kind {
        case .string: return value.string
        case .bool, .integer, .double: return try? value.json()
        default: return nil
        }
    }

    private func hit(in value: String, _ path: @autoclosure () -> String) -> Hit? {
        guard (isExact ? value : value.lowercased()).contains(text) else { return nil }
        return Hit(path: path(), value: value, excerpt: excerpt(of: value))
    }

    private func excerpt(of value: String) -> String {
        let characters = Array(value)
        let folded = isExact ? characters : Array(value.lowercased())
        // A character may become several in lower case.
        guard folded.count == characters.count, let found = folded.firstRange(of: needle) else {
            return String(value.prefix(2 * Self.margin))
        }
        let start = max(0, found.lowerBound - Self.margin)
        let end = min(characters.count, found.upperBound + Self.margin)
        return (start > 0 ? "…" : "") + String(characters[start..<end])
            + (end < characters.count ? "…" : "")
    }
}
