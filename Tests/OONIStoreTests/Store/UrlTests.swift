import DocumentStore
import SampleData
import Testing

import OONIStore

@Suite("Websites")
struct UrlTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func register(_ url: OONIStore.Url) throws -> OONIStore.Url {
        try store.write { try store.urls.register(url, in: $0) }
    }

    private func get(_ url: String) throws -> OONIStore.Url? {
        try store.read { try store.urls.get(url, in: $0) }
    }

    @Test("registration never takes from what is known")
    func merged() throws {
        let address = "https://a.example/"
        #expect(try register(.init(address)) == .init(address))
        #expect(try register(.init(address, category: .news)).category == .news)
        let both = try register(.init(address, countryCode: "IT"))
        #expect(both == .init(address, category: .news, countryCode: "IT"))
        #expect(try register(.init(address, category: .miscellaneous, countryCode: "XX")) == both)
        #expect(try register(.init(address, countryCode: "ZZ")) == both)
        let newer = try register(.init(address, category: .gaming, countryCode: "DE"))
        #expect(newer == .init(address, category: .gaming, countryCode: "DE"))
        #expect(try get(address) == newer)
        #expect(try store.read { try store.urls.all(in: $0) } == [newer])
    }

    @Test("a registration without anything new writes nothing")
    func unchanged() throws {
        _ = try register(.init("https://a.example/", category: .news))
        let keyStore = store.urls.collection.keyStore
        let before = try store.read { try keyStore.lastSequence(in: $0) }
        _ = try register(.init("https://a.example/"))
        #expect(try store.read { try keyStore.lastSequence(in: $0) } == before)
    }

    @Test("many are registered at once, each in its place, also one that comes twice")
    func many() throws {
        let urls = (0..<450).map {
            OONIStore.Url("https://a.example/\($0 % 400)", category: $0 < 400 ? .news : .gaming)
        }
        let registered = try store.write { try store.urls.register(urls, in: $0) }
        #expect(registered == urls)
        #expect(try store.read { try store.urls.all(in: $0) }.count == 400)
        #expect(try get("https://a.example/49")?.category == .gaming)
        #expect(try get("https://a.example/50")?.category == .news)
    }

    @Test("any text is an address: long, empty, with control characters, like a reserved name")
    func anyText() throws {
        let long = "https://a.example/" + String(repeating: "é", count: 300)
        let texts = [
            long, long + "x", "", "_a", "_\u{301}", "#a", "#\u{301}", "a\nb", "a\0b", "\u{7F}",
            "\u{1F980}", " ", "a/b", String(repeating: "x", count: 240),
            String(repeating: "x", count: 241), String(repeating: "x", count: 300),
        ]
        for text in texts { _ = try register(.init(text, category: .news)) }
        for text in texts { #expect(try get(text) == .init(text, category: .news)) }
        #expect(try store.read { try store.urls.all(in: $0) }.count == texts.count)
        let result = try store.begin()
        for text in texts { try store.measure(of: result.id, url: text) }
        let read = try store.read { try store.measurements.all(of: result.id, in: $0) }
        #expect(read.map(\.url?.url) == texts)
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("a category that is not known is kept; there are 31 that are")
    func categories() throws {
        _ = try register(.init("a", category: .init(rawValue: "SPACE")))
        #expect(try get("a")?.category.rawValue == "SPACE")
        #expect(try get("a")?.category.isKnown == false)
        #expect(Set(OONIStore.UrlCategory.known.map(\.rawValue)).count == 31)
    }

    @Test(
        "fallbacks are global ones that were measured, each once, at random, so many as the use has"
    )
    func fallback() throws {
        let result = try store.begin()
        try store.write { transaction in
            for number in 0..<150 {
                let url = OONIStore.Url(
                    "https://\(number).example/", countryCode: number < 30 ? "IT" : nil)
                _ = try store.urls.register(url, in: transaction)
                for time in 0..<(number < 140 ? 2 : 0) {
                    _ = try store.measurements.insert(
                        .webConnectivity, of: result.id, url: url.url, at: .at(Int64(time)),
                        in: transaction)
                }
            }
        }
        func fallback(_ use: OONIStore.FallbackUse, seed: UInt64) throws -> [String] {
            var generator = SeededGenerator(seed: seed)
            return try store.read {
                try store.urls.fallback(use, in: $0, using: &generator)
            }.map(\.url)
        }
        let all = Set((30..<140).map { "https://\($0).example/" })
        let manual = try fallback(.manual, seed: 1)
        #expect(manual.count == 110 && Set(manual) == all)
        let some = try fallback(.automatic(isCharging: false), seed: 1)
        #expect(some.count == 20 && Set(some).count == 20 && Set(some).isSubset(of: all))
        #expect(try fallback(.automatic(isCharging: true), seed: 1).count == 100)
        #expect(try fallback(.automatic(isCharging: false), seed: 1) == some)
        #expect(try fallback(.automatic(isCharging: false), seed: 2) != some)
        #expect(OONIStore.FallbackUse.manual.limit == 1_000)
    }

    @Test("a website's invalid country is not stored, however it was set")
    func country() throws {
        var url = OONIStore.Url("https://a.example/", category: .news)
        for code in ["XX", "ZZ", ""] {
            url.countryCode = code
            let registered = try store.write { try store.urls.register(url, in: $0) }
            #expect(registered.countryCode == nil && registered.isGlobal)
        }
    }

    @Test("a category without a word says nothing")
    func emptyCategory() throws {
        let store = try OONIStore.inMemory()
        let known = OONIStore.Url("https://a.example/", category: .news)
        try store.write { transaction in
            try store.urls.register(known, in: transaction)
            try store.urls.register(
                .init(known.url, category: .init(rawValue: "")), in: transaction)
        }
        #expect(try store.read { try store.urls.get(known.url, in: $0) } == known)
    }
}
