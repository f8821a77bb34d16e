import DocumentStore
import ProjectTestSupport
import SampleData
import StoreTestSupport
import Testing

/// Indexes that are created in files of versions before 3.3. Before 3.1 the tombstones were
/// stored with the live records; they are moved during the changes.
@Suite(
    "Indexes that are created in older files",
    .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct OlderIndexTests {
    private let directory: TemporaryDirectory
    init() throws {
        directory = try TemporaryDirectory()
        TestIndexes.registerModel()
    }

    /// Indexes of properties of those files, and of the documents that are written here.
    private static let indexes: [IndexSpec] =
        [
            .value("byLast", on: "name.last, name.first"),
            .value("byNumber", on: "n", where: "n > 20"),
            .value("women", on: "birthday", where: "gender = 'female'"),
            .fullText("byStreet", on: "contact.address.street, text", .init(language: "en")),
            .array("likes", path: "likes"),
            .array("phones", path: "contact.phone"),
        ] + TestIndexes.all("test ")

    private func open(_ path: String) throws -> DataFile {
        var options = DataFileOptions(access: .readWrite)
        options.maintenance = false
        return try DataFile(path: path, options: options)
    }

    private func expectCurrent(_ path: String, _ when: String) throws {
        let oracle = try IndexOracle(path)
        #expect(oracle.problems == [], "\(when)")
        #expect(oracle.compared["values", default: 0] > 0)
    }

    struct Older: CustomTestStringConvertible, Sendable {
        let name: String
        var collection = CollectionName.default
        /// Whether tombstones are stored with the live records.
        var hasUnmovedTombstones = true
        var testDescription: String { name }
    }

    private static func files() throws -> [Older] {
        [
            Older(name: "upgrade_2.7"), Older(name: "db_3_0_0_names_100_with_deleted"),
            Older(
                name: "upgrade_3.1_peerCheckpoints",
                collection: try CollectionName("loopback.test"),
                hasUnmovedTombstones: false),
        ]
    }

    /// The ids of all documents and tombstones.
    private func ids(_ documents: DocumentCollection, _ file: DataFile) throws -> [String] {
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        return try file.read { snapshot in
            let records = try documents.records(options, in: snapshot)
            var ids: [String] = []
            while let record = try records.next() { ids.append(record.key) }
            return ids
        }
    }

    @Test("are current after each of many random changes", arguments: try files())
    func changes(_ older: Older) throws {
        let path = try directory.copy(of: GoldenFiles.file("litecore/\(older.name).cblite2"))
        let documents = DocumentCollection(older.collection)
        let file = try open(path)
        let ids = try ids(documents, file)
        #expect(ids.count == 100)
        try file.write { transaction in
            for spec in Self.indexes {
                #expect(try documents.createIndex(spec, in: transaction), "\(spec.name)")
            }
            let isUnmoved = try transaction.hasUnmovedTombstonesOfDefault()
            #expect(isUnmoved == older.hasUnmovedTombstones)
        }
        try expectCurrent(path, "made")
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 7))
        var random = SeededGenerator(seed: seed)
        var isMoved = false
        for round in 0..<12 {
            try file.write { transaction in
                for _ in 0..<12 { try change(random.pick(ids), documents, &random, transaction) }
                if round > 2 { isMoved = try transaction.moveTombstones(rows: 12) }
            }
            try expectCurrent(path, "STORE_SEED=\(seed), round \(round)")
        }
        #expect(isMoved)
        file.close()
        let again = try open(path)
        try again.write { transaction in
            for spec in Self.indexes {
                #expect(try !documents.createIndex(spec, in: transaction), "\(spec.name)")
                try documents.rebuildIndex(spec.name, in: transaction)
            }
        }
        try expectCurrent(path, "rebuilt")
        again.close()
        Figures.note("indexes of \(older.name): 12 rounds of 12 changes, STORE_SEED=\(seed)")
    }

    private func change(
        _ id: String, _ documents: DocumentCollection, _ random: inout SeededGenerator,
        _ transaction: Transaction
    ) throws {
        let store = documents.keyStore
        switch random.below(10) {
        case 0: _ = try documents.purge(id, in: transaction)
        case 1, 2: _ = try documents.delete(id, in: transaction)
        case 3:
            try store.setExpiration(random.below(2) == 0 ? 5 : 50, of: id, in: transaction)
            try store.purgeExpired(at: 10, in: transaction)
        case 4:
            guard let record = try store.get(id, in: transaction) else { return }
            _ = try store.setFlags(.synced, of: id, sequence: record.sequence, in: transaction)
        case 5, 6:
            let document = try documents.get(id, includesDeleted: true, in: transaction)
            guard var copy = document?.mutableCopy() else { return }
            copy["n"] = .int(Int64(random.below(40)))
            copy["text"] = .string("changed houses")
            _ = try documents.save(&copy, in: transaction)
        default:
            let pairs =
                TestIndexes.members(&random).sorted { $0.key < $1.key }
                .map { "\"\($0.key)\":\($0.value)" } + [#""likes":["a","b"]"#]
            _ = try documents.save(id, in: transaction) {
                try $0.writeJSON("{\(pairs.joined(separator: ","))}")
            }
        }
    }
}

extension Transaction {
    /// Whether there are tombstones that the next step would move.
    fileprivate func hasUnmovedTombstonesOfDefault() throws -> Bool {
        let count = try KeyStore(.default).count(in: self)
        struct Undone: Error {}
        var isDone = false
        do {
            try savepoint {
                isDone = try moveTombstones(rows: 1)
                throw Undone()
            }
        } catch is Undone {}
        return count.deleted > 0 && !isDone
    }
}
