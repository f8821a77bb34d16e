extension Rule {
    /// What the rule says of a file with this text: the line of each finding and its message.
    func check(
        _ text: String, at path: String = "Sources/SQLCore/Example.swift"
    ) -> [Finding] {
        findings(SourceFile(path: path, text: text))
    }
}
