import DocumentStore
import Testing

@testable import OONIStore

@Suite("What verification finds, and what counting again fixes")
struct VerifyTests {
    private let store: OONIStore
    private let result: OONIStore.TestResult.ID

    /// A result in a network, with two measurements of websites.
    init() throws {
        store = try OONIStore.inMemory()
        result = try store.begin(network: store.join("AS1")).id
        try store.measure(of: result, url: "https://a.example/")
        try store.measure(of: result, url: "https://b.example/")
    }

    private func findings() throws -> [String] {
        try store.read { try store.verify(in: $0) }.map(\.description)
    }

    @Test("nothing is found in a store that only its own functions have written")
    func nothing() throws {
        try store.install("10004", 1)
        try store.install("10004", 2)
        #expect(try findings() == [])
        #expect(try store.write { try store.recount(in: $0) } == [])
    }

    @Test("counts that are wrong are found, and right after counting again")
    func counts() throws {
        let right = try #require(try store.read { try store.results.get(result, in: $0) })
        try store.write {
            var wrong = right
            wrong.counts.done = 7
            try store.results.put(wrong, in: $0)
        }
        #expect(try findings() == ["the counts of result 1 are not those of its measurements"])
        #expect(try store.write { try store.recount(in: $0) } == [result])
        #expect(try findings() == [])
        #expect(try store.read { try store.results.get(result, in: $0) } == right)
    }

    @Test("a measurement that was removed without the store is found")
    func removed() throws {
        try store.write {
            _ = try store.measurements.collection.purge("000000000001/000000000002", in: $0)
        }
        #expect(try findings().count == 1)
        #expect(try store.write { try store.recount(in: $0) } == [result])
        let counts = try store.read { try store.results.get(result, in: $0) }?.counts
        #expect(counts?.measurements == 1 && counts?.notUploaded == 1)
        #expect(try findings() == [])
    }

    @Test("dangling references are found")
    func references() throws {
        try store.write {
            _ = try store.networks.collection.purge("000000000001", in: $0)
            _ = try store.urls.collection.purge("https://a.example/", in: $0)
        }
        #expect(
            try findings() == [
                "measurement 1 refers to a website that does not exist",
                "result 1 refers to a network that does not exist",
            ])
        try store.write { _ = try store.results.collection.purge("000000000001", in: $0) }
        #expect(try findings().contains("result 1 does not exist, but its measurements do"))
        #expect(try store.write { try store.recount(in: $0) } == [])
    }

    @Test("nettests of an old revision are found")
    func nettests() throws {
        try store.install("10004", 1)
        let old = OONIStore.TestDescriptor(runID: "10004", revision: 0, name: "n")
        try store.write {
            try store.descriptors.entities.put(old, old.key.documentID, in: $0)
        }
        #expect(try findings() == ["descriptor 10004 has nettests in its old revision 0"])
    }

    @Test("a document under the name of another is found, and a number that would be given again")
    func names() throws {
        try store.write {
            let url = OONIStore.Url("https://c.example/")
            try store.urls.entities.put(url, "https://d.example/", in: $0)
            _ = try DocumentCollection(CollectionName("ooni.info")).save("results", in: $0) {
                try $0.encode(["last": 0])
            }
        }
        #expect(
            try findings() == [
                #"ooni.urls has "https://c.example/" under the name "https://d.example/""#,
                "numbers of results continue after 0, but there is a 1",
            ])
    }

    @Test("a document that is none of the store's is found, and the rest is looked at all the same")
    func unreadable() throws {
        try store.write {
            _ = try store.results.collection.save("000000000009", in: $0) {
                try $0.writeJSON(#"{"id":"nine"}"#)
            }
            _ = try store.measurements.collection.save("x", in: $0) { try $0.writeJSON("{}") }
            _ = try store.urls.collection.purge("https://a.example/", in: $0)
        }
        let found = try findings()
        #expect(found.count == 3)
        #expect(found.contains { $0.contains("results") && $0.contains("000000000009") })
        #expect(found.contains { $0.contains("measurements") && $0.contains("\"x\"") })
        #expect(found.contains("measurement 1 refers to a website that does not exist"))
    }
}
