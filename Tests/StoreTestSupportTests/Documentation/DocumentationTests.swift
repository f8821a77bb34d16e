import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Documentation: the articles")
struct DocumentationTests {
    static let catalogue = DocumentationCatalogue(of: "StoreTestSupport")

    @Test("Each article's code is that of the snippets, in their order")
    func sameCode() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "DocumentationSnippets.swift")
        let snippets = try DocumentationCatalogue.snippets(in: file)
        let articles = try Self.catalogue.articles()
        #expect(articles == ["Crashes", "Faults", "Histories", "PowerLoss", "StoreTestSupport"])
        #expect(Set(snippets.map(\.name)) == Set(articles))
        #expect(try Self.catalogue.articles(differingFrom: snippets) == [])
    }

    @Test("The start page links to every other article")
    func links() throws {
        #expect(try Self.catalogue.brokenLinks() == [])
    }

    @Test("The code between the marks of a snippet is found, without its indentation")
    func marks() throws {
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory("a.swift"))
        let text = """
            let a = 1
                // snippet begins: One
                let b = 2

                    .c
                // snippet ends
            // snippet begins: Two
            d
            // snippet ends
            """
        try Data(text.utf8).write(to: file)
        let found = try DocumentationCatalogue.snippets(in: file)
        #expect(found.map(\.name) == ["One", "Two"])
        #expect(found.map(\.code) == ["let b = 2\n\n    .c", "d"])
    }
}
