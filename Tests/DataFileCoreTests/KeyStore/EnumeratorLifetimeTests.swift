import DataFileCore
import EngineTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// Enumerators that are retained after their transaction.
@Suite("Enumerators that outlive their transaction")
struct EnumeratorLifetimeTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws { fixture = try EngineFixture() }

    @Test("an enumerator that outlives its transaction does not prevent checkpoints of the WAL")
    func enumerator() throws {
        let file = try fixture.open()
        var kept: RecordEnumerator?
        try file.write { transaction in
            for index in 0..<600 {
                let update = RecordUpdate(
                    "\(index)", body: [UInt8](repeating: 7, count: 9000), expecting: .absent)
                #expect(try store.put(update, in: transaction) != .conflict)
            }
            kept = try store.records(in: transaction)
            #expect(try kept?.next()?.key == "0")
        }
        // The handle would fail here if the checkpoint had failed.
        try file.write { _ = try store.set("more", in: $0) }
        storeError(.notInTransaction) { _ = try kept?.next() }
    }
}
