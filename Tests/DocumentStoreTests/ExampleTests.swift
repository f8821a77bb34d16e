import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// The examples of the documentation, compiled against the modules of this build.
@Suite("Examples in the documentation")
struct ExampleTests {
    /// The modules whose symbols DocumentStore exports.
    private static let exported = [
        "DataFileCore", "FleeceLite", "QueryBuilder", "QueryEngine", "QueryFunctions",
        "QueryLanguage", "StoreFormat", "VectorIndex",
    ]

    private static let targets =
        exported + [
            "CouchbaseReplication", "ExampleModels", "Inspector", "OONIStore",
            "PostgresReplication", "Replication", "SQLCore", "SQLPlus", "SQLTables", "SampleData",
            "ServerStore", "ServerStoreTestSupport", "StoreTestSupport", "StoreTools",
        ]

    private static func imports(_ target: String) -> [String] {
        switch target {
        case "SQLCore", "SQLTables": ["SQLTables"]
        case "CouchbaseReplication", "PostgresReplication":
            ["DocumentStore", "Replication", target]
        case _ where exported.contains(target): ["DocumentStore"]
        default: ["DocumentStore", "SQLTables", target]
        }
    }

    /// The files that declare the names used by the examples of a target.
    private static func names(_ target: String) -> [String] {
        let shared = ["SQLCore", "SQLTables"].contains(target) ? "SQL" : "DocumentStore"
        let directory = PackageDirectory.url.appending(
            path: "Tests/DocumentStoreTests/Support/Examples")
        return Set([target, shared])
            .map { directory.appending(path: "\($0)Names.swift").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    @Test(
        "in comments compile", .enabled(if: ModuleCheck.isPossible), arguments: targets)
    func comments(_ target: String) throws {
        let examples = try CodeExample.all(in: target)
        let errors = try CodeExample.errors(
            in: examples, importing: Self.imports(target), with: Self.names(target))
        #expect(errors == "")
    }

    @Test(
        "in guides compile", .enabled(if: ModuleCheck.isPossible),
        arguments: [
            "coming-from-couchbase-lite", "coming-from-grdb", "coming-from-realm",
            "coming-from-swiftdata", "migrations",
        ])
    func guides(_ name: String) throws {
        let examples = try CodeExample.all(inArticle: "docs/\(name).md")
        #expect(examples.count >= 4)
        let errors = try CodeExample.errors(
            in: examples, importing: ["DocumentStore", "SQLTables", "SQLPlus"],
            with: Self.names("DocumentStore"))
        #expect(errors == "")
    }

    @Test("are more than a minimum")
    func count() throws {
        let counts = try Self.targets.map { ($0, try CodeExample.all(in: $0).count) }
        let total = counts.reduce(0) { $0 + $1.1 }
        #expect(total >= 400, "\(counts)")
    }

    private static func programs() throws -> [String] {
        let directory = PackageDirectory.url.appending(path: "docs/tutorial/Resources").path
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { "\(directory)/\($0)" }
    }

    @Test(
        "in the tutorial compile without a warning", .enabled(if: ModuleCheck.isPossible),
        arguments: try programs())
    func tutorial(_ path: String) throws {
        let directory = try TemporaryDirectory()
        let program = directory("main.swift")
        try FileManager.default.copyItem(atPath: path, toPath: program)
        let errors = try ModuleCheck.errors(in: [program], options: ["-warnings-as-errors"])
        #expect(errors == "")
    }
}
