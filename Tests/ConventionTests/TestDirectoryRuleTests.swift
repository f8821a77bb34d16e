import Testing

@Suite("Rule on test directories")
struct TestDirectoryRuleTests {
    private static let rule = Rule.testDirectory(of: [
        "SQLCore": ["Error", "Index", "Index/FullText"], "SQLTables": [],
        "KVToolCore": ["Output"], "KVToolCommands": ["Shell"], "kvtool": [],
        "StoreTestSupport": ["Crash"],
    ])

    @Test(
        "a file in the root, or in a directory that the sources do not have, is found",
        arguments: [
            "Tests/SQLCoreTests/A.swift", "Tests/SQLCoreTests/Errors/A.swift",
            "Tests/SQLCoreTests/FullText/A.swift", "Tests/SQLCoreTests/Error/Deep/A.swift",
            "Tests/SQLCoreTests/Manual/A.swift", "Tests/SQLCoreTests/StoreTests.swift",
            "Tests/SQLTablesTests/Row/A.swift", "Tests/kvtoolTests/A.swift",
            "Tests/kvtoolTests/Error/A.swift", "Tests/StoreTestSupportTests/A.swift",
        ])
    func found(_ path: String) {
        #expect(Self.rule.check("", at: path).map(\.line) == [1])
    }

    @Test(
        "a directory of the sources, a listed exception and a target without sources are permitted",
        arguments: [
            "Tests/SQLCoreTests/Error/A.swift", "Tests/SQLCoreTests/Index/FullText/A.swift",
            "Tests/SQLCoreTests/Support/A.swift", "Tests/SQLCoreTests/Support/Model/A.swift",
            "Tests/SQLCoreTests/Documentation/A.swift", "Tests/SQLTablesTests/A.swift",
            "Tests/kvtoolTests/Output/A.swift", "Tests/kvtoolTests/Shell/A.swift",
            "Tests/kvtoolTests/Manual/A.swift", "Tests/StoreTestSupportTests/StoreTests.swift",
            "Tests/CompatibilityTests/A.swift", "Tests/EngineTestSupport/Model/A.swift",
            "Sources/SQLCore/A.swift",
        ])
    func allowed(_ path: String) {
        #expect(Self.rule.check("", at: path).isEmpty)
    }

    @Test("a finding names the sources")
    func messages() {
        #expect(
            Self.rule.check("", at: "Tests/kvtoolTests/Feed/A.swift").map(\.description) == [
                "Tests/kvtoolTests/Feed/A.swift:1: Sources/KVToolCommands or Sources/KVToolCore "
                    + "has no directory `Feed`: move the file to the directory of what it tests, "
                    + "or to Support"
            ])
    }

    @Test("the directories of the sources are read, including those without files of their own")
    func directories() {
        let files = ["Sources/A/B/C/D.swift", "Sources/A/E.swift", "Sources/F/G.swift", "Tests/H"]
        #expect(PackageFiles.sourceDirectories(files) == ["A": ["B", "B/C"], "F": []])
        #expect(PackageFiles.sourceDirectories["QueryFunctions"]?.contains("Function") == true)
    }

    @Test("each exception is needed", arguments: TestLocation.exceptions.keys.sorted())
    func exceptions(_ exception: String) throws {
        let isUsed = try PackageFiles.all.get().contains {
            TestLocation($0.path)?.exceptions.contains(exception) == true
        }
        #expect(isUsed)
    }
}
