import Dispatch
import EngineTestSupport
import SQLCore
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Maintenance reports SQLite's progress", .timeLimit(.minutes(20)))
struct MaintenanceTickTests {
    let fixture: StoreFixture
    let file: DataFile

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        try fixture.fill(file, count: 3000, bytes: 200)
    }

    enum Work: CaseIterable {
        case rewriting, optimizing, reindexing
    }

    @Test("as the number of operations since the last report", arguments: Work.allCases)
    func operations(_ work: Work) async throws {
        let sum = Locked(0)
        let tick: @Sendable (Int) -> Void = { operations in sum.withLock { $0 += operations } }
        switch work {
        case .rewriting: try await file.vacuum(tick: tick)
        case .optimizing: try await file.optimize(isThorough: true, tick: tick)
        case .reindexing: try await file.reindex(tick: tick)
        }
        // A row of 3,000 takes more than one.
        #expect(sum.withLock { $0 } >= 3000)
        #expect(try await file.read { try fixture.people.count(in: $0) } == (3000, 0))
    }

    @Test("and ends when its task is cancelled; nothing is changed")
    func cancelled() async throws {
        // Fewer than are removed automatically.
        try fixture.sqlite().exec(sql: "DELETE FROM kv_default WHERE rowid <= 500")
        let free = try fixture.sqlite().number("freelist_count")
        #expect(free > 10)
        let isAtWork = Signal()
        let mayGoOn = DispatchSemaphore(value: 0)
        let working = Task { [file] in
            try await file.vacuum { _ in
                isAtWork.send()
                mayGoOn.wait()
            }
        }
        await isAtWork.wait()
        working.cancel()
        mayGoOn.signal()
        await #expect(throws: CancellationError.self) { try await working.value }
        #expect(try fixture.sqlite().number("freelist_count") == free)
        try await file.vacuum()
        #expect(try fixture.sqlite().number("freelist_count") == 0)
        #expect(try await file.read { try fixture.people.count(in: $0) } == (2500, 0))
    }
}
