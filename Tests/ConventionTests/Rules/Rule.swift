import Testing

/// A convention of this package: its name is a sentence, and a pure function finds the violations
/// in a file.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let findings: @Sendable (SourceFile) -> [Finding]

    var testDescription: String { name }

    /// Every rule that checks one file at a time.
    static let all: [Rule] = [
        fileLength, functionLength, lineWidth, fileName,
        forcing, unfinished, printing,
        documentation, layers, argumentGroups, testDirectory,
    ]
}
