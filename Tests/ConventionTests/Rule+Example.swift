extension Rule {
    /// The findings of the rule in a file with this text: the line and message of each.
    func check(
        _ text: String, at path: String = "Sources/SQLCore/Example.swift"
    ) -> [Finding] {
        findings(SourceFile(path: path, text: text))
    }
}
