import DataFileCore
import FleeceLite
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import StoreTools
import Testing

@Suite("The sizes of a collection's documents")
struct SizeProfileTests {
    let store: TemporaryStore
    let people = DocumentCollection(.default)
    var file: DataFile { store.file }

    init() throws {
        store = try TemporaryStore(options: TransferFixture.options())
    }

    private func save(_ documents: [(id: String, json: String)]) throws {
        try file.write { transaction in
            for document in documents {
                _ = try people.save(document.id, in: transaction) {
                    try $0.writeJSON(document.json)
                }
            }
        }
    }

    private func bodySizes() throws -> [Int] {
        try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite).selectAll(
            sql: """
                SELECT length(body) FROM kv_default UNION ALL
                SELECT length(body) FROM kv_del_default
                """
        ).map { Int($0[0].longValue ?? 0) }
    }

    @Test("are counted by powers of two, and the largest are named")
    func histogram() throws {
        let texts = [1, 3, 10, 40, 160, 640, 5000]
        try save(
            texts.map {
                (id: "doc\($0)", json: "{\"t\":\"\(String(repeating: "x", count: $0))\"}")
            })
        try save([(id: "empty", json: "{}"), (id: "gone", json: "{}")])
        _ = try file.write { try people.delete("gone", in: $0) }
        let profile = try file.read { try people.sizeProfile(in: $0, largest: 3) }
        #expect(profile.documents == 8 && profile.tombstones == 1)
        let sizes = try bodySizes()
        #expect(profile.bodyBytes == sizes.reduce(0, +))
        #expect(profile.histogram.reduce(0, +) == 9)
        for (power, count) in profile.histogram.enumerated() {
            let range = power == 0 ? 0..<1 : (1 << (power - 1))..<(1 << power)
            #expect(count == sizes.count { range.contains($0) }, "\(range)")
        }
        #expect(profile.largest.map(\.key) == ["doc5000", "doc640", "doc160"])
        #expect(profile.largest.map(\.bodyBytes) == Array(sizes.sorted(by: >).prefix(3)))
        let none = try file.read { try people.sizeProfile(in: $0, largest: 0) }
        #expect(none.largest.isEmpty)
    }

    @Test("are divided among the properties, and the uses of shared keys are counted")
    func properties() throws {
        let text = String(repeating: "y", count: 100)
        try save(
            (0..<50).map { number in
                let json = """
                    {"id":\(number),"text":"\(text)\(number)",\
                    "inner":{"id":1,"list":[1,2,{"id":2}]},\
                    "a long key, not shared":null}
                    """
                return (id: "doc\(number)", json: json)
            })
        let profile = try file.read { try people.sizeProfile(in: $0) }
        #expect(profile.sampledDocuments == 50)
        #expect(profile.properties.first?.name == "text")
        #expect(
            Set(profile.properties.map(\.name))
                == ["id", "text", "inner", "a long key, not shared"])
        #expect(profile.properties.allSatisfy { $0.count == 50 })
        let keys = try file.read { $0.sharedKeys }
        let uses = Dictionary(uniqueKeysWithValues: zip(keys.keys, profile.keyUses))
        #expect(uses == ["id": 150, "text": 50, "inner": 50, "list": 50])
        #expect(profile.textKeyUses == 50)
        // Approximately the size of the bodies.
        let bytes = profile.properties.reduce(0) { $0 + $1.bytes }
        #expect(abs(bytes - profile.sampledBytes) < profile.sampledBytes / 10)
    }

    @Test("are determined from a sample of the whole collection")
    func sample() throws {
        try save((0..<4000).map { (id: "doc\($0)", json: "{\"n\":\($0 % 7)}") })
        let profile = try file.read { try people.sizeProfile(in: $0, sample: 400) }
        #expect(profile.documents == 4000)
        #expect((200...800).contains(profile.sampledDocuments))
        #expect(profile.properties.map(\.count) == [profile.sampledDocuments])
        let one = try file.read { try people.sizeProfile(in: $0, sample: 0) }
        #expect(one.sampledDocuments <= 10)
    }

    @Test("of damaged bodies are counted, too")
    func damage() throws {
        let bodies = ["x'FF'", "x'7001000080018003'", "x'80'", "x''", "NULL", "x'70FFFFFFFFFF'"]
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        for (number, body) in bodies.enumerated() {
            try context.exec(
                sql: """
                    INSERT INTO kv_default (key, sequence, flags, version, body)
                    VALUES ('d\(number)', \(number + 1), 0, x'0001', \(body))
                    """)
        }
        let profile = try file.read { try people.sizeProfile(in: $0) }
        #expect(profile.documents == 6)
        #expect(profile.histogram.reduce(0, +) == 6)
    }

    @Test(
        "of real databases are those of their rows",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: ["upgrade_2.7", "db_3_0_0_names_100_with_deleted", "sample_vectors_503"])
    func golden(_ name: String) throws {
        let copy = try TemporaryStore(
            copyOf: GoldenFiles.file("litecore/\(name).cblite2"),
            options: TransferFixture.options(.readWrite))
        let (profile, count) = try copy.file.read {
            (try people.sizeProfile(in: $0), try people.count(in: $0))
        }
        #expect(profile.documents == count.live && profile.tombstones == count.deleted)
        #expect(profile.sampledDocuments > 0 && !profile.properties.isEmpty)
    }
}
