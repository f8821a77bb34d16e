import SQLCore
import DocumentStore
internal import StorePlatform
import StoreTestSupport
import Testing

import OONIStore

@Suite("A file that many use", .timeLimit(.minutes(20)))
struct SharedUseTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("probe.cblite2")
    }

    @Test("the file has a write-ahead log, the store's collections and its indexes")
    func made() throws {
        let store = try OONIStore(path: path)
        try store.begin()
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        let mode = try context.selectAll(sql: "PRAGMA journal_mode").first?.first
        #expect(mode == .text("wal"))
        let names = try store.read { snapshot in
            try [
                "descriptors", "results", "measurements", "networks", "urls", "articles", "info",
            ].filter { try DocumentCollection(CollectionName("ooni." + $0)).exists(in: snapshot) }
        }
        #expect(names.count == 7)
    }

    @Test("what was written is there when the file is opened again, and numbers continue")
    func reopened() throws {
        let first = try OONIStore(path: path)
        let result = try first.begin(network: first.join("AS1"))
        try first.measure(of: result.id, url: "https://a.example/")
        _ = try first.write { try first.results.delete([result.id], in: $0) }
        let kept = try first.begin(at: 7, run: "a")
        first.file.close()
        let again = try OONIStore(path: path, options: .init(access: .readWrite))
        #expect(try again.read { try again.results.page(in: $0) }.results == [kept])
        #expect(kept.id.number == 2)
        _ = try again.write { try again.results.delete(.all, in: $0) }
        again.file.close()
        let third = try OONIStore(path: path)
        let new = try third.begin()
        #expect(new.id.number == 3)
        #expect(try third.measure(of: new.id).id.number == 2)
        #expect(try third.join("AS1").number == 2)
    }

    @Test("a file opened for reading is read, and refuses to be changed")
    func readOnly() throws {
        let store = try OONIStore(path: path)
        let result = try store.begin()
        store.file.close()
        let reader = try OONIStore(path: path, options: .init(access: .readOnly))
        #expect(try reader.listed() == [1])
        #expect(throws: StoreError.self) {
            try reader.write { try reader.results.markAsDone(result.id, in: $0) }
        }
    }

    @Test("a file of a later version is refused, and stays as it was")
    func newer() throws {
        let store = try OONIStore(path: path)
        try store.begin()
        try store.write {
            _ = try DocumentCollection(CollectionName("ooni.info")).save("schema", in: $0) {
                try $0.encode(["version": 99])
            }
        }
        store.file.close()
        #expect {
            try OONIStore(path: path)
        } throws: {
            ($0 as? OONIStoreError)?.code == .newerVersion
        }
        let file = try DataFile(path: path, options: .init(access: .readOnly))
        let results = try DocumentCollection(CollectionName("ooni.results"))
        #expect(try file.read { try results.get("000000000001", in: $0) } != nil)
    }

    @Test("two handles see each other's commits, and give no number twice")
    func twoHandles() throws {
        let (one, other) = (try OONIStore(path: path), try OONIStore(path: path))
        for _ in 0..<10 {
            let result = try one.begin()
            #expect(try other.read { try other.results.get(result.id, in: $0) } == result)
            try other.begin()
        }
        #expect(try one.listed().sorted() == Array(1...20))
        // A snapshot goes on seeing what it began with.
        try one.read { snapshot in
            #expect(try one.results.ids(in: snapshot).count == 20)
            _ = try other.write { try other.results.delete(.all, in: $0) }
            #expect(try one.results.ids(in: snapshot).count == 20)
        }
        #expect(try one.listed() == [])
    }

    @Test("a new file that many open at once is made once")
    func openedAtOnce() async throws {
        for round in 0..<5 {
            let path = directory("new \(round).cblite2")
            let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let store = try OONIStore(path: path)
                        return try await store.write {
                            try store.results.insert(.init(name: "websites"), at: .at(1), in: $0)
                                .id.number
                        }
                    }
                }
                return try await group.reduce(into: [Int64]()) { $0.append($1) }
            }
            #expect(numbers.sorted() == Array(1...8))
        }
    }

    @Test(
        "another process that writes does not block others, and its removals are observed",
        .enabled(if: ChildProcess.exists("sqlite3"), "no sqlite3"))
    func otherProcess() async throws {
        var options = DataFileOptions(access: .create)
        options.externalChangeMilliseconds = 10
        let store = try OONIStore(path: path, options: options)
        let article = OONIStore.Article(url: "u", title: "t", source: .blog, time: .at(1))
        _ = try await store.write { try store.articles.refresh([article], in: $0) }
        let values = store.observe { try store.articles.all(in: $0).count }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let purge = "UPDATE kvmeta SET purgeCnt = purgeCnt + 1 WHERE name LIKE '%ooni.articles';"
        let sql =
            String(repeating: "BEGIN IMMEDIATE; \(purge) COMMIT;", count: 200)
            + "BEGIN IMMEDIATE; DELETE FROM \"kv_.ooni.articles\"; \(purge) COMMIT"
        let command = [
            "sqlite3", "-bail", "-cmd", ".timeout 10000", path + "/db.sqlite3", sql,
        ]
        async let outcome = ChildProcess.run(command)
        for writer in 0..<40 { try await Self.run(store, writer) }
        let (status, output) = try await outcome
        #expect(status == 0, "\(output)")
        #expect(try await iterator.next() == 0)
        #expect(try await store.read { try store.verify(in: $0) } == [])
    }

    /// `STORE_SECONDS` is how long.
    @Test("ten who write and ten who read do so without an error, and the counts are right")
    func busy() async throws {
        let seconds = TestEnvironment.number("STORE_SECONDS", or: 2)
        let end = ContinuousClock.now + .seconds(seconds)
        let stores = [try OONIStore(path: path), try OONIStore(path: path)]
        let (writes, reads) = (Locked(0), Locked(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<10 {
                group.addTask {
                    let store = stores[writer % 2]
                    // At least once: a busy machine may let a task begin late.
                    repeat {
                        try await Self.run(store, writer)
                        writes.withLock { $0 += 1 }
                    } while ContinuousClock.now < end
                }
                group.addTask {
                    let store = stores[(writer + 1) % 2]
                    repeat {
                        let (totals, page, counted) = try await store.read { snapshot in
                            let page = try store.results.page(limit: 10, in: snapshot).results
                            let counted = try page.map {
                                try store.measurements.all(of: $0.id, in: snapshot).count
                            }
                            return (try store.results.totals(in: snapshot), page, counted)
                        }
                        #expect(page.map(\.counts.measurements) == counted)
                        #expect(page.count == min(totals.results, 10))
                        reads.withLock { $0 += 1 }
                    } while ContinuousClock.now < end
                }
            }
            try await group.waitForAll()
        }
        #expect(writes.withLock { $0 } > 0 && reads.withLock { $0 } > 0)
        print(
            "SharedUseTests: \(writes.withLock { $0 }) runs written, "
                + "\(reads.withLock { $0 }) times read in \(seconds) s")
        #expect(try await stores[0].read { try stores[0].verify(in: $0) } == [])
    }

    /// A run as an app does it, an event a transaction; now and then the oldest results go.
    private static func run(_ store: OONIStore, _ writer: Int) async throws {
        let result = try await store.write { transaction in
            let network = try store.networks.register(.init(asn: "AS\(writer)"), in: transaction)
            return try store.results.insert(
                .init(name: "websites"), at: .at(.random(in: 0...1_000)), run: writer,
                networkID: network.id, in: transaction)
        }
        for number in 0..<3 {
            do {
                try await store.write { transaction in
                    let made = try store.measurements.insert(
                        .webConnectivity, of: result.id, url: "https://\(number).example/",
                        at: .at(1), in: transaction)
                    try store.measurements.update(made.id, in: transaction) { $0.isDone = true }
                }
            } catch let error as OONIStoreError where error.code == .unknownResult {
                // Another one has deleted it.
                return
            }
        }
        guard result.id.number % 7 == 0 else { return }
        _ = try await store.write { transaction in
            let ids = try store.results.ids(in: transaction)
            return try store.results.delete(ids.dropFirst(20), in: transaction)
        }
    }
}

extension OONIStore.Results {
    /// As `insert`, with the run of a writer.
    fileprivate func insert(
        _ descriptor: OONIStore.DescriptorReference, at time: OONIStore.Instant, run: Int,
        networkID: OONIStore.Network.ID, in transaction: Transaction
    ) throws -> OONIStore.TestResult {
        try insert(
            descriptor, at: time, runID: "run \(run)", networkID: networkID, in: transaction)
    }
}
