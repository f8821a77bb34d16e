import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import Testing

@Suite("The SQL function for blobs")
struct BlobFunctionTests {
    private func read(_ file: DataFile) throws -> [String] {
        let people = DocumentCollection(.default)
        let blob = try file.blobs.put(Array("a photo".utf8))
        try file.write { transaction in
            var document = MutableDocument("d")
            document["photo"] = .init(blob)
            document["other"] = "text"
            _ = try people.save(&document, in: transaction)
        }
        return try file.read { snapshot in
            try snapshot.connection().context.selectAll(
                sql: """
                    SELECT CAST(fl_blob(body, 'photo') AS TEXT), fl_blob(body, 'other')
                    FROM kv_default
                    """
            ).map { "\($0[0].textValue ?? "none") \($0[1].textValue ?? "none")" }
        }
    }

    @Test("returns the bytes that a property refers to")
    func contents() throws {
        let fixture = try StoreFixture()
        #expect(try read(fixture.open()) == ["a photo none"])
    }

    @Test("returns them in memory, too")
    func inMemory() throws {
        #expect(try read(DataFile(inMemory: DataFileOptions(access: .create))) == ["a photo none"])
    }
}
