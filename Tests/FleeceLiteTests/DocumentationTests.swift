import Foundation
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
            let code = try Self.catalogue.code(of: article)
            #expect(!code.isEmpty, "\(article)")
            let expected = snippets.filter { $0.name == article }.map(\.code)
            #expect(code == expected, "\(article)")
        }
    }

    @Test("The start page leads to every article, and each link to one that is there")
    func links() throws {
        let articles = try Self.catalogue.articles()
        let start = try Self.catalogue.article("FleeceLite")
        for article in articles where article != "FleeceLite" {
            #expect(start.contains("- <doc:\(article)>\n"), "\(article)")
        }
        for article in articles {
            for link in try Self.catalogue.article(article).matches(of: /<doc:([^>]*)>/) {
                #expect(articles.contains(String(link.1)), "\(article)")
            }
        }
    }
}
