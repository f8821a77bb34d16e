internal import DocumentStore

/// What was wrong with a list, a line each; a list that is wrong everywhere does not fill memory.
struct ReadProblems {
    private var noted: [String] = []
    private var others = 0

    /// So many are told.
    static let most = 1_000

    mutating func note(_ line: @autoclosure () -> String) {
        if noted.count < Self.most { noted.append(line()) } else { others += 1 }
    }

    /// The lines, and how many more there would be.
    var lines: [String] { others == 0 ? noted : noted + ["and \(others) more"] }

    /// A text from outside as part of a line: in quotes, escaped, cut off where it is long.
    static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.prefix(mostShown)
        var line = JSONText()
        line.append(quoted: String(String.UnicodeScalarView(start)))
        return line.string + (start.endIndex == scalars.endIndex ? "" : "…")
    }

    /// An id of the API has 88.
    private static let mostShown = 100
}
