import DocumentStore
import SampleData
import StoreTestSupport
import Testing

/// The effect of deletion, expiration and other removals on indexes of all kinds.
@Suite("Indexes are updated by deletion, expiration and other removals")
struct IndexCurrencyTests {
    private let directory: TemporaryDirectory
    private let people = DocumentCollection(.default)

    init() throws {
        directory = try TemporaryDirectory()
        TestIndexes.registerModel()
    }

    private var path: String { directory("store.cblite2") }

    private func open() throws -> DataFile {
        var options = DataFileOptions(access: .create)
        options.maintenance = false
        return try DataFile(path: path, options: options)
    }

    /// A file with the indexes and the documents `a` and `b`.
    private func filled(_ collection: DocumentCollection = DocumentCollection(.default)) throws
        -> DataFile
    {
        let file = try open()
        try file.write { try fill(collection, $0) }
        return file
    }

    private func fill(_ collection: DocumentCollection, _ transaction: Transaction) throws {
        try collection.create(in: transaction)
        try TestIndexes.create("", of: collection, in: transaction)
        for id in ["a", "b"] { try save(id, collection, transaction) }
    }

    private func save(
        _ id: String, _ collection: DocumentCollection, _ transaction: Transaction
    ) throws {
        _ = try collection.save(id, in: transaction) {
            try $0.writeJSON(
                """
                {"name": "Anna", "n": 4, "text": "the running houses", "tags": ["red", null, [1]],
                 "point": [3, 4],
                 "groups": [{"name": "first", "tags": ["x", "y"]}, {"tags": []}]}
                """)
        }
    }

    /// Checks the number of index entries for a number of such documents.
    private func expectEntries(
        ofDocuments count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let oracle = try IndexOracle(path)
        #expect(oracle.problems == [], sourceLocation: sourceLocation)
        let ofOne = [
            // Five value indexes; two full-text strings.
            "values": 5, "strings": 2, "sizes": 2, "vectors": 1,
            // "run", "hous", "anna"; "red", "1".
            "words": 5,
            // Three tags twice; two groups twice, and the two tags in them.
            "elements": 12, "values of elements": 10,
            "predictions": 3, "values of predictions": 2,
        ]
        let expected = ofOne.mapValues { $0 * count }
        #expect(oracle.compared == expected, sourceLocation: sourceLocation)
    }

    @Test("a deletion removes a document from every index, an undeletion adds it again")
    func deletion() throws {
        let file = try filled()
        try expectEntries(ofDocuments: 2)
        _ = try file.write { try people.delete("a", in: $0) }
        try expectEntries(ofDocuments: 1)
        _ = try file.write { try save("a", people, $0) }
        try expectEntries(ofDocuments: 2)
        file.close()
    }

    @Test("a purge removes a live document or a tombstone from every index")
    func purge() throws {
        let file = try filled()
        _ = try file.write { try people.purge("a", in: $0) }
        try expectEntries(ofDocuments: 1)
        _ = try file.write { try people.delete("b", in: $0) }
        _ = try file.write { try people.purge("b", in: $0) }
        try expectEntries(ofDocuments: 0)
        file.close()
    }

    @Test("a document that expires is removed from every index")
    func expiry() throws {
        let file = try filled()
        let store = KeyStore(.default)
        let purged = try file.write { transaction in
            try store.setExpiration(1000, of: "a", in: transaction)
            try store.setExpiration(3000, of: "b", in: transaction)
            return try store.purgeExpired(at: 2000, in: transaction)
        }
        #expect(purged == 1)
        try expectEntries(ofDocuments: 1)
        file.close()
    }

    @Test("a change that is rolled back leaves every index unchanged")
    func undone() throws {
        struct Mishap: Error {}
        let file = try filled()
        #expect(throws: Mishap.self) {
            try file.write { transaction in
                _ = try people.delete("a", in: transaction)
                try save("c", people, transaction)
                throw Mishap()
            }
        }
        try expectEntries(ofDocuments: 2)
        try file.write { transaction in
            #expect(throws: Mishap.self) {
                try transaction.savepoint {
                    _ = try people.purge("a", in: transaction)
                    throw Mishap()
                }
            }
            try save("c", people, transaction)
        }
        try expectEntries(ofDocuments: 3)
        file.close()
    }

    @Test("a move between collections is a purge in the first, and changes nothing without indexes")
    func move() throws {
        let file = try filled()
        let other = KeyStore(KeyStoreName(".others"))
        try file.write { transaction in
            try other.create(in: transaction)
            _ = try KeyStore(.default).move("a", to: other, in: transaction)
        }
        try expectEntries(ofDocuments: 1)
        file.close()
    }

    @Test("deleting a collection deletes its indexes; a new one can have the same ones")
    func recreatedCollection() throws {
        let others = DocumentCollection(try CollectionName("others"))
        let file = try filled(others)
        try expectEntries(ofDocuments: 2)
        #expect(try file.write { try others.delete(in: $0) })
        let oracle = try IndexOracle(path)
        #expect(oracle.problems == [])
        #expect(oracle.compared == [:])
        try file.write { transaction in
            try others.create(in: transaction)
            #expect(try others.indexes(in: transaction).isEmpty)
            try save("c", others, transaction)
        }
        try file.write { try fill(others, $0) }
        try expectEntries(ofDocuments: 3)
        // In one transaction, too.
        try file.write { transaction in
            #expect(try others.delete(in: transaction))
            try fill(others, transaction)
        }
        try expectEntries(ofDocuments: 2)
        file.close()
    }
}
