import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// The indexes of the files that LiteCore wrote, as they were defined there.
enum SampleIndexes {
    static let all: [(collection: String, spec: IndexSpec)] = [
        ("_default", .value("byState", on: "contact.address.state")),
        ("_default", .value("byName", on: .json(#"[[".name.last"],[".name.first"]]"#))),
        ("_default", .value("partialBday", on: "birthday", where: "gender = 'female'")),
        ("_default", .fullText("byStreet", on: "contact.address.street", .init(language: "en"))),
        ("_default", .array("likesIdx", path: "likes")),
        ("hr.Employees", .value("bySalary", on: "salary")),
    ]

    static func create(in transaction: Transaction) throws -> [Bool] {
        try all.map { collection, spec in
            try DocumentCollection(CollectionName(collection)).createIndex(spec, in: transaction)
        }
    }
}

@Suite("The indexes of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenIndexTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The SQL texts of the schema, except those of FTS4's shadow tables.
    private func schema(_ path: String) throws -> [String: String] {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        let rows = try context.selectAll(
            sql: """
                SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT GLOB 'sqlite_*'
                    AND name NOT GLOB '*_seqs' AND name NOT GLOB 'kv__local*'
                """)
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0[0].textValue ?? "", $0[1].textValue ?? "") })
    }

    @Test(
        "are the same, byte by byte, as those created from the same definitions",
        arguments: ["sample_revtree_503", "sample_vectors_503"])
    func sameText(name: String) throws {
        let ours = directory("ours.cblite2")
        let file = try DataFile(path: ours, options: DataFileOptions(access: .create))
        let made = try file.write { transaction in
            try DocumentCollection(CollectionName("hr.Employees")).create(in: transaction)
            return try SampleIndexes.create(in: transaction)
        }
        #expect(made == [true, true, true, true, true, true])
        file.close()
        let theirs = try schema(GoldenDatabase.named(name).copy(to: directory))
        let own = try schema(ours)
        #expect(own.count == 32)
        for (name, text) in theirs { #expect(own[name] == text, "\(name)") }
        #expect(Set(own.keys) == Set(theirs.keys))
    }

    @Test(
        "are recognized: creating them again does nothing",
        arguments: ["sample_revtree_503", "sample_vectors_503"])
    func nothingToDo(name: String) throws {
        let path = try GoldenDatabase.named(name).copy(to: directory)
        let before = try schema(path)
        let file = try GoldenDatabase.open(path)
        let made = try file.write { try SampleIndexes.create(in: $0) }
        #expect(made == [false, false, false, false, false, false])
        file.close()
        #expect(try schema(path) == before)
    }

    @Test("of 2.8, whose SQL text quotes all names, are recognized, too")
    func nothingToDoForOlder() throws {
        let path = try GoldenDatabase.named("upgrade_2.8_index").copy(to: directory)
        let file = try GoldenDatabase.open(path)
        let spec = IndexSpec.value("index1", on: .json(#"[[".firstName"],[".lastName"]]"#))
        let old = try schema(path)["index1"]
        #expect(
            try file.write { try DocumentCollection(.default).createIndex(spec, in: $0) } == false)
        file.close()
        #expect(try schema(path)["index1"] == old)
        #expect(try IndexOracle(path).problems == [])
    }

    /// The number of entries of the golden files' indexes.
    private static let entries: [String: [String: Int]] = [
        "upgrade_2.8_index": ["values": 2],
        "sample_revtree_503": sampleEntries, "sample_vectors_503": sampleEntries,
    ]

    /// Two of 107 documents, one of the 55 that are female, one of 10 employees; 107 strings;
    /// 93 likes.
    private static let sampleEntries = [
        "values": 2 * 107 + 55 + 10, "strings": 107, "sizes": 107, "words": 309, "elements": 93,
        "values of elements": 93,
    ]

    @Test(
        "are correct for the documents, as LiteCore left them and after each kind of our writes",
        arguments: ["upgrade_2.8_index", "sample_revtree_503", "sample_vectors_503"])
    func current(name: String) throws {
        let path = try GoldenDatabase.named(name).copy(to: directory)
        let theirs = try IndexOracle(path)
        #expect(theirs.problems == [])
        #expect(theirs.compared == Self.entries[name])
        let file = try GoldenDatabase.open(path)
        defer { file.close() }
        let collections = try file.read { try $0.collectionNames() }
        for (number, step) in Self.steps.enumerated() {
            try file.write { transaction in
                for name in collections { try step(DocumentCollection(name), transaction) }
            }
            #expect(try IndexOracle(path).problems == [], "after step \(number)")
        }
    }

    /// The ids of a collection's documents, every `every`th of them.
    private static func ids(
        _ collection: DocumentCollection, every: Int, _ snapshot: Snapshot
    ) throws -> [String] {
        var ids: [String] = []
        try collection.forEach(in: snapshot) { ids.append(try $0.get().id) }
        return ids.sorted().enumerated().filter { $0.offset % every == 0 }.map(\.element)
    }

    private static let steps: [@Sendable (DocumentCollection, Transaction) throws -> Void] = [
        { collection, transaction in
            for id in try ids(collection, every: 3, transaction) {
                guard var copy = try collection.get(id, in: transaction)?.mutableCopy() else {
                    continue
                }
                copy["likes"] = ["new", .null, 7, ["a": true]]
                copy["contact"] = ["address": ["street": "the Running Houses", "state": 5]]
                copy["salary"] = 1.5
                copy["firstName"] = "New"
                _ = try collection.save(&copy, in: transaction)
            }
        },
        { collection, transaction in
            for number in 0..<30 {
                _ = try collection.save("new \(number)", in: transaction) {
                    try $0.writeJSON(
                        #"{"gender":"female","birthday":"2000-01-\#(number)","likes":["x"]}"#)
                }
            }
        },
        { collection, transaction in
            for id in try ids(collection, every: 4, transaction) {
                _ = try collection.delete(id, in: transaction)
            }
        },
        { collection, transaction in
            for id in try ids(collection, every: 5, transaction) {
                try collection.keyStore.setExpiration(7, of: id, in: transaction)
            }
            try collection.keyStore.purgeExpired(at: 8, in: transaction)
        },
        { collection, transaction in
            for id in try ids(collection, every: 2, transaction) {
                _ = try collection.purge(id, in: transaction)
            }
        },
    ]
}
