import DocumentStore
import Testing

import OONIStore

@Suite("Articles")
struct ArticleTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func article(_ url: String, _ time: Int64, _ title: String = "t") -> OONIStore.Article {
        .init(url: url, title: title, source: .report, imageURL: "i", time: .at(time))
    }

    private func refresh(_ articles: [OONIStore.Article]) throws -> Bool {
        try store.write { try store.articles.refresh(articles, in: $0) }
    }

    private var all: [OONIStore.Article] {
        get throws { try store.read { try store.articles.all(in: $0) } }
    }

    @Test("a refresh changes, adds and removes; the newest comes first")
    func refresh() throws {
        #expect(try refresh([article("a", 1), article("b", 2), article("c", 2)]))
        #expect(try all.map(\.url) == ["c", "b", "a"])
        #expect(try refresh([article("a", 3, "new"), article("c", 2)]))
        #expect(try all == [article("a", 3, "new"), article("c", 2)])
        #expect(try refresh([]))
        #expect(try all == [])
        #expect(try !refresh([]))
    }

    @Test("what is as it was is not written, also where an article comes twice")
    func unchanged() throws {
        let articles = [article("a", 1), article("b", 1), article("a", 1, "last")]
        #expect(try refresh(articles))
        #expect(try all.map(\.title) == ["t", "last"])
        let keyStore = store.articles.collection.keyStore
        let before = try store.read { try keyStore.lastSequence(in: $0) }
        #expect(try !refresh(articles))
        #expect(try !refresh(articles.reversed() + [article("a", 1, "last")]))
        #expect(try store.read { try keyStore.lastSequence(in: $0) } == before)
    }

    @Test("any address and any source are stored")
    func anyText() throws {
        var odd = article("_\n" + String(repeating: "x", count: 300), .max)
        odd.source = .init(rawValue: "podcast")
        #expect(try refresh([odd]))
        #expect(try all == [odd])
        #expect(try refresh([]))
        #expect(try all == [])
    }
}
