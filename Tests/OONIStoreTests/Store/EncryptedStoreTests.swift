import SQLCore
import DocumentStore
import SQLPlus
import StoreTestSupport
import Testing

import OONIStore

@Suite("A store of measurements with a key")
struct EncryptedStoreTests {
    @Test("keeps what was measured, and opens with its key alone")
    func opens() throws {
        let directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.encryption = EncryptionKey.random()
        let store = try OONIStore(path: directory("probe.cblite2"), options: options)
        let result = try store.begin()
        try store.measure(of: result.id)
        store.file.close()
        let again = try OONIStore(path: directory("probe.cblite2"), options: options)
        #expect(try again.read { try again.measurements.all(in: $0).count } == 1)
        #expect(try again.read { try again.verify(in: $0) } == [])
        again.file.close()
        do {
            _ = try OONIStore(path: directory("probe.cblite2"))
            Issue.record("it opens without its key")
        } catch let error as StoreError {
            #expect(error.underlying as? EncryptionError == .keyRequired)
        }
    }
}
