import DataFileCore
import FleeceLite
import StoreFormat
import Testing

@Suite("Bodies written over documents that were read")
struct SaveOverDocumentTests {
    private let file: DataFile
    private let people = DocumentCollection(.default)

    init() throws {
        file = try DataFile(inMemory: DataFileOptions(access: .create))
        try file.write { transaction in
            try people.create(in: transaction)
            _ = try people.save("ada", in: transaction) { try $0.writeJSON("{\"age\": 36}") }
        }
    }

    private func read() throws -> Document {
        try #require(try file.read { try people.get("ada", in: $0) })
    }

    private func save(_ json: String, over document: Document) throws -> SaveResult {
        try file.write {
            try people.save(over: document, in: $0) { try $0.writeJSON(json) }
        }
    }

    @Test("become the document's next revision")
    func saved() throws {
        let old = try read()
        guard case .saved(let saved) = try save("{\"age\": 37}", over: old) else {
            Issue.record("not saved")
            return
        }
        let new = try read()
        #expect(new["age"]?.int == 37)
        #expect(new.sequence == old.sequence + 1 && saved.sequence == new.sequence)
        #expect(new.revisionID == saved.revisionID && saved.revisionID != old.revisionID)
        #expect(!saved.isNew)
    }

    @Test("are not written if the document was changed since; the result has the stored one")
    func conflict() throws {
        let old = try read()
        _ = try save("{\"age\": 37}", over: old)
        guard case .conflict(let current) = try save("{\"age\": 99}", over: old) else {
            Issue.record("no conflict")
            return
        }
        #expect(current?["age"]?.int == 37)
        #expect(try read()["age"]?.int == 37)
    }

    @Test("are not written if the document was purged")
    func gone() throws {
        let old = try read()
        _ = try file.write { try people.purge("ada", in: $0) }
        guard case .conflict(nil) = try save("{\"age\": 99}", over: old) else {
            Issue.record("no conflict")
            return
        }
        #expect(try file.read { try people.get("ada", in: $0) } == nil)
    }

    @Test("must be dictionaries, otherwise nothing is written")
    func badBody() throws {
        let old = try read()
        let error = #expect(throws: StoreError.self) { try save("[1]", over: old) }
        #expect(error?.has(.invalidParameter) == true)
        #expect(try read()["age"]?.int == 36)
    }
}
