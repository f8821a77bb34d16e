import EngineTestSupport
import StoreFormat
import Testing
@testable import DataFileCore

@Suite("Observed changes", .timeLimit(.minutes(20)))
struct ChangeTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    /// The next event; commits by other processes may arrive in two.
    private func next(_ stream: KeyStoreChangeStream) async throws -> KeyStoreChanges {
        var iterator = stream.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    @Test("each commit is reported with the changes of its records, in order")
    func kinds() async throws {
        let stream = try file.changes(of: store)
        try await file.write { transaction in
            try store.set("a", in: transaction)
            try store.set("b", in: transaction)
            try store.set("c", in: transaction)
            try store.set("d", in: transaction)
        }
        let first = try await next(stream)
        #expect(first.store == .default)
        #expect(first.changes.map(\.key) == ["a", "b", "c", "d"])
        #expect(first.changes.allSatisfy { $0.kind == .saved })
        #expect(first.changes.map(\.sequence) == [1, 2, 3, 4])
        #expect(first.sequences == 1...4 && first.isComplete)
        try await file.write { transaction in
            try store.set("d", flags: .deleted, in: transaction)
            try store.purge("c", in: transaction)
            _ = try store.setFlags(.synced, of: "b", sequence: 2, in: transaction)
            try store.setExpiration(5, of: "a", in: transaction)
            try store.purgeExpired(at: 5, in: transaction)
        }
        let second = try await next(stream)
        #expect(
            second.changes == [
                RecordChange(key: "d", kind: .deleted, sequence: 5),
                RecordChange(key: "c", kind: .purged, sequence: 0),
                RecordChange(key: "b", kind: .metadata, sequence: 2),
                RecordChange(key: "a", kind: .expired, sequence: 1),
            ])
        #expect(second.sequences == 5...5 && second.isComplete)
    }

    @Test("changes while the observer is busy are merged into one event")
    func merged() async throws {
        let stream = try file.changes(of: store)
        for round in 1...50 {
            try await file.write { transaction in
                try store.set("same", "\(round)", in: transaction)
                try store.set("k\(round)", in: transaction)
            }
        }
        try await file.write { _ = try store.purge("k50", in: $0) }
        let event = try await next(stream)
        #expect(event.changes.count == 51)
        #expect(event.changes.first == RecordChange(key: "same", kind: .saved, sequence: 99))
        #expect(event.changes.last == RecordChange(key: "k50", kind: .purged, sequence: 0))
        #expect(event.sequences == 1...100 && event.isComplete)
    }

    @Test("of more than 10,000 records only the sequences are reported")
    func tooMany() async throws {
        let stream = try file.changes(of: store)
        try await file.write { transaction in
            for number in 1...10_001 {
                let update = RecordUpdate("k\(number)", body: nil, expecting: .absent)
                _ = try store.put(update, in: transaction)
            }
        }
        let event = try await next(stream)
        #expect(event.changes.count == 10_000 && !event.isComplete)
        #expect(event.sequences == 1...10_001)
        // The same read from the file.
        let late = try await next(file.changes(of: store, since: 0))
        #expect(late.changes.count == 10_000 && !late.isComplete)
        #expect(late.sequences == 1...10_001)
        let part = try await next(file.changes(of: store, since: 10_000))
        #expect(part.changes.map(\.key) == ["k10001"] && part.isComplete)
    }

    @Test("keys that Swift considers equal are two records")
    func normalForms() async throws {
        let stream = try file.changes(of: store)
        try await file.write { transaction in
            try store.set("\u{E9}", in: transaction)
            try store.set("e\u{301}", in: transaction)
        }
        #expect(try await next(stream).changes.map(\.key.utf8.count) == [2, 3])
    }

    @Test("since a sequence: records saved and deleted after it are reported first, as one event")
    func catchUp() async throws {
        try await file.write { transaction in
            try store.set("a", in: transaction)
            try store.set("b", in: transaction)
            try store.set("c", flags: .deleted, in: transaction)
        }
        let stream = try file.changes(of: store, since: 1)
        try await file.write { _ = try store.set("d", in: $0) }
        let event = try await next(stream)
        #expect(
            event.changes == [
                RecordChange(key: "b", kind: .saved, sequence: 2),
                RecordChange(key: "c", kind: .deleted, sequence: 3),
                RecordChange(key: "d", kind: .saved, sequence: 4),
            ])
        #expect(event.sequences == 2...4)
        let current = try file.changes(of: store, since: 4)
        let beyond = try file.changes(of: store, since: 400)
        try await file.write { _ = try store.set("e", in: $0) }
        #expect(try await next(current).changes.map(\.key) == ["e"])
        #expect(try await next(beyond).changes.map(\.key) == ["e"])
    }

    @Test("a transaction that is rolled back reports nothing, nor does one without changes")
    func undone() async throws {
        let stream = try file.changes(of: store)
        await #expect(throws: Mishap.self) {
            try await file.write { transaction in
                try store.set("lost", in: transaction)
                throw Mishap()
            }
        }
        try await file.write { _ in }
        try await file.write { transaction throws in
            let stale = RecordUpdate(
                "x", body: nil, expecting: .revision(sequence: 9, subsequence: 0))
            #expect(try store.put(stale, in: transaction) == .conflict)
        }
        try await file.write { _ = try store.set("told", in: $0) }
        let event = try await next(stream)
        #expect(event.changes == [RecordChange(key: "told", kind: .saved, sequence: 1)])
    }

    @Test("two observers each get all changes, those of another store get none")
    func twoObservers() async throws {
        let other = KeyStore(KeyStoreName(".other"))
        try await file.write { try other.create(in: $0) }
        let streams = [try file.changes(of: store), try fixture.open().changes(of: store)]
        let elsewhere = try file.changes(of: other)
        try await file.write { _ = try store.set("a", in: $0) }
        try await file.write { _ = try other.set("b", in: $0) }
        for stream in streams {
            #expect(try await next(stream).changes.map(\.key) == ["a"])
        }
        #expect(try await next(elsewhere).changes.map(\.key) == ["b"])
    }

    @Test("an observer that subscribes during a long transaction gets all of its changes")
    func duringTransaction() async throws {
        let stream = try await file.write { transaction in
            try store.set("a", in: transaction)
            let stream = try file.changes(of: store)
            try store.set("b", flags: .deleted, in: transaction)
            return stream
        }
        let event = try await next(stream)
        #expect(
            event.changes == [
                RecordChange(key: "a", kind: .saved, sequence: 1),
                RecordChange(key: "b", kind: .deleted, sequence: 2),
            ])
    }

    @Test("an observer with an older snapshot gets what was committed since, without a gap")
    func olderSnapshot() async throws {
        let stream = try await file.read { snapshot in
            #expect(try store.count(in: snapshot) == (0, 0))
            try file.write { _ = try store.set("a", in: $0) }
            // The snapshot of the outer read, which does not contain "a" yet.
            return try file.changes(of: store, since: 0)
        }
        #expect(try await next(stream).changes.map(\.key) == ["a"])
        // The same with another observer, which has already been notified of it.
        let second = try await file.read { snapshot in
            #expect(try store.count(in: snapshot) == (1, 0))
            try file.write { _ = try store.set("b", in: $0) }
            return try file.changes(of: store, since: 1)
        }
        try await file.write { _ = try store.set("c", in: $0) }
        var found: [String] = []
        for await event in second {
            found += event.changes.map(\.key)
            if found.contains("c"), found.contains("b") { break }
        }
        #expect(Set(found) == ["b", "c"])
    }

    @Test("closing the file ends all observers after the pending changes")
    func closed() async throws {
        let stream = try file.changes(of: store)
        let waiting = try file.changes(of: store)
        let task = Task {
            var keys: [String] = []
            for await event in waiting { keys += event.changes.map(\.key) }
            return keys
        }
        try await file.write { _ = try store.set("a", in: $0) }
        file.close()
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.changes.map(\.key) == ["a"])
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(await task.value == ["a"])
        storeError(.notOpen) { _ = try file.changes(of: store) }
    }

    @Test("cancelling a task ends its wait, before and while it waits")
    func cancelled() async throws {
        let stream = try file.changes(of: store)
        let task = Task {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next() == nil
        }
        task.cancel()
        #expect(await task.value)
        let other = try file.changes(of: store)
        let begun = Signal()
        let waiting = Task {
            var iterator = other.makeAsyncIterator()
            begun.send()
            return await iterator.next() == nil
        }
        await begun.wait()
        waiting.cancel()
        #expect(await waiting.value)
        let third = try file.changes(of: store)
        try await file.write { _ = try store.set("a", in: $0) }
        #expect(try await next(third).changes.map(\.key) == ["a"])
    }

    @Test("without observers nothing is reported, and the next observer is notified again")
    func comeAndGo() async throws {
        for round in 1...30 {
            let stream = try file.changes(of: store)
            #expect(file.shared.state.changes.isObserved)
            try await file.write { _ = try store.set("k\(round)", in: $0) }
            #expect(try await next(stream).changes.map(\.key) == ["k\(round)"])
        }
        #expect(!file.shared.state.changes.isObserved)
        storeError(.notFound) { _ = try file.changes(of: KeyStore(KeyStoreName(".none"))) }
        #expect(!file.shared.state.changes.isObserved)
    }

    @Test("while tasks write, an observer is notified of each record after its commit")
    func whileWriting() async throws {
        let stream = try file.changes(of: store)
        async let writing: Void = withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask { [file, store] in
                    for round in 0..<50 {
                        try await file.write { _ = try store.set("\(worker)-\(round)", in: $0) }
                    }
                }
            }
            try await group.waitForAll()
        }
        var keys: Set<String> = []
        var last: Int64 = 0
        for await event in stream {
            #expect(event.isComplete)
            let sequences = try #require(event.sequences)
            #expect(sequences.lowerBound == last + 1, "in the order of the commits")
            last = sequences.upperBound
            keys.formUnion(event.changes.map(\.key))
            if keys.count == 200 { break }
        }
        try await writing
        #expect(last == 200)
    }
}
