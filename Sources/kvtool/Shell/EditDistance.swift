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

    /// No name is longer, and a word may be anything.
    private static let maximum = 100
}
