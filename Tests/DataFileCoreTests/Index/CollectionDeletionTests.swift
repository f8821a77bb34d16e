import EngineTestSupport
import FleeceLite
import QueryFunctions
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Deleting a collection that has indexes")
struct CollectionDeletionTests {
    private let fixture: PredictiveFixture
    private let file: DataFile

    init() throws {
        fixture = try PredictiveFixture()
        file = try fixture.open()
    }

    private func createAll(on name: String, _ model: String) throws {
        let collection = DocumentCollection(try CollectionName(name))
        let unicode = #"[["COLLATE",{"UNICODE":true},[".name"]]]"#
        try file.write { transaction in
            try collection.create(in: transaction)
            for number in 1...5 {
                _ = try collection.save("\(number)", in: transaction) {
                    try $0.writeJSON(
                        """
                        {"n":\(number),"name":"name \(number)","tags":["x","y"],
                         "contacts":[{"phones":["1","2"]},{"phones":[]}]}
                        """)
                }
            }
            let specs: [IndexSpec] = [
                .value("value", on: "name"), .value("order", on: .json(unicode)),
                .value("someValues", on: "name", where: "n > 2"),
                .fullText("words", on: "name"),
                .fullText("someWords", on: "name", where: "n > 2"),
                .array("tags", path: "tags"), .array("someTags", path: "tags", where: "n > 2"),
                .array("phones", path: "contacts[].phones"),
                .array("somePhones", path: "contacts[].phones", where: "n > 2"),
                .ofNumber("odd", model, "odd", .leavesOut),
                .ofNumber("square", model, nil, .leavesOut),
                .ofNumber("someSquares", model, "square", .leavesOut, where: "n > 2"),
            ]
            for spec in specs {
                try collection.createIndex(
                    IndexSpec(
                        "\(name)_\(spec.name)", spec.kind, on: spec.expressions,
                        where: spec.condition), in: transaction)
            }
        }
    }

    /// Everything in the file except `sqlite_stat1` and the statements of the engine.
    private func schema() throws -> [String] {
        try fixture.engine.rows(
            "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' "
                + "ORDER BY 1, 2")
    }

    private func registry() throws -> [String] {
        try fixture.engine.rows("SELECT keyStore, name FROM indexes ORDER BY 1, 2")
    }

    @Test("deletes the objects of indexes of every kind, and nothing of other collections")
    func deleting() throws {
        let model = RegisteredModel.squares("deletion/kept")
        let other = RegisteredModel.squares("deletion/gone")
        defer { withExtendedLifetime((model, other)) {} }
        try createAll(on: "kept", model.name)
        let before = (schema: try schema(), registry: try registry())
        #expect(before.registry.count == 12)
        try createAll(on: "gone", other.name)
        #expect(try schema().count > before.schema.count + 40)
        #expect(try fixture.lenientModels(file) == [model.name, other.name])
        let gone = DocumentCollection(try CollectionName("gone"))
        #expect(try file.write { try gone.delete(in: $0) })
        #expect(try schema() == before.schema)
        #expect(try registry() == before.registry)
        #expect(try fixture.lenientModels(file) == [model.name])
        #expect(
            try file.read { try $0.collationVersions().versions.keys.sorted() } == ["kept_order"])
        #expect(try file.integrityCheck().isIntact)
        #expect(
            try fixture.engine.rows(
                "SELECT DISTINCT tbl FROM sqlite_stat1 WHERE tbl LIKE '%gone%'") == [])
        // It can be created again, as a new collection.
        try createAll(on: "gone", other.name)
        #expect(try file.integrityCheck().isIntact)
    }

    @Test("changes nothing if it is rolled back")
    func undone() throws {
        let model = RegisteredModel.squares("deletion/undone")
        defer { withExtendedLifetime(model) {} }
        try createAll(on: "gone", model.name)
        let before = try schema()
        let gone = DocumentCollection(try CollectionName("gone"))
        try file.write { transaction in
            #expect(throws: Mishap.self) {
                try transaction.savepoint {
                    _ = try gone.delete(in: transaction)
                    throw Mishap()
                }
            }
            #expect(try transaction.lenientModels() == [model.name])
            _ = try gone.save("bad", in: transaction) { try $0.writeJSON(#"{"n":-1}"#) }
            #expect(try transaction.predictionFailures().map(\.count).reduce(0, +) == 1)
        }
        #expect(try schema() == before)
        #expect(try file.integrityCheck().isIntact)
    }
}
