import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

@Suite("Documentation: the articles")
struct DocumentationTests {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()

    static let catalogue = DocumentationCatalogue(of: "SQLCore")

    private static func snippets() throws -> [(name: String, code: String)] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))
            .filter { $0.hasSuffix("Snippets.swift") }.sorted().flatMap {
                try DocumentationCatalogue.snippets(in: directory.appending(path: $0))
            }
    }

    @Test("Each article's code is that of the snippets, in their order")
    func sameCode() throws {
        let snippets = try Self.snippets()
        let articles = try Self.catalogue.articles()
        #expect(articles.count >= 11)
        #expect(Set(snippets.map(\.name)).isSubset(of: articles))
        for article in articles {
            #expect(try !Self.catalogue.code(of: article).isEmpty, "\(article)")
        }
        #expect(try Self.catalogue.articles(differingFrom: snippets) == [])
    }

    @Test("The start page links to every article, and each link has a target")
    func links() throws {
        #expect(try Self.catalogue.brokenLinks() == [])
    }

    private static func page(_ name: String) throws -> String {
        try String(
            contentsOf: PackageDirectory.url.appending(path: "docs/\(name).md"), encoding: .utf8)
    }

    /// Every file of these tests, and of those of SQLTables, by its name.
    private static func sources() throws -> [String: String] {
        let tests = directory.deletingLastPathComponent().deletingLastPathComponent()
        let paths =
            FileManager.default.enumerator(atPath: tests.path(percentEncoded: false))?
            .compactMap { $0 as? String }
            .filter { $0.hasPrefix("SQL") && $0.hasSuffix(".swift") } ?? []
        return try Dictionary(
            paths.map {
                let url = tests.appending(path: $0)
                let name = url.deletingPathExtension().lastPathComponent
                return (name, try String(contentsOf: url, encoding: .utf8))
            }, uniquingKeysWith: +)
    }

    @Test("Each test that docs/sqlcore.md names for a defect of SkipSQL exists")
    func defects() throws {
        let sources = try Self.sources()
        let rows = try Self.page("sqlcore").matches(of: /\n\| (\d+) \|([^\n]*)/)
        #expect(rows.compactMap { Int($0.1) } == Array(1...19))
        for row in rows {
            let tests = row.2.matches(of: /`(\w+)`: "([^"]*)"/)
            #expect(!tests.isEmpty, "\(row.1)")
            for test in tests {
                let source = try #require(sources[String(test.1)], "\(test.1)")
                let isThere = source.contains("\"\(test.2)\"")
                #expect(isThere, "\(test.1): \(test.2)")
            }
        }
    }

    @Test("docs/sqlite-versions.md has each feature with its first version")
    func features() throws {
        let start = try #require(try Self.page("sqlite-versions").split(separator: "## 3.").first)
        let rows = start.matches(of: /\n\| `(\w+)` \| 3\.(\d+) \|/).compactMap { row in
            Int(row.2).map { "\(row.1) \(3_000_000 + $0 * 1000)" }
        }
        #expect(rows == SQLiteFeature.allCases.map { "\($0) \($0.minimumVersion)" })
    }

    @Test("docs/sqlite-versions.md puts each feature behind the first system that has it")
    func systems() throws {
        let start = try #require(try Self.page("sqlite-versions").split(separator: "## 2.").first)
        var known: Set<String> = []
        for row in start.matches(of: /\n\| [^|]* \| 3\.(\d+)[.\d]* \|([^\n]*)/) {
            let version = 3_000_000 + (Int(row.1) ?? 0) * 1000
            known.formUnion(row.2.matches(of: /`(\w+)`/).map { String($0.1) })
            let there = SQLiteFeature.allCases.filter { $0.minimumVersion <= version }
            #expect(known == Set(there.map { "\($0)" }), "\(row.1)")
        }
        #expect(known.count == SQLiteFeature.allCases.count)
    }
}
