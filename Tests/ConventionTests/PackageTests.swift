import Testing

@Suite("This package follows its conventions")
struct PackageTests {
    @Test("every file of Sources and Tests", arguments: Rule.all)
    func everyFile(_ rule: Rule) throws {
        for finding in try PackageFiles.all.get().flatMap(rule.findings) {
            Issue.record("\(finding)")
        }
    }

    @Test func theFilesAreRead() throws {
        let files = try PackageFiles.all.get()
        #expect(files.filter(\.isInSources).count >= 10)
        #expect(files.contains { $0.path == "Tests/ConventionTests/PackageTests.swift" })
    }

    @Test func everyTargetHasALayer() throws {
        for target in try PackageFiles.targets()
        where PackageFiles.manifest.target(target)?.layer == nil {
            Issue.record("Sources/\(target):1: \(Rule.missingLayer(of: target))")
        }
    }
}
