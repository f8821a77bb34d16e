import Testing

@Suite("Rule on floors")
struct FloorsRuleTests {
    @Test(
        "An import that reaches up or across is found",
        arguments: [
            ("import DataFileCore", "Sources/FleeceLite/Value/A.swift"),
            ("import FleeceLite", "Sources/SQLCore/A.swift"),
            ("import CSQLite", "Sources/DataFileCore/A.swift"),
            ("import CSQLite", "Sources/kvtool/Command/A.swift"),
            ("import CEdit", "Sources/DataFileCore/A.swift"),
            ("import Foundation", "Sources/FleeceLite/Value/A.swift"),
            ("import Glibc", "Sources/FleeceLite/Foundation/A.swift"),
            ("import FleeceLite", "Sources/SampleData/A.swift"),
            ("import Unheard", "Sources/DataFileCore/A.swift"),
            ("public import CSQLite", "Sources/DataFileCore/A.swift"),
            ("@preconcurrency internal import CSQLite", "Sources/DataFileCore/A.swift"),
            ("import struct CSQLite.sqlite3", "Sources/DataFileCore/A.swift"),
            ("#if canImport(CSQLite)\nimport CSQLite\n#endif", "Sources/DataFileCore/A.swift"),
            ("import SQLCore; import CSQLite", "Sources/DataFileCore/A.swift"),
        ])
    func forbidden(_ code: String, _ path: String) {
        #expect(Rule.floors.check(code, at: path).count == 1)
    }

    @Test(
        "An import of a lower floor or of the system is not",
        arguments: [
            ("import CSQLite", "Sources/SQLCore/Connection/A.swift"),
            ("package import SQLCore\npublic import FleeceLite", "Sources/DataFileCore/A.swift"),
            ("import Swift", "Sources/FleeceLite/Value/A.swift"),
            ("import FoundationEssentials", "Sources/FleeceLite/Foundation/Data.swift"),
            ("import struct Foundation.Date\nimport Glibc", "Sources/SQLCore/A.swift"),
            ("import DataFileCore\nimport SampleData", "Sources/StoreTestSupport/A.swift"),
            ("import ArgumentParser\nimport DataFileCore", "Sources/kvtool/Command/A.swift"),
            ("import SQLCore\nimport CEdit", "Sources/kvtool/Command/A.swift"),
            ("// import CSQLite\nf(import: a)\ncase `import`", "Sources/DataFileCore/A.swift"),
            ("@testable import CSQLite", "Tests/DataFileCoreTests/A.swift"),
        ])
    func allowed(_ code: String, _ path: String) {
        #expect(Rule.floors.check(code, at: path).isEmpty)
    }

    @Test func aTargetWithoutAFloorIsFound() {
        let findings = Rule.floors.check("let a = 1", at: "Sources/Attic/A.swift")
        #expect(findings.map(\.message) == [Rule.missingFloor(of: "Attic")])
    }

    @Test func findingsSayWhatIsAllowed() {
        let engine = Rule.floors.check("\nimport CSQLite", at: "Sources/StoreTestSupport/A.swift")
        #expect(
            engine.map(\.description) == [
                "Sources/StoreTestSupport/A.swift:2: `StoreTestSupport` may not import `CSQLite`: "
                    + "floor 4 may import DataFileCore, FleeceLite, SQLCore, SampleData; "
                    + "move the code to the floor it belongs to"
            ])
        let format = Rule.floors.check("import Foundation", at: "Sources/FleeceLite/A.swift")
        #expect(format.first?.message.hasSuffix("only Sources/FleeceLite/Foundation/ may") == true)
    }

    @Test("Each target of the table imports only lower floors", arguments: Floor.table)
    func tableGoesDown(_ floor: Floor) {
        for module in floor.imports {
            guard let below = Floor.of(module) else { continue }
            #expect(below.number < floor.number, "\(floor.target) imports \(module)")
        }
    }

    @Test func theTableNamesEachTargetOnceAndOnlySQLCoreMayCallSQLite() {
        #expect(Set(Floor.table.map(\.target)).count == Floor.table.count)
        #expect(Floor.table.filter { $0.imports.contains("CSQLite") }.map(\.target) == ["SQLCore"])
    }
}
