import Testing

/// A rule of the house: a name that is a sentence, and a pure function from a file to what is wrong
/// with it.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let findings: @Sendable (SourceFile) -> [Finding]

    var testDescription: String { name }

    /// Every rule that looks at one file at a time.
    static let all: [Rule] = [
        fileLength, functionLength, lineWidth, fileName,
        forcing, unfinished, printing,
        documentation, layers, argumentGroups, testDirectory,
    ]
}
