import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Indexes with a language's collation")
struct TextOrderTests {
    private static let spec = IndexSpec.value(
        "byName", on: .json(#"[["COLLATE",{"UNICODE":true,"CASE":false},[".name"]]]"#))
    private static let names = ["Ångström", "adler", "Zebra", "Öl", "éclair", "b", "ß", "Ete"]

    private let fixture: StoreFixture
    private let file: DataFile

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        for (number, name) in Self.names.enumerated() {
            try fixture.save("\(number)", #"{"name":"\#(name)"}"#, in: file)
        }
    }

    private func create(_ spec: IndexSpec = Self.spec) throws {
        try file.write { _ = try fixture.people.createIndex(spec, in: $0) }
    }

    private func staleness() throws -> [IndexInfo.Staleness?] {
        try file.read { try $0.indexes() }.map(\.staleness)
    }

    private func orders() throws -> [String: String] {
        try file.read { try $0.collationVersions().versions }
    }

    private func setVersions(_ versions: [String: String]?) throws {
        let context = try fixture.sqlite()
        try context.exec(sql: "DELETE FROM kv_info WHERE key='textOrders'")
        guard let versions else { return }
        let json = versions.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        var encoder = FleeceEncoder()
        try encoder.writeJSON("{\(json)}")
        try context.exec(
            sql: "INSERT INTO kv_info (key, body) VALUES ('textOrders', ?)",
            parameters: [.blob(try encoder.finish())])
    }

    @Test("One that was created here is recorded with the collation's version, and no others are")
    func creation() throws {
        try create(.value("byOther", on: "name"))
        #expect(try orders() == [:])
        try create()
        #expect(try orders() == ["byName": Collations.currentVersion])
        #expect(!Collations.currentVersion.isEmpty)
        #expect(try staleness() == [nil, nil])
    }

    @Test("One without a record, or of another version, may be incorrect; rebuilding fixes that")
    func unknownVersions() throws {
        try create()
        try create(.value("byOther", on: "name"))
        let other: [[String: String]?] = [
            nil, ["byName": "0.0"], ["byNames": Collations.currentVersion],
            ["byName": "0.0", "byGone": "0.0"],
        ]
        for versions in other {
            try setVersions(versions)
            #expect(try staleness() == [.collationChanged, nil])
            try file.write { try fixture.people.rebuildIndex("byName", in: $0) }
            #expect(try staleness() == [nil, nil])
            #expect(try orders()["byName"] == Collations.currentVersion)
        }
        // A record that is not a dictionary is ignored.
        try fixture.sqlite().exec(sql: "UPDATE kv_info SET body=x'00' WHERE key='textOrders'")
        #expect(try staleness() == [.collationChanged, nil])
    }

    @Test("Reindexing records all of them")
    func reindex() throws {
        try create()
        try create(.value("byUpper", on: .json(#"[["COLLATE",{"UNICODE":true},[".name"]]]"#)))
        try create(.value("byOther", on: "name"))
        try setVersions(nil)
        #expect(try staleness() == [.collationChanged, nil, .collationChanged])
        try file.reindex()
        #expect(try staleness() == [nil, nil, nil])
        #expect(
            try orders() == [
                "byName": Collations.currentVersion, "byUpper": Collations.currentVersion,
            ])
    }

    @Test("So does asynchronous reindexing")
    func reindexByTask() async throws {
        try await file.write { _ = try fixture.people.createIndex(Self.spec, in: $0) }
        try setVersions(["byName": "0.0", "byUpper": Collations.currentVersion])
        #expect(try staleness() == [.collationChanged])
        try await file.reindex()
        #expect(try staleness() == [nil])
    }

    @Test("One whose condition uses such a collation may be incorrect, too, until it is rebuilt")
    func chosenDocuments() throws {
        let words = IndexSpec.fullText(
            "words", on: .json(#"[[".name"]]"#),
            where: #"["COLLATE",{"UNICODE":true},[">",[".name"],"m"]]"#)
        try create(words)
        try create()
        #expect(try staleness() == [nil, nil])
        try setVersions(nil)
        #expect(try staleness() == [.collationChanged, .collationChanged])
        try file.reindex()
        #expect(try staleness() == [nil, .collationChanged])
        try file.write { try fixture.people.rebuildIndex("words", in: $0) }
        #expect(try staleness() == [nil, nil])
    }

    @Test("A failed reindexing records none")
    func failedReindex() throws {
        try create()
        try setVersions(nil)
        let context = try fixture.sqlite()
        try context.registerFunction("foreign_function", argumentCount: 1) { _ in .long(1) }
        try context.exec(sql: "CREATE INDEX odd ON kv_default (foreign_function(key))")
        storeError(.unsupported) { try file.reindex() }
        #expect(try staleness() == [.collationChanged])
        #expect(try orders() == [:])
    }

    @Test("Deleting an index or a collection removes the record")
    func deletion() throws {
        try create()
        let pets = DocumentCollection(try CollectionName("pets"))
        try file.write { transaction in
            try pets.create(in: transaction)
            for name in ["byPet", "byPet2"] {
                let spec = IndexSpec(name, .value, on: Self.spec.expressions)
                _ = try pets.createIndex(spec, in: transaction)
            }
        }
        #expect(try orders().keys.sorted() == ["byName", "byPet", "byPet2"])
        try file.write { _ = try pets.deleteIndex("byPet", in: $0) }
        #expect(try orders().keys.sorted() == ["byName", "byPet2"])
        try file.write { _ = try pets.delete(in: $0) }
        #expect(try orders().keys.sorted() == ["byName"])
        try file.write { _ = try fixture.people.deleteIndex("byName", in: $0) }
        #expect(
            try fixture.sqlite().lines("SELECT count(*) FROM kv_info WHERE key='textOrders'")
                == ["0"])
    }

    @Test("The record of an index is removed if it is created again with another collation")
    func replacing() throws {
        try create()
        try create(.value("byName", on: "name"))
        #expect(try orders() == [:])
        #expect(try staleness() == [nil])
    }

    @Test("An index with another platform's collation fails the check, and is fixed")
    func wrongOrder() throws {
        try create()
        let sql = try #require(
            try fixture.sqlite().lines("SELECT sql FROM sqlite_master WHERE name='byName'").first)
        let collation = try #require(
            sql.firstRange(of: "LCUnicode_").map { start in
                String(sql[start.lowerBound...].prefix { $0.isLetter || $0 == "_" })
            })
        let rebuild: [() throws -> Void] = [
            { try file.write { try fixture.people.rebuildIndex("byName", in: $0) } },
            { try file.reindex() },
        ]
        for mend in rebuild {
            // The platform of another program, on which Z sorts before A.
            let context = try fixture.sqlite()
            let functions = try FunctionContext.forMaintenance(of: context, path: fixture.path)
            try context.registerCollation(collation) { first, second in
                first == second ? 0 : first < second ? 1 : -1
            }
            try context.exec(sql: "REINDEX byName")
            withExtendedLifetime(functions) {}
            try context.close()
            let report = try file.integrityCheck()
            #expect(report.findings.contains { $0.index == "byName" }, "\(report.findings)")
            try mend()
            #expect(try file.integrityCheck().isIntact)
            #expect(try staleness() == [nil])
        }
    }
}
