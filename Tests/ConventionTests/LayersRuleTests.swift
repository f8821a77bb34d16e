import Testing

@Suite("Rule on layers")
struct LayersRuleTests {
    /// A small package, with a manifest in the form of ours.
    private static let manifest = PackageManifest(
        """
        let package = Package(
            targets: [
                // Layer 0: libraries of the system.
                .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
                .target(name: "CEdit"),

                // Layer 1: SQLite in Swift; the binary format.
                .target(name: "SQLCore", dependencies: ["CSQLite"]),
                .target(name: "FleeceLite"),

                // Layer 4: the storage engine.
                .target(
                    name: "DataFileCore",
                    dependencies: [
                        "SQLCore", "FleeceLite",
                        .product(name: "Crypto", package: "swift-crypto"),
                    ]),

                // A program that uses it.
                .executableTarget(
                    name: "probe-run", dependencies: ["DataFileCore"], path: "Examples/ProbeRun"),

                .testTarget(name: "DataFileCoreTests", dependencies: ["DataFileCore"]),
            ])
        """)

    private static func check(_ code: String, _ path: String) -> [Finding] {
        Rule.layers(of: manifest).check(code, at: path)
    }

    @Test("the targets, their layers and their dependencies are read")
    func reading() {
        #expect(
            Self.manifest.layers == [
                0: ["CSQLite", "CEdit"], 1: ["SQLCore", "FleeceLite"], 4: ["DataFileCore"],
            ])
        #expect(
            Self.manifest.target("DataFileCore")?.dependencies == [
                "SQLCore", "FleeceLite", "Crypto",
            ])
        #expect(Self.manifest.target("probe-run")?.layer == nil)
        #expect(Self.manifest.target("DataFileCoreTests")?.isTest == true)
        #expect(Self.manifest.target("CEdit")?.dependencies == [])
    }

    @Test(
        "an import of a higher layer, the same layer or an indirect dependency is found",
        arguments: [
            ("import DataFileCore", "Sources/FleeceLite/Value/A.swift"),
            ("import FleeceLite", "Sources/SQLCore/A.swift"),
            ("import CSQLite", "Sources/DataFileCore/A.swift"),
            ("import Foundation", "Sources/FleeceLite/Value/A.swift"),
            ("import Glibc", "Sources/FleeceLite/Foundation/A.swift"),
            ("import Unheard", "Sources/DataFileCore/A.swift"),
            ("public import CSQLite", "Sources/DataFileCore/A.swift"),
            ("@preconcurrency internal import CSQLite", "Sources/DataFileCore/A.swift"),
            ("import struct CSQLite.sqlite3", "Sources/DataFileCore/A.swift"),
            ("#if canImport(CSQLite)\nimport CSQLite\n#endif", "Sources/DataFileCore/A.swift"),
            ("import SQLCore; import CSQLite", "Sources/DataFileCore/A.swift"),
        ])
    func forbidden(_ code: String, _ path: String) {
        #expect(Self.check(code, path).count == 1)
    }

    @Test(
        "an import of a dependency or of the system is permitted",
        arguments: [
            ("import CSQLite", "Sources/SQLCore/Connection/A.swift"),
            ("package import SQLCore\npublic import FleeceLite", "Sources/DataFileCore/A.swift"),
            ("import Swift\nimport Synchronization", "Sources/FleeceLite/Value/A.swift"),
            ("import FoundationEssentials", "Sources/FleeceLite/Foundation/Data.swift"),
            ("import struct Foundation.Date\nimport Glibc", "Sources/SQLCore/A.swift"),
            ("import Crypto", "Sources/DataFileCore/A.swift"),
            ("// import CSQLite\nf(import: a)\ncase `import`", "Sources/DataFileCore/A.swift"),
            ("@testable import CSQLite", "Tests/DataFileCoreTests/A.swift"),
        ])
    func allowed(_ code: String, _ path: String) {
        #expect(Self.check(code, path).isEmpty)
    }

    @Test func aTargetWithoutALayerIsFound() {
        let findings = Self.check("let a = 1", "Sources/Attic/A.swift")
        #expect(findings.map(\.message) == [Rule.missingLayer(of: "Attic")])
    }

    @Test func findingsSayWhatIsAllowed() {
        #expect(
            Self.check("\nimport CSQLite", "Sources/DataFileCore/A.swift").map(\.description) == [
                "Sources/DataFileCore/A.swift:2: `DataFileCore` may not import `CSQLite`: "
                    + "it depends on Crypto, FleeceLite, SQLCore; "
                    + "move the code to the layer it belongs to"
            ])
        #expect(
            Self.check("import Foundation", "Sources/FleeceLite/A.swift").first?.message
                .contains("only Sources/FleeceLite/Foundation/ may") == true)
    }

    @Test("each target of the package depends on lower layers only")
    func downwards() throws {
        let manifest = PackageFiles.manifest
        for target in manifest.targets {
            guard let layer = target.layer else { continue }
            for name in target.dependencies {
                guard let below = manifest.target(name)?.layer else { continue }
                #expect(below < layer, "\(target.name) depends on \(name)")
            }
        }
    }

    @Test func onlySQLCoreMayCallSQLite() {
        let users = PackageFiles.manifest.targets.filter { $0.dependencies.contains("CSQLite") }
        #expect(users.map(\.name) == ["SQLCore"])
    }
}
