extension QueryFunction {
    /// The known function name or alias closest to an unknown one; nil if none is close enough.
    package static func nearest(to name: String) -> String? {
        let letters = Array(String(asciiLowercase: name.utf8.prefix(40)).utf8)
        var nearest: (name: String, distance: Int)?
        for candidate in all.map(\.name) + all.flatMap(\.aliases).sorted() {
            let other = Array(candidate.utf8)
            let distance = distance(letters, other)
            // A shared prefix does not make names similar: array_union is not array_min.
            let shared = zip(letters, other).prefix { $0 == $1 }.count
            let limit = max(1, min(letters.count / 3, (letters.count - shared) / 2))
            if distance <= limit, distance < nearest?.distance ?? .max {
                nearest = (candidate, distance)
            }
        }
        return nearest?.name
    }

    /// The edit distance: how many letters must be inserted, removed, replaced, or swapped with the
    /// next one to turn one name into the other.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...other.count)
        for (line, letter) in one.enumerated() {
            var row = [line + 1]
            for (column, candidate) in other.enumerated() {
                let changed = last[column] + (letter == candidate ? 0 : 1)
                var best = min(changed, last[column + 1] + 1, row[column] + 1)
                if line > 0, column > 0, letter == other[column - 1], candidate == one[line - 1] {
                    best = min(best, before[column - 1] + 1)
                }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[other.count]
    }
}
