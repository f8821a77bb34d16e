import Dispatch
import DocumentStore
import ProjectTestSupport
import SQLCore
internal import StorePlatform
import StoreTestSupport
import Testing

/// Two processes write to one file, while this process reads it and observes its changes.
///
/// `STORE_STRESS_SECONDS` is the duration.
@Suite("Two processes that write to one file", .timeLimit(.minutes(20)), .serialized)
struct TwoProcessTests {
    private static let milliseconds = TestEnvironment.number("STORE_STRESS_SECONDS", or: 2) * 1000
    private static let store = KeyStore(.default)
    private static let documents = DocumentCollection(.default)

    /// The summary that a writer prints at its end.
    private struct Outcome {
        let name: String
        let count: Int
        let busy: Int
        let longest: Int
    }

    /// The events of an observer, merged.
    private struct ObservedChanges {
        var keys: Set<String> = []
        var last: Int64 = 0
        var events = 0
        /// Sequences between two events that neither includes.
        var gaps: [String] = []
        /// Ranges of events with too many records to name each: they are read by their sequences.
        var unnamed: [ClosedRange<Int64>] = []

        mutating func add(_ event: KeyStoreChanges) {
            events += 1
            for change in event.changes { keys.insert(change.key) }
            if !event.isComplete, let range = event.sequences { unnamed.append(range) }
            guard let range = event.sequences else { return }
            if range.lowerBound > last + 1 { gaps.append("\(range) after \(last)") }
            last = max(last, range.upperBound)
        }
    }

    @Test(
        "lose nothing and never fail as busy; a third reads and observes all changes",
        arguments: [DataFileOptions.Access.readWrite, .readOnly])
    func twoWriters(access: DataFileOptions.Access) async throws {
        let directory = try TemporaryDirectory()
        let path = directory("store.cblite2")
        try DataFile(path: path, options: DataFileOptions(access: .create)).close()
        let file = try DataFile(path: path, options: DataFileOptions(access: access))
        defer { file.close() }
        let stream = try await Self.blocking { try file.changes(of: Self.store) }
        async let first = Self.writer("count", "first", path)
        async let second = Self.writer("count", "second", path)
        async let passes = Self.look(file, for: .milliseconds(Self.milliseconds))
        async let observed = Self.listen(to: stream)
        let outcomes = try await [first, second]
        try await Self.end(path)
        let (events, looks) = try await (observed, passes)
        let expected = Set(
            outcomes.flatMap { outcome in
                (1...max(outcome.count, 1)).map { "\(outcome.name)-\($0)" }
            })
        try await file.read { try Self.check($0, expected) }
        for outcome in outcomes {
            #expect(outcome.count > 0 && outcome.busy == 0, "\(outcome)")
            Figures.note(
                "two processes, a third with \(access): \(outcome.name) \(outcome.count) "
                    + "transactions, \(outcome.busy) times busy, longest \(outcome.longest) ms")
        }
        #expect(events.gaps == [])
        #expect(events.last == Int64(expected.count) * 2 + 1)
        let found = try await Self.blocking { try Self.keys(of: events.unnamed, in: file) }
        #expect(expected.subtracting(events.keys).subtracting(found).count == 0)
        #expect(looks > 0)
        let wal = file.size.wal
        Figures.note(
            "  \(looks) snapshots, \(events.events) change events, a WAL of \(wal) bytes")
        // There is a reader at all times, and the WAL is reset all the same.
        #expect(wal < 200 << 20)
        #expect(try await file.integrityCheck().isIntact)
    }

    @Test("store and reference blobs, while a third removes unreferenced ones: none is lost")
    func blobs() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("store.cblite2")
        var options = DataFileOptions(access: .create)
        options.blobGraceSeconds = 0
        let file = try DataFile(path: path, options: options)
        defer { file.close() }
        let isOver = Locked(false)
        async let first = Self.writer("blobs", "first", path)
        async let second = Self.writer("blobs", "second", path)
        async let removed = Self.collect(file, until: isOver)
        let outcomes = try await [first, second]
        isOver.withLock { $0 = true }
        let (count, passes) = try await removed
        // A process that syncs blobs while it has the write lock can block the other for long.
        for outcome in outcomes { #expect(outcome.count > 0, "\(outcome)") }
        #expect(outcomes.map(\.count).reduce(0, +) > 10)
        #expect(count > 0)
        try await Self.blocking {
            var digests: Set<BlobDigest> = []
            try file.read { snapshot in
                try Self.documents.forEach(in: snapshot) { row in
                    let blob = try #require(try row.get()["blob"]?.blob)
                    try file.blobs.verify(blob)
                    digests.insert(blob.digest)
                }
            }
            try file.compact()
            #expect(try Set(file.blobs.digests()) == digests)
        }
        Figures.note(
            "two processes with blobs: \(outcomes.map(\.count)) transactions, \(passes) "
                + "collections, \(count) blobs removed")
    }

    private static func collect(
        _ file: DataFile, until isOver: Locked<Bool>
    ) async throws -> (removed: Int, passes: Int) {
        var (removed, passes) = (0, 0)
        while !isOver.withLock({ $0 }) {
            removed += try await file.compact().removedBlobs
            passes += 1
        }
        return (removed, passes)
    }

    @Test(
        "upgrade an older file at the same time, and move its tombstones, without losses",
        .enabled(if: GoldenFiles.arePresent, "no golden files"))
    func twoUpgrades() async throws {
        let directory = try TemporaryDirectory()
        let path = try OlderFile.copy(in: directory)
        let killed = KilledFile(path: path)
        let before = try await Self.blocking { try OlderFile.records(killed.open()) }
        async let first = Self.writer("notes", "first", path)
        async let second = Self.writer("notes", "second", path)
        let outcomes = try await [first, second]
        let file = try killed.open()
        defer { file.close() }
        let after = try await Self.blocking { try OlderFile.records(file) }
        #expect(after == before)
        let notes = KeyStore(KeyStoreName("notes"))
        let found = try await file.read { try notes.count(in: $0).live }
        #expect(found == outcomes.reduce(0) { $0 + $1.count })
        for outcome in outcomes { #expect(outcome.count > 0 && outcome.busy == 0, "\(outcome)") }
        #expect(file.schemaVersion == 503)
        #expect(try await file.integrityCheck().isIntact)
    }

    private static func keys(
        of ranges: [ClosedRange<Int64>], in file: DataFile
    ) throws -> Set<String> {
        var keys: Set<String> = []
        try file.read { snapshot in
            for range in ranges {
                var options = RecordEnumerator.Options()
                options.order = .sequence
                options.sequences = range
                options.content = .metadata
                try store.records(options, in: snapshot).forEachRow { row in
                    keys.insert(row.key)
                    return true
                }
            }
        }
        return keys
    }

    /// A separate function, since the blocking calls are not available in asynchronous code.
    private static func blocking<T: Sendable>(
        _ body: @Sendable () throws -> T
    ) async throws -> T { try body() }

    private static func writer(
        _ work: String, _ name: String, _ path: String
    ) async throws -> Outcome {
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let ended = try ChildProcess.run([
                            program, path, work, name, "\(milliseconds)",
                        ])
                        // Warnings are printed before.
                        let last = ended.output.split(separator: "\n").last ?? ""
                        let numbers = last.split { $0.isWhitespace }.compactMap { Int($0) }
                        try #require(
                            ended.status == 0 && numbers.count == 3, "\(name): \(ended)")
                        return Outcome(
                            name: name, count: numbers[0], busy: numbers[1], longest: numbers[2])
                    })
            }
        }
    }

    /// Writes the last event for the observer.
    private static func end(_ path: String) async throws {
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        try await file.write { transaction in
            _ = try documents.save("end", in: transaction) { try $0.writeJSON("{}") }
        }
        file.close()
    }

    private static func listen(to stream: KeyStoreChangeStream) async throws -> ObservedChanges {
        var observed = ObservedChanges()
        for await event in stream {
            observed.add(event)
            if event.changes.contains(where: { $0.key == "end" }) { break }
        }
        return observed
    }

    /// Checks one snapshot after the other; returns how many.
    private static func look(_ file: DataFile, for time: Duration) async throws -> Int {
        let end = ContinuousClock.now + time
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var passes = 0
                    repeat {
                        let isThorough = passes.isMultiple(of: 50)
                        try await file.read { try lookOnce($0, isThorough: isThorough) }
                        passes += 1
                    } while ContinuousClock.now < end
                    return passes
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Each transaction creates a document and increments `shared`.
    private static func lookOnce(_ snapshot: Snapshot, isThorough: Bool) throws {
        let count = try documents.get("shared", in: snapshot)?["n"]?.int ?? 0
        let last = try store.lastSequence(in: snapshot)
        #expect([count * 2, count * 2 + 1].contains(last))
        guard isThorough, count > 0, last == count * 2 else { return }
        #expect(try store.count(in: snapshot) == (Int(count) + 1, 0))
    }

    private static func check(_ snapshot: Snapshot, _ expected: Set<String>) throws {
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.includesDeleted = true
        options.content = .metadata
        var keys: Set<String> = []
        var previous: Int64 = 0
        try store.records(options, in: snapshot).forEachRow { row in
            #expect(row.sequence > previous)
            previous = row.sequence
            keys.insert(row.key)
            return true
        }
        #expect(keys.subtracting(expected) == ["shared", "end"])
        #expect(expected.subtracting(keys).count == 0)
        #expect(
            try documents.get("shared", in: snapshot)?["n"]?.int == Int64(expected.count))
    }
}
