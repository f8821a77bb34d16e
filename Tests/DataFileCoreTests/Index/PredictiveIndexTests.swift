import DataFileCore
import EngineTestSupport
import FleeceLite
import Logging
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A predictive index")
struct PredictiveIndexTests {
    let fixture: PredictiveFixture
    let file: DataFile

    init() throws {
        fixture = try PredictiveFixture()
        file = try fixture.open()
    }

    @Test("Its table is named by the prediction's digest, and has LiteCore's SQL")
    func schema() throws {
        let model = RegisteredModel("8ball") { input in input["number"].map { .value($0) } }
        defer { withExtendedLifetime(model) {} }
        try fixture.create(
            .predictive(
                "byBall", on: .json(#"[["PREDICTION()","8ball",{"number":[".num"]},".x"]]"#)),
            in: file)
        let table = #"kv_default:predict:0\M\W\K\Sbbzr0gn4\V\V\Vu\Ks\N\E9s\Z\E8o="#
        let value = "prediction('8ball', dict_of('number', fl_value(new.body, 'num')))"
        let insert = "INSERT INTO \"\(table)\" (docid, body) VALUES (new.rowid, \(value))"
        let delete = "DELETE FROM \"\(table)\" WHERE docid = old.rowid"
        func trigger(_ suffix: String, _ event: String, _ when: String, _ action: String) -> String
        {
            "CREATE TRIGGER \"\(table)::\(suffix)\" \(event) ON \"kv_default\" WHEN \(when)  "
                + "BEGIN \(action); END"
        }
        #expect(
            try fixture.engine.rows(
                "SELECT sql FROM sqlite_master WHERE tbl_name LIKE '%:predict:%' "
                    + "OR name LIKE '%:predict:%' ORDER BY type, name") == [
                    "CREATE INDEX byBall ON \"\(table)\" (fl_unnested_value(body, '.x'))",
                    "CREATE TABLE \"\(table)\" (docid INTEGER PRIMARY KEY "
                        + "REFERENCES \"kv_default\"(rowid),  "
                        + "body BLOB NOT NULL ON CONFLICT IGNORE) WITHOUT ROWID",
                    trigger("del", "BEFORE DELETE", "(old.flags & 1) = 0", delete),
                    trigger("ins", "AFTER INSERT", "(new.flags & 1) = 0", insert),
                    trigger(
                        "postupdate", "AFTER UPDATE OF body, flags", "(new.flags) & 1 = 0", insert),
                    trigger(
                        "preupdate", "BEFORE UPDATE OF body, flags", "(old.flags & 1) = 0", delete),
                ])
        #expect(
            try fixture.engine.rows("SELECT name, type, keyStore, indexTableName FROM indexes")
                == ["byBall|3|default|\(table)"])
    }

    @Test("Without a property there is no SQLite index, only the table")
    func withoutProperty() throws {
        let model = RegisteredModel.squares("index/plain")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":3}"#, in: file)
        #expect(try fixture.create(.ofNumber("i", model.name), in: file))
        #expect(try fixture.answers("i") == [#"a={"odd":true,"square":9}"#])
        #expect(try fixture.things().filter { $0.hasPrefix("index ") } == [])
        #expect(try !fixture.create(.ofNumber("i", model.name), in: file))
        // With a property it is another index, and back.
        #expect(try fixture.create(.ofNumber("i", model.name, "odd"), in: file))
        #expect(try fixture.things().contains("index i"))
        #expect(try !fixture.create(.ofNumber("i", model.name, "odd"), in: file))
        #expect(try fixture.create(.ofNumber("i", model.name), in: file))
        #expect(try !fixture.things().contains("index i"))
        #expect(try fixture.answers("i") == [#"a={"odd":true,"square":9}"#])
    }

    @Test("It follows the documents; one without a result is left out")
    func following() throws {
        let model = RegisteredModel.squares("index/following")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.save("b", #"{"n":"two"}"#, in: file)
        try fixture.create(.ofNumber("i", model.name, "square"), in: file)
        let a = #"a={"odd":true,"square":1}"#
        #expect(try fixture.answers("i") == [a])
        try fixture.save("b", #"{"n":2}"#, in: file)
        try fixture.save("c", #"{"other":3}"#, in: file)
        #expect(try fixture.answers("i") == [a, #"b={"odd":false,"square":4}"#])
        try fixture.save("b", #"{"n":null}"#, in: file)
        try fixture.save("c", #"{"n":3}"#, in: file)
        #expect(try fixture.answers("i") == [a, #"c={"odd":true,"square":9}"#])
        try file.write { transaction in
            _ = try fixture.people.delete("c", in: transaction)
            _ = try fixture.people.purge("a", in: transaction)
        }
        #expect(try fixture.answers("i") == [])
        try file.write { transaction in
            let saved = try fixture.people.undelete("c", in: transaction) {
                try $0.writeJSON(#"{"n":5}"#)
            }
            #expect(saved != nil)
        }
        #expect(try fixture.answers("i") == [#"c={"odd":true,"square":25}"#])
        try fixture.expectWhole(file)
        #expect(fixture.log.all(.warning) == [])
    }

    @Test("Results of any type are stored, including null and dictionaries with new keys")
    func types() throws {
        let model = RegisteredModel("index/types") { input in input["n"].map { .value($0) } }
        defer { withExtendedLifetime(model) {} }
        try fixture.create(.ofNumber("i", model.name), in: file)
        let values = [
            "1", "1.5", #""text""#, "null", "true", "[]", #"{"deep":{"key":[1,null,"x"]}}"#,
        ]
        for (index, value) in values.enumerated() {
            try fixture.save("\(index)", #"{"n":\#(value)}"#, in: file)
        }
        let kept = try fixture.answers("i")
        #expect(kept.count == values.count)
        #expect(kept[2] == "2=text" && kept[3] == "3=null" && kept[5] == "5=[]")
        #expect(kept[6] == #"6={"deep":{"key":[1,null,"x"]}}"#)
        try fixture.expectWhole(file)
    }

    @Test("Two indexes on one prediction share its table, which is dropped with the last")
    func sharing() throws {
        let model = RegisteredModel.squares("index/sharing")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":7}"#, in: file)
        try fixture.create(.ofNumber("bySquare", model.name, "square"), in: file)
        try fixture.create(.ofNumber("byOdd", model.name, "odd"), in: file)
        try fixture.create(.ofNumber("all", model.name), in: file)
        try fixture.create(.ofNumber("some", model.name, "odd", where: "n > 5"), in: file)
        let tables = try fixture.things().filter { $0.hasPrefix("table ") }
        #expect(tables.count == 2)
        let one = try fixture.engine.rows(
            "SELECT DISTINCT indexTableName FROM indexes WHERE name <> 'some'")
        #expect(one.count == 1)
        try fixture.save("b", #"{"n":2}"#, in: file)
        let answers = [#"a={"odd":true,"square":49}"#, #"b={"odd":false,"square":4}"#]
        for index in ["bySquare", "byOdd"] {
            #expect(try fixture.answers(index) == answers)
            #expect(try file.write { try fixture.people.deleteIndex(index, in: $0) })
        }
        #expect(try fixture.answers("all") == answers)
        #expect(try fixture.answers("some") == [answers[0]])
        for index in ["all", "some"] {
            #expect(try file.write { try fixture.people.deleteIndex(index, in: $0) })
        }
        #expect(try fixture.things() == [])
        try fixture.expectWhole(file)
    }

    @Test("Other indexes on a table remain when it is created again")
    func damagedSharedTable() throws {
        let model = RegisteredModel.squares("index/remade")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":7}"#, in: file)
        try fixture.create(.ofNumber("bySquare", model.name, "square"), in: file)
        let trigger = try #require(
            try fixture.engine.rows("SELECT name FROM sqlite_master WHERE name LIKE '%::ins'").first
        )
        try fixture.engine.sqlite().exec(sql: "DROP TRIGGER \(trigger.sqlName)")
        try fixture.save("lost", #"{"n":2}"#, in: file)
        try fixture.create(.ofNumber("byOdd", model.name, "odd"), in: file)
        #expect(try fixture.things().contains("index bySquare"))
        #expect(try fixture.answers("bySquare").count == 2)
        try fixture.expectWhole(file)
    }

    @Test("Only documents for which the condition is true are in it")
    func partial() throws {
        let model = RegisteredModel.squares("index/partial")
        defer { withExtendedLifetime(model) {} }
        try fixture.save("a", #"{"n":1,"kind":"x"}"#, in: file)
        // The model fails for this document, and is not called.
        try fixture.save("b", #"{"n":-1,"kind":"y"}"#, in: file)
        try fixture.create(.ofNumber("i", model.name, "odd", where: "kind = 'x'"), in: file)
        #expect(try fixture.answers("i") == [#"a={"odd":true,"square":1}"#])
        try fixture.save("a", #"{"n":-1,"kind":"y"}"#, in: file)
        try fixture.save("b", #"{"n":2,"kind":"x"}"#, in: file)
        try fixture.save("c", #"{"n":2}"#, in: file)
        #expect(try fixture.answers("i") == [#"b={"odd":false,"square":4}"#])
        try file.write { _ = try fixture.people.delete("b", in: $0) }
        #expect(try fixture.answers("i") == [])
    }

    @Test("Its creation reports progress, and can be cancelled, which leaves nothing")
    func progress() throws {
        let model = RegisteredModel.squares("index/progress")
        defer { withExtendedLifetime(model) {} }
        try file.write { transaction in
            for number in 1...200 {
                try fixture.save("\(number)", #"{"n":\#(number)}"#, in: transaction)
            }
        }
        // Far apart, so that a separate statement reads each.
        try fixture.engine.sqlite().exec(
            sql: "UPDATE kv_default SET rowid = rowid * 20000 WHERE rowid > 0")
        for last in [0.0, 0.2, 0.4] {
            try file.write { transaction in
                #expect(throws: CancellationError.self) {
                    try fixture.people.createIndex(
                        .ofNumber("i", model.name, "odd"), in: transaction
                    ) { $0.fraction < last }
                }
                // The transaction continues without it.
                try fixture.save("after", #"{"n":-1}"#, in: transaction)
            }
            #expect(try fixture.things() == [])
            #expect(try file.read { try $0.indexes() }.isEmpty)
            try file.write { _ = try fixture.people.purge("after", in: $0) }
        }
        var told: [Double] = []
        _ = try file.write { transaction in
            try fixture.people.createIndex(
                .ofNumber("i", model.name, "odd"), in: transaction
            ) { progress in
                told.append(progress.fraction)
                return true
            }
        }
        #expect(told.count > 100 && told.last == 1)
        #expect(told == told.sorted())
        #expect(try fixture.answers("i").count == 200)
    }

    @Test(
        "What is not a prediction by a named model is refused",
        arguments: [
            "n", "prediction('m', {'n': n}), n", "prediction(a.b, {'n': n})",
            "lower(prediction('m', {'n': n}))", "prediction('m', {'n': META().sequence})", "",
        ])
    func badExpressions(_ text: String) throws {
        storeError(.invalidQuery) {
            _ = try fixture.create(.predictive("i", on: .sqlPlusPlus(text)), in: file)
        }
        storeError(.invalidQuery) {
            _ = try fixture.create(
                .ofNumber("i", "m", where: "META().expiration > 1"), in: file)
        }
        #expect(try fixture.things() == [])
    }
}
