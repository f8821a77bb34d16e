import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
internal import StorePlatform
import Testing
@testable import StoreTools

@Suite("Cancelling a verification")
struct VerificationCancellationTests {
    let fixture: EngineFixture
    let file: DataFile

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
        try file.write { transaction in
            for number in 0..<5000 {
                _ = try DocumentCollection(.default).save("d\(number)", in: transaction) {
                    try $0.writeJSON(#"{"n":\#(number)}"#)
                }
            }
        }
    }

    @Test("progress increases to the number of rows, and false cancels")
    func progress() throws {
        let seen = Locked<[VerificationProgress]>([])
        let report = try file.verify(
            progress: { progress in
                seen.withLock { $0.append(progress) }
                return true
            })
        let all = report.stores.map(\.rows).reduce(0, +)
        let steps = seen.withLock { $0 }
        #expect(steps.count == 5 && steps.last?.rows == all && all > 5000)
        #expect(steps.map(\.rows) == steps.map(\.rows).sorted())
        #expect(steps.allSatisfy { $0.allRows == all })
        #expect(throws: CancellationError.self) { try file.verify(progress: { _ in false }) }
        #expect(try file.verify().found == [])
    }

    @Test("cancelling its task ends it, and the file remains usable")
    func cancelled() async throws {
        let canceller = Canceller()
        let isReady = Signal()
        let count = Locked(0)
        let task = Task { [file] in
            try await file.verify(
                progress: { _ in
                    count.withLock { $0 += 1 }
                    isReady.block()
                    canceller.cancel()
                    return true
                })
        }
        canceller.set { task.cancel() }
        isReady.send()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.withLock { $0 } <= 2)
        let report = try await file.verify()
        #expect(report.found == [])
        let repair = try await file.fix(report.findings)
        #expect(repair == VerificationFix())
        try await file.write { _ = try DocumentCollection(.default).delete("d1", in: $0) }
    }

    @Test("it cannot begin inside a read, nor after the file was closed")
    func wrongPositions() throws {
        _ = try file.read { _ in storeError(.transactionNotClosed) { try file.verify() } }
        file.close()
        storeError(.notOpen) { try file.verify() }
    }

    @Test("findings are reported when they are found, the same that the report lists")
    func report() throws {
        try file.write {
            try $0.connection().context.exec(
                sql: "UPDATE kv_default SET body = x'6000' WHERE rowid % 1000 = 0")
        }
        let told = Locked<[VerificationFinding]>([])
        let report = try file.verify(report: { finding in told.withLock { $0.append(finding) } })
        #expect(report.findings.count == 5)
        #expect(told.withLock { $0 } == report.findings)
        let some = try file.verify(.init(sample: 100))
        let store = some.stores.first { $0.name == .default }
        #expect(store?.rows == 100 && store?.allRows == 5000)
    }
}
