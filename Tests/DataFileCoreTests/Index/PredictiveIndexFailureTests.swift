import DataFileCore
import EngineTestSupport
import FleeceLite
import Logging
import StoreFormat
import StoreTestSupport
import Testing

@Suite("When the model of a predictive index fails")
struct PredictiveIndexFailureTests {
    let fixture: PredictiveFixture
    let file: DataFile

    init() throws {
        fixture = try PredictiveFixture()
        file = try fixture.open()
    }

    private func expectRefused(_ model: String, _ reason: String, _ body: () throws -> Void) {
        let message = storeError(nil, body)?.message ?? ""
        #expect(message.contains("prediction by the model \(model): \(reason)"), "\(message)")
    }

    private func rows() throws -> [String] {
        try fixture.engine.rows(
            "SELECT 'live', key, sequence, flags, hex(body) FROM kv_default UNION ALL "
                + "SELECT 'dead', key, sequence, flags, hex(body) FROM kv_del_default ORDER BY 1, 2"
        )
    }

    @Test("an index cannot be created, and nothing of it remains")
    func creation() throws {
        try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.save("b", #"{"n":-1}"#, in: file)
        try file.write { transaction in
            expectRefused("absent", "no model has this name") {
                try fixture.people.createIndex(.ofNumber("i", "absent", "odd"), in: transaction)
            }
            let model = RegisteredModel.squares("failure/creation")
            defer { withExtendedLifetime(model) {} }
            expectRefused(model.name, "-1 is too small") {
                try fixture.people.createIndex(.ofNumber("i", model.name, "odd"), in: transaction)
            }
            // A caller that ignores the error has a transaction that can continue.
            try fixture.save("c", #"{"n":2}"#, in: transaction)
        }
        #expect(try fixture.things() == [])
        #expect(try file.read { try $0.indexes() }.isEmpty)
        #expect(try file.read { try fixture.people.count(in: $0) } == (3, 0))
    }

    @Test("an existing index with the same name remains")
    func replacing() throws {
        let model = RegisteredModel.squares("failure/replacing")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":-1}"#, in: file)
        try fixture.create(.value("i", on: "n"), in: file)
        try file.write { transaction in
            expectRefused(model.name, "-1 is too small") {
                try fixture.people.createIndex(.ofNumber("i", model.name), in: transaction)
            }
        }
        #expect(try file.read { try $0.indexes() }.map(\.kind) == [.value])
        #expect(
            try fixture.engine.rows("SELECT name FROM sqlite_master WHERE name = 'i'") == ["i"])
    }

    @Test("a write fails as a whole, in a transaction of its own and in one that continues")
    func writes() throws {
        let model = RegisteredModel.squares("failure/writes")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.save("dead", #"{"n":1}"#, in: file)
        try file.write { _ = try fixture.people.delete("dead", in: $0) }
        try fixture.create(.ofNumber("i", model.name, "square"), in: file)
        let before = try rows()
        for id in ["a", "dead", "new"] {
            expectRefused(model.name, "-3 is too small") {
                try fixture.save(id, #"{"n":-3,"newKey":"\#(id)"}"#, in: file)
            }
            #expect(try rows() == before)
            try file.write { transaction in
                expectRefused(model.name, "-3 is too small") {
                    try fixture.save(id, #"{"n":-3,"newKey":"\#(id)"}"#, in: transaction)
                }
            }
            #expect(try rows() == before)
        }
        #expect(try fixture.answers("i") == [#"a={"odd":true,"square":1}"#])
        try file.write { transaction in
            #expect(throws: StoreError.self) {
                try fixture.save("b", #"{"n":-1}"#, in: transaction)
            }
            try fixture.save("c", #"{"n":2}"#, in: transaction)
            #expect(try transaction.predictionFailures() == [])
        }
        #expect(try fixture.answers("i").map { $0.prefix(2) } == ["a=", "c="])
        #expect(try file.read { try fixture.people.get("b", in: $0) } == nil)
        try fixture.expectWhole(file)
        #expect(fixture.log.all(.warning) == [])
    }

    @Test("without the model, documents can be read, deleted and purged, but not changed")
    func unregistered() throws {
        do {
            let model = RegisteredModel.squares("failure/gone")
            defer { withExtendedLifetime(model) {} }
            for id in ["a", "b", "c"] { try fixture.save(id, #"{"n":2}"#, in: file) }
            try fixture.create(.ofNumber("i", model.name, "square"), in: file)
        }
        expectRefused("failure/gone", "no model has this name") {
            try fixture.save("a", #"{"n":2}"#, in: file)
        }
        try file.write { transaction in
            _ = try fixture.people.delete("a", in: transaction)
            _ = try fixture.people.purge("b", in: transaction)
        }
        #expect(try fixture.answers("i") == [#"c={"odd":false,"square":4}"#])
        #expect(try file.read { try fixture.people.count(in: $0) } == (1, 1))
        try fixture.expectWhole(file)
        #expect(try file.write { try fixture.people.deleteIndex("i", in: $0) })
        try fixture.save("a", #"{"n":2}"#, in: file)
        #expect(try fixture.things() == [])
    }

    @Test("a rebuild fails as a whole, and the index is unchanged")
    func rebuilding() throws {
        do {
            let model = RegisteredModel.squares("failure/rebuilt")
            defer { withExtendedLifetime(model) {} }
            try fixture.save("a", #"{"n":2}"#, in: file)
            try fixture.create(.ofNumber("i", model.name, "square"), in: file)
        }
        try file.write { transaction in
            expectRefused("failure/rebuilt", "no model has this name") {
                try fixture.people.rebuildIndex("i", in: transaction)
            }
        }
        #expect(try fixture.answers("i") == [#"a={"odd":false,"square":4}"#])
        let model = RegisteredModel("failure/rebuilt") { _ in ["square": "new"] }
        defer { withExtendedLifetime(model) {} }
        try file.write { try fixture.people.rebuildIndex("i", in: $0) }
        #expect(try fixture.answers("i") == [#"a={"square":"new"}"#])
    }
}
