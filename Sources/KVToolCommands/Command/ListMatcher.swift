internal import DocumentStore
internal import KVToolCore

/// What ids must be to be listed: one of several, or match one of several patterns.
struct ListMatcher {
    private struct Item {
        let text: String
        let pattern: KeyPattern?

        init(_ text: String) {
            self.text = text
            pattern = KeyPattern(text)
        }

        /// What all that match begin with.
        var prefix: String { pattern?.prefix ?? text }

        func matches(_ id: String) -> Bool {
            pattern?.matches(id) ?? id.utf8.elementsEqual(text.utf8)
        }

        /// Whether ones that match can still come, in the order of their ids.
        func mayFollow(_ id: String) -> Bool {
            id.utf8.lexicographicallyPrecedes(prefix.utf8) || id.utf8.starts(with: prefix.utf8)
        }
    }

    private let items: [Item]

    /// - Parameter texts: ids and patterns; none for all documents.
    init(_ texts: [String]) { items = texts.map { Item($0) } }

    /// Whether all ids match.
    var isEmpty: Bool { items.isEmpty }

    /// What no id that matches comes before; nil if that may be anything.
    var start: String? {
        let first = items.map(\.prefix).min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return first?.isEmpty == false ? first : nil
    }

    /// What people are told where nothing is listed; nil where each id is told to be missing.
    var emptyNote: String? {
        guard !isEmpty else { return "(no documents)" }
        let patterns = items.filter { $0.pattern != nil }.map { Text.line($0.text) }
        return patterns.isEmpty ? nil : "(no documents match \(patterns.joined(separator: ", ")))"
    }

    func matches(_ id: String) -> Bool { isEmpty || items.contains { $0.matches(id) } }

    /// Whether ones that match can still come, in the order of their ids.
    func mayFollow(_ id: String) -> Bool { isEmpty || items.contains { $0.mayFollow(id) } }

    /// The ids, but for patterns, that no document has, each once.
    func missing(
        in collection: DocumentCollection, _ snapshot: Snapshot, includesDeleted: Bool
    ) throws -> [String] {
        var missing: [String] = []
        for item in items where item.pattern == nil {
            let record = try collection.keyStore.get(item.text, content: .metadata, in: snapshot)
            if let record, includesDeleted || !record.flags.contains(.deleted) { continue }
            if !missing.contains(where: { $0.utf8.elementsEqual(item.text.utf8) }) {
                missing.append(item.text)
            }
        }
        return missing
    }
}
