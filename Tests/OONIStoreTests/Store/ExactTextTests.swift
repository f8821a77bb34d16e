import DocumentStore
import StoreTestSupport
import Testing

import OONIStore

/// `é` of one scalar, and of two: equal to `String`, two ids to a database.
private let composed = "https://caf\u{E9}.example/"
private let decomposed = "https://cafe\u{301}.example/"

@Suite("Texts that only String takes for one")
struct ExactTextTests {
    @Test("are two websites, in the store and in its lines")
    func lines() throws {
        #expect(composed == decomposed)
        let store = try OONIStore.inMemory()
        let result = try store.begin()
        for url in [composed, decomposed] { try store.measure(of: result.id, url: url) }
        for asn in ["\u{E9}", "e\u{301}"] { _ = try store.join(asn) }
        let articles = [composed, decomposed].map {
            OONIStore.Article(url: $0, title: "t", source: .blog, time: .at(1))
        }
        try store.write { try store.articles.refresh(articles, in: $0) }
        #expect(try store.read { try store.urls.all(in: $0) }.count == 2)
        #expect(try store.read { try store.networks.all(in: $0) }.count == 2)
        #expect(try store.read { try store.articles.all(in: $0) }.count == 2)
        #expect(try store.read { try store.verify(in: $0) } == [])
        var lines: [String] = []
        _ = try store.export { lines.append($0) }
        let copy = try OONIStore.inMemory()
        try copy.importLines(lines)
        #expect(try copy.read { try copy.urls.all(in: $0) }.count == 2)
    }

    @Test("are two websites in what is imported")
    func probe() throws {
        let directory = try TemporaryDirectory()
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec(
            "INSERT INTO Url (url, category_code) VALUES ('\(composed)', 'NEWS'), "
                + "('\(decomposed)', 'GOVT')")
        let store = try OONIStore.inMemory()
        _ = try store.importProbe(path: fixture.path)
        let categories = try store.read { snapshot in
            try [composed, decomposed].map { try store.urls.get($0, in: snapshot)?.category }
        }
        #expect(categories == [.news, .government])
    }

    @Test("no such text is the number of a link")
    func links() throws {
        let store = try OONIStore.inMemory()
        let error = #expect(throws: OONIStoreError.self) { try store.install("1\u{E9}", 1) }
        #expect(error?.code == .invalidDescriptor)
    }
}
