import Testing

@Suite("Rule on file names")
struct FileNameRuleTests {
    @Test(
        "names without information are found",
        arguments: [
            "Sources/SQLCore/Utils.swift", "Sources/SQLCore/StringUtils.swift",
            "Sources/SQLCore/String+Extensions.swift", "Sources/SQLCore/Helpers/Value.swift",
            "Tests/SQLCoreTests/TestHelpers.swift", "Sources/kvtool/Misc.swift",
        ])
    func emptyNames(_ path: String) {
        #expect(Rule.fileName.check("", at: path).count == 1)
    }

    @Test(
        "names of concepts are permitted",
        arguments: [
            "Sources/SQLCore/Value.swift", "Sources/SQLCore/Value+Bind.swift",
            "Sources/SQLCore/Extension/LoadableExtension.swift",
            "Sources/SQLCore/Utilisation.swift",
        ])
    func goodNames(_ path: String) {
        #expect(Rule.fileName.check("", at: path).isEmpty)
    }
}
