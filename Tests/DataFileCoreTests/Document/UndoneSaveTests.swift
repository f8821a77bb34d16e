import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing

/// A rolled-back sequence is assigned again: it does not identify a document's state.
@Suite("A document whose saving was rolled back")
struct UndoneSaveTests {
    @Test(
        "conflicts with a change made since, even one with the same sequence",
        arguments: [Versioning.treesInExtra, .versionVectors])
    func changedSince(versioning: Versioning) throws {
        let directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        let file = try DataFile(path: directory("store.cblite2"), options: options)
        defer { file.close() }
        let people = DocumentCollection(.default)
        var mine = MutableDocument("ada", ["n": 1])
        _ = try file.write { try people.save(&mine, in: $0) }
        mine["n"] = 2
        #expect(throws: Mishap.self) {
            try file.write { transaction in
                _ = try people.save(&mine, in: transaction)
                throw Mishap()
            }
        }
        try file.write { transaction in
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"theirs":3}"#) }
        }
        let result = try file.write { try people.save(&mine, in: $0) }
        let theirs = try file.read { try people.get("ada", in: $0)?["theirs"]?.int }
        #expect(result.saved == nil)
        #expect(theirs == 3)
    }
}
