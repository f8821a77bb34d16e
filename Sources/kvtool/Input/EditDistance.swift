/// How far two words are from each other.
enum EditDistance {
    /// How many characters have to be put in, left out, replaced, or swapped with the next one, to
    /// make one of the other; none is changed twice.
    static func between(_ first: String, _ second: String) -> Int {
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
