import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Documentation: the articles")
struct DocumentationTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    static let catalogue = DocumentationCatalogue(of: "FleeceLite")

    @Test("Each article's code is that of DocumentationSnippets, in its order")
    func sameCode() throws {
        let file = Self.tests.appending(path: "DocumentationSnippets.swift")
        let snippets = try DocumentationCatalogue.snippets(in: file)
        let articles = try Self.catalogue.articles()
        #expect(articles.count >= 6)
        #expect(Set(snippets.map(\.name)).isSubset(of: articles))
        for article in articles {
            #expect(try !Self.catalogue.code(of: article).isEmpty, "\(article)")
        }
        #expect(try Self.catalogue.articles(differingFrom: snippets) == [])
    }

    @Test("The start page links to every article, and every link has a target")
    func links() throws {
        #expect(try Self.catalogue.brokenLinks() == [])
    }
}
