/// A function of the query languages: what it is called there and in SQL, and what it takes.
package struct QueryFunction: Hashable, Sendable {
    /// The name in an expression, in lower case.
    package let name: String
    /// The name of the SQL function that does it.
    let sqlName: String
    /// How many arguments it takes.
    package let arguments: ClosedRange<Int>
    /// Whether it makes one value of those of many rows.
    package let isAggregate: Bool
    /// Whether it looks at the rows around, which `OVER` names.
    let needsWindow: Bool

    /// As many arguments as SQLite gives to a function.
    static let most = 127

    init(
        _ name: String, _ arguments: ClosedRange<Int>, sql: String? = nil,
        isAggregate: Bool = false, needsWindow: Bool = false
    ) {
        self.name = name
        self.sqlName = sql ?? name
        self.arguments = arguments
        self.isAggregate = isAggregate
        self.needsWindow = needsWindow
    }

    /// The function of a name in any case, or of one of its other names; nil if there is none.
    package init?(named name: String) {
        let lowercase = String(asciiLowercase: name.utf8)
        guard let function = Self.byName[Self.aliases[lowercase] ?? lowercase] else { return nil }
        self = function
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// How many arguments it takes, as a sentence says it.
    package var argumentsInWords: String {
        let (least, most) = (arguments.lowerBound, arguments.upperBound)
        return switch (least, most) {
        case (0, 0): "no argument"
        case (1, 1): "1 argument"
        case (_, Self.most): "\(least) or more arguments"
        case (_, least): "\(least) arguments"
        default: "\(least) \(most == least + 1 ? "or" : "to") \(most) arguments"
        }
    }
}

// MARK: Suggestions

extension QueryFunction {
    /// The name that is most like one that is none; nil if none is much like it.
    package static func nearest(to name: String) -> String? {
        let letters = Array(String(asciiLowercase: name.utf8.prefix(40)).utf8)
        var nearest: (name: String, distance: Int)?
        for candidate in all.map(\.name) + aliases.keys.sorted() {
            let other = Array(candidate.utf8)
            let distance = distance(letters, other)
            // Two words of a family are not alike for the name of that: array_union, array_min.
            let shared = zip(letters, other).prefix { $0 == $1 }.count
            let limit = max(1, min(letters.count / 3, (letters.count - shared) / 2))
            if distance <= limit, distance < nearest?.distance ?? .max {
                nearest = (candidate, distance)
            }
        }
        return nearest?.name
    }

    /// How many letters must be added, removed, changed, or swapped with the next one, to make one
    /// of the other.
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
