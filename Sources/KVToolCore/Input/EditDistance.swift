package import DocumentStore

/// How far two words are from each other.
package enum EditDistance {
    /// How many characters have to be put in, left out, replaced, or swapped with the next one, to
    /// make one of the other; none is changed twice.
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

    /// The one of some names that a word may have been meant to be: the same but for upper and
    /// lower case, or with no more than a letter in three wrong.
    static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        let lowercase = word.lowercased()
        let limit = min(3, max(1, word.count / 3))
        return names.map { name in
            (distance: between(lowercase, name.lowercased()), name: name)
        }
        .filter { $0.distance <= limit && $0.distance < word.count }
        .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// No name is longer, and a word may be anything.
    private static let maximum = 100
}

/// What may have been meant by the name of a collection that is not there.
package enum CollectionHint {
    /// What such errors say before the name.
    private static let phrases = ["has no collection ", "there is no collection "]
    /// The most collections that a message names.
    private static let maximumNames = 8

    /// Runs `body`; an error about a collection that is not there says which may have been meant.
    package static func adding<T>(in snapshot: Snapshot, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError where error.has(.notFound) {
            guard let hint = hint(error.message, snapshot) else { throw error }
            throw StoreError(.notFound, error.message + hint)
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
        // Advice follows the name already.
        guard !name.contains(";") else { return nil }
        if let other = nearest(to: name, among: names) {
            return "; did you mean \(Text.line(other))?"
        }
        let shown = names.prefix(maximumNames).map { Text.line($0) }.joined(separator: ", ")
        let rest = names.count > maximumNames ? " and \(names.count - maximumNames) more" : ""
        return "; there \(names.count == 1 ? "is" : "are") \(shown)\(rest)"
    }

    /// The same name in another case, or in another scope, or one that is nearly the same.
    private static func nearest(to name: String, among names: [String]) -> String? {
        func last(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }
        let lowercase = name.lowercased()
        return names.first { $0.lowercased() == lowercase }
            ?? names.first { last($0.lowercased()) == last(lowercase) }
            ?? EditDistance.nearest(to: name, among: names)
    }
}

extension CollectionName {
    /// Reads a name as it was typed: one that no collection can have is wrong usage.
    package init(argument: String) throws {
        self = try ToolError.asUsage { try CollectionName(argument) }
    }
}
