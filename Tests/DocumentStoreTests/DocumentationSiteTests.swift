import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// The site that `make docs` generates from comments, catalogs and the pages of docs.
@Suite("Documentation site")
struct DocumentationSiteTests {
    /// The part of a page's data that the test reads.
    private struct Page: Decodable {
        struct Metadata: Decodable {
            var title: String
        }

        struct Topics: Decodable {
            var title: String
            /// Whether no page lists these symbols, so that DocC has grouped them by kind.
            var generated: Bool?
        }

        var metadata: Metadata
        var topicSections: [Topics]?
    }

    private static let products = [
        "CouchbaseReplication", "DocumentStore", "FleeceLite", "Inspector", "OONIStore",
        "PostgresReplication", "Replication", "SQLCore", "SQLPlus", "SQLTables", "SampleData",
        "ServerStore", "ServerStoreTestSupport", "StoreTestSupport", "StoreTools",
    ]

    private static var isPossible: Bool {
        ModuleCheck.isPossible && ChildProcess.exists("docc")
    }

    /// The names and the titles of the pages of docs.
    private static func guides() throws -> [(name: String, title: String)] {
        let directory = PackageDirectory.url.appending(path: "docs")
        return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            .filter { $0.hasSuffix(".md") }
            .map { name in
                let text = try String(contentsOf: directory.appending(path: name), encoding: .utf8)
                return (String(name.dropLast(3)), String(text.prefix { $0 != "\n" }.dropFirst(2)))
            }
    }

    @Test(
        "is built without a warning, with all symbols in a group and all guides",
        .enabled(if: isPossible), .timeLimit(.minutes(20)))
    func site() throws {
        let directory = try TemporaryDirectory()
        let site = directory("site")
        let script = PackageDirectory.url.appending(path: "Scripts/build-docs").path
        let build = try ChildProcess.run(
            [script, "--modules", try ModuleCheck.modules().path, "--output", site])
        try #require(build.status == 0, "\(build.output)")
        #expect(FileManager.default.fileExists(atPath: "\(site)/index.html"))

        func page(_ name: String) throws -> Page {
            let data = "\(site)/data/documentation/\(name.lowercased()).json"
            return try JSONDecoder().decode(
                Page.self, from: Data(contentsOf: URL(fileURLWithPath: data)))
        }
        for product in Self.products {
            let start = try page(product)
            #expect(start.metadata.title == product)
            let generated = (start.topicSections ?? []).filter { $0.generated == true }.map(\.title)
            #expect(Set(generated).isSubset(of: ["Extended Modules", "Operators"]), "\(product)")
        }
        for guide in try Self.guides() {
            // Paths are case-insensitive: this one would be that of the type `Query`.
            let name = guide.name == "query" ? "queries" : guide.name
            #expect(try page("DocumentStore/\(name)").metadata.title == guide.title)
        }
    }

    @Test(
        "has examples on the front pages that compile", .enabled(if: ModuleCheck.isPossible),
        arguments: [
            "CouchbaseReplication", "Inspector", "OONIStore", "PostgresReplication",
            "Replication", "SQLPlus", "SampleData", "ServerStore", "ServerStoreTestSupport",
            "StoreTools",
        ])
    func examples(_ product: String) throws {
        let examples = try CodeExample.all(
            inArticle: "Sources/\(product)/\(product).docc/\(product).md")
        #expect(!examples.isEmpty)
        let modules = Set(["DocumentStore", "Replication", "ServerStore", "Testing", product])
            .sorted()
        #expect(try CodeExample.errors(in: examples, importing: modules) == "")
    }
}
