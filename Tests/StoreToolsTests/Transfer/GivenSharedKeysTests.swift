import DataFileCore
import FleeceLite
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("Shared keys that are restored into a file")
struct GivenSharedKeysTests {
    let people = DocumentCollection(.default)

    /// The row of `info` with these keys in the order of their numbers.
    private func row(_ keys: [String]) throws -> StoreTools.StoredRow {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        for key in keys { encoder.writeString(key) }
        try encoder.endArray()
        return StoreTools.StoredRow(key: InfoKey.sharedKeys, body: try encoder.finish())
    }

    private func restore(_ keys: [String], into file: DataFile) throws {
        try file.write { try $0.restore(info: [row(keys)]) }
    }

    @Test("make bodies that are encoded again identical, byte by byte")
    func sameBytes() throws {
        let source = try TemporaryStore(options: TransferFixture.options())
        let json = [
            "a": #"{"zebra":1,"apple":[{"zebra":2}]}"#, "b": #"{"apple":1,"mango":"x","zebra":2}"#,
            "c": #"{"a key with blanks":1,"mango":true}"#,
        ]
        for (id, text) in json.sorted(by: { $0.key > $1.key }) {
            try source.file.write { transaction in
                _ = try people.save(id, in: transaction) { try $0.writeJSON(text) }
            }
        }
        let keys = try source.file.read { $0.sharedKeys.keys }
        #expect(keys.count == 3)
        let target = try TemporaryStore(options: TransferFixture.options())
        try restore(keys, into: target.file)
        for (id, text) in json.sorted(by: { $0.key < $1.key }) {
            try target.file.write { transaction in
                _ = try people.save(id, in: transaction) { try $0.writeJSON(text) }
            }
        }
        let bodies = { (file: DataFile) in
            try file.read { snapshot in
                try TransferFixture.rows(of: people.keyStore, in: snapshot).map(\.body)
            }
        }
        #expect(try bodies(target.file) == bodies(source.file))
        let again = try target.reopened(TransferFixture.options(.readWrite))
        #expect(try again.read { $0.sharedKeys.keys } == keys)
    }

    @Test("are rejected unless they begin with the file's own keys")
    func refusals() throws {
        let store = try TemporaryStore(options: TransferFixture.options())
        try restore(["a", "b"], into: store.file)
        try restore(["a", "b"], into: store.file)
        try restore(["a"], into: store.file)
        #expect(try store.file.read { $0.sharedKeys.keys } == ["a", "b"])
        try restore(["a", "b", "c"], into: store.file)
        for wrong in [["b"], ["b", "a", "c", "d"], ["a", "b", "c", "a"]] {
            #expect(throws: StoreError.self) {
                try restore(wrong, into: store.file)
            }
        }
        let long = String(repeating: "k", count: 17)
        #expect(throws: StoreError.self) {
            try restore(["a", "b", "c", long], into: store.file)
        }
        #expect(throws: StoreError.self, "in the middle of a document") {
            try store.file.write { transaction in
                _ = try people.save("x", in: transaction) {
                    try transaction.restore(info: [row(["a", "b", "c", "d"])])
                    try $0.writeJSON("{}")
                }
            }
        }
        let again = try store.reopened(TransferFixture.options(.readWrite))
        #expect(try again.read { $0.sharedKeys.keys } == ["a", "b", "c"])
    }
}
