import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Documentation: the articles of SQLTables")
struct DocumentationTests {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    private static let catalogue = DocumentationCatalogue(of: "SQLTables")

    private static func snippets() throws -> [(name: String, code: String)] {
        try ["MigrationSnippets", "TableSnippets"].flatMap {
            try DocumentationCatalogue.snippets(in: directory.appending(path: "\($0).swift"))
        }
    }

    @Test("Each article's code is that of the snippets, in their order")
    func sameCode() throws {
        let snippets = try Self.snippets()
        let articles = try Self.catalogue.articles()
        #expect(Set(snippets.map(\.name)) == Set(articles))
        #expect(try Self.catalogue.articles(differingFrom: snippets) == [])
    }

    @Test("The start page links to every article, and every link has a target")
    func links() throws {
        #expect(try Self.catalogue.brokenLinks() == [])
    }
}
