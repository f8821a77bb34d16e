internal import DocumentStore
internal import KVToolCore

/// Selects IDs to list: those that equal one of several IDs or match one of several patterns.
struct ListMatcher {
    private struct Item {
        let text: String
        let pattern: KeyPattern?

        init(_ text: String) {
            self.text = text
            pattern = KeyPattern(text)
        }

        /// The common prefix of all matches.
        var prefix: String { pattern?.prefix ?? text }

        func matches(_ id: String) -> Bool {
            pattern?.matches(id) ?? id.utf8.elementsEqual(text.utf8)
        }

        /// Whether matches can follow an ID, in the order of IDs.
        func mayFollow(_ id: String) -> Bool {
            id.utf8.lexicographicallyPrecedes(prefix.utf8) || id.utf8.starts(with: prefix.utf8)
        }
    }

    private let items: [Item]

    /// - Parameter selectors: IDs and patterns, empty for all documents.
    init(_ selectors: [String]) { items = selectors.map { Item($0) } }

    /// Whether all IDs match.
    var isEmpty: Bool { items.isEmpty }

    /// A lower bound of all matching IDs, nil if there is none.
    var start: String? {
        let first = items.map(\.prefix).min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return first?.isEmpty == false ? first : nil
    }

    /// The note for an empty list; nil if missing IDs are reported one by one.
    var emptyNote: String? {
        guard !isEmpty else { return "(no documents)" }
        let patterns = items.filter { $0.pattern != nil }.map { Text.line($0.text) }
        return patterns.isEmpty ? nil : "(no documents match \(patterns.joined(separator: ", ")))"
    }

    func matches(_ id: String) -> Bool { isEmpty || items.contains { $0.matches(id) } }

    /// Whether matches can follow an ID, in the order of IDs.
    func mayFollow(_ id: String) -> Bool { isEmpty || items.contains { $0.mayFollow(id) } }

    /// Returns the IDs, without patterns, that no document has, each once.
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
