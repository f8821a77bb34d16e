import DataFileCore
import Dispatch
import EngineTestSupport
import StoreTestSupport
import Testing

/// Reads within writes, and writes within reads.
@Suite("Nested reads and writes", .timeLimit(.minutes(20)))
struct NestedReadTests {
    @Test("a read within a write does not wait for readers that wait to write")
    func crossing() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let file = try fixture.open { $0.readers = 1 }
        let (isReading, isWriting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            try? file.read { _ in
                isReading.signal()
                isWriting.wait()
                try file.write { _ = try store.set("a", in: $0) }
            }
            done.signal()
        }
        DispatchQueue.global().async {
            try? file.write { transaction in
                isWriting.signal()
                isReading.wait()
                _ = try store.set("b", in: transaction)
                // The last committed state, and the same snapshot within itself.
                let counts = try file.read { outer in
                    [try store.count(in: outer).live]
                        + (try file.read { [try store.count(in: $0).live] })
                }
                #expect(counts == [0, 0])
            }
            done.signal()
        }
        for _ in 0..<2 { #expect(done.wait(timeout: .now() + 30) == .success) }
        #expect(try fixture.rows("SELECT key FROM kv_default ORDER BY key") == ["a", "b"])
    }
}
