package import DocumentStore

/// The edit distance of two words.
package enum EditDistance {
    /// The number of insertions, deletions, replacements, and swaps of adjacent characters that
    /// turn one word into the other (optimal string alignment).
    package static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.prefix(maximum)), Array(second.prefix(maximum)))
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var best = min(
                    last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1],
                    first[row - 1] == second[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }

    /// The most similar name: equal except for case, or with at most one character in three
    /// different.
    static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        let lowercase = word.lowercased()
        let limit = min(3, max(1, word.count / 3))
        return names.map { name in
            (distance: between(lowercase, name.lowercased()), name: name)
        }
        .filter { $0.distance <= limit && $0.distance < word.count }
        .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// The maximum length compared: names are shorter, but the word may have any length.
    private static let maximum = 100
}

/// Suggestions for a collection name that does not exist.
package enum CollectionHint {
    /// The prefixes of the name in such errors.
    private static let phrases = ["has no collection ", "there is no collection "]
    /// The maximum number of collections in a message.
    private static let maximumNames = 8

    /// Runs `body`, and adds a suggestion to an error about a collection that does not exist.
    package static func adding<T>(in snapshot: Snapshot, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError where error.has(.notFound) {
            guard let hint = hint(error.message, snapshot) else { throw error }
            throw StoreError(.notFound, error.message + hint, underlying: error.underlying)
        } catch let error as ToolError where error.status == .notFound {
            guard let hint = hint(error.message, snapshot) else { throw error }
            throw ToolError(error.message + hint, status: .notFound)
        }
    }

    private static func hint(_ message: String, _ snapshot: Snapshot) -> String? {
        guard let phrase = phrases.compactMap({ message.firstRange(of: $0) }).first,
            let names = try? snapshot.collectionNames().map(\.description)
        else { return nil }
        let name = String(message[phrase.upperBound...])
        // The message already has advice after the name.
        guard !name.contains(";") else { return nil }
        if let other = nearest(to: name, among: names) {
            return "; did you mean \(Text.line(other))?"
        }
        let shown = names.prefix(maximumNames).map { Text.line($0) }.joined(separator: ", ")
        let rest = names.count > maximumNames ? " and \(names.count - maximumNames) more" : ""
        return "; there \(names.count == 1 ? "is" : "are") \(shown)\(rest)"
    }

    /// The same name in another case or another scope, or a similar name.
    private static func nearest(to name: String, among names: [String]) -> String? {
        func last(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }
        let lowercase = name.lowercased()
        return names.first { $0.lowercased() == lowercase }
            ?? names.first { last($0.lowercased()) == last(lowercase) }
            ?? EditDistance.nearest(to: name, among: names)
    }
}

extension CollectionName {
    /// Parses a command-line argument; an invalid name is a usage error.
    package init(argument: String) throws {
        self = try ToolError.asUsage { try CollectionName(argument) }
    }
}
