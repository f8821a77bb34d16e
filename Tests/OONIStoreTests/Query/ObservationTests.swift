import DocumentStore
import StoreTestSupport
import Testing

import OONIStore

@Suite("Observed values", .timeLimit(.minutes(20)))
struct ObservationTests {
    // On a disk: in memory there is one connection, and a test that waits for it without `await`
    // takes a thread from those who have it.
    private let directory: TemporaryDirectory
    private let store: OONIStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try OONIStore(path: directory("probe.cblite2"))
    }

    @Test("a value is yielded at first, and after each change of it")
    func told() async throws {
        let values = store.observe { [store] in try store.results.ids(in: $0).map(\.number) }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == [])
        try store.begin(at: 1)
        #expect(try await iterator.next() == [1])
        try store.begin(at: 0)
        #expect(try await iterator.next() == [1, 2])
        _ = try await store.write { try store.results.delete(.all, in: $0) }
        #expect(try await iterator.next() == [])
    }

    @Test("commits that do not change it are not yielded, nor are reverted changes")
    func quiet() async throws {
        struct Mishap: Error {}
        let values = store.observe { [store] in try store.results.notViewedCount(in: $0) }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        let result = try store.begin()
        try store.measure(of: result.id)
        try store.install("10004", 1)
        #expect(throws: Mishap.self) {
            try store.write { transaction in
                _ = try store.results.markAllAsDone(in: transaction)
                throw Mishap()
            }
        }
        _ = try await store.write { try store.results.markAsDone(result.id, in: $0) }
        #expect(try await iterator.next() == 1)
    }

    @Test("changes of every collection are observed")
    func collections() async throws {
        let values = store.observe { [store] snapshot in
            [
                try store.descriptors.all(in: snapshot).count,
                try store.networks.all(in: snapshot).count,
                try store.urls.all(in: snapshot).count,
                try store.articles.all(in: snapshot).count,
                try store.measurements.all(in: snapshot).count,
            ]
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == [0, 0, 0, 0, 0])
        try store.install("10004", 1)
        #expect(try await iterator.next() == [1, 0, 0, 0, 0])
        _ = try store.join("AS1")
        #expect(try await iterator.next() == [1, 1, 0, 0, 0])
        try await store.write { _ = try store.urls.register(.init("a"), in: $0) }
        #expect(try await iterator.next() == [1, 1, 1, 0, 0])
        let article = OONIStore.Article(url: "u", title: "t", source: .blog, time: .at(1))
        _ = try await store.write { try store.articles.refresh([article], in: $0) }
        #expect(try await iterator.next() == [1, 1, 1, 1, 0])
        let result = try store.begin()
        _ = try await store.write {
            try store.measurements.insert(.ndt, of: result.id, at: .at(1), in: $0)
        }
        #expect(try await iterator.next() == [1, 1, 1, 1, 1])
    }

    @Test("while the consumer is busy only the newest value is buffered")
    func newest() async throws {
        let values = store.observe { [store] in try store.results.totals(in: $0).results }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        for _ in 0..<200 { try store.begin() }
        var (seen, last) = (0, 0)
        while last < 200, let next = try await iterator.next() {
            #expect(next > last)
            (seen, last) = (seen + 1, next)
        }
        #expect(last == 200 && seen <= 200)
    }

    @Test("commits of another handle of the file are observed")
    func otherHandle() async throws {
        let directory = try TemporaryDirectory()
        let (one, other) = (
            try OONIStore(path: directory("p.cblite2")), try OONIStore(path: directory("p.cblite2"))
        )
        let values = one.observe { try one.results.ids(in: $0).count }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try other.begin()
        #expect(try await iterator.next() == 1)
    }

    @Test("it ends when the file is closed, and with the error of what is read")
    func ends() async throws {
        struct Mishap: Error {}
        let values = store.observe { [store] in
            let count = try store.results.totals(in: $0).results
            if count > 0 { throw Mishap() }
            return count
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        let others = store.observe { [store] in try store.results.totals(in: $0).results }
        var other = others.makeAsyncIterator()
        #expect(try await other.next() == 0)
        try store.begin()
        await #expect(throws: Mishap.self) { try await iterator.next() }
        #expect(try await other.next() == 1)
        store.file.close()
        #expect(try await other.next() == nil)
    }

    @Test("it ends with the task that listens")
    func cancelled() async throws {
        let store = store
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for try await _ in store.observe({ try store.results.totals(in: $0).results }) {
                count += 1
                begin.yield()
            }
            return count
        }
        for await _ in began { break }
        task.cancel()
        #expect(try await task.value == 1)
        try store.begin()
    }
}
