import EngineTestSupport
import FleeceLite
import SQLCore
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// One after the other, since they use one name.
@Suite("A model that fails", .serialized)
struct PredictionFailureTests {
    let fixture: PredictionFixture

    init() throws {
        fixture = try PredictionFixture()
        // A predictive index as LiteCore makes it, and a schema that is not trusted.
        try fixture.context.exec(
            sql: """
                PRAGMA trusted_schema = OFF;
                CREATE TABLE kv_default (key TEXT PRIMARY KEY, body BLOB);
                CREATE TABLE answers (docid INTEGER PRIMARY KEY,
                    body BLOB NOT NULL ON CONFLICT IGNORE) WITHOUT ROWID;
                CREATE TRIGGER "answers::ins" AFTER INSERT ON kv_default BEGIN
                    INSERT INTO answers (docid, body)
                        VALUES (new.rowid, prediction('failing', new.body)); END;
                """)
    }

    private var model: RegisteredModel {
        RegisteredModel("failing") { input in
            if let message = input["fail"]?.string { throw ModelFailure(description: message) }
            return input["answer"].map { .value($0) }
        }
    }

    private func insert(_ bodies: [String]) throws {
        for body in bodies {
            try fixture.context.exec(
                sql: "INSERT INTO kv_default VALUES (hex(randomblob(8)), fleece(?))",
                parameters: [.text(body)])
        }
    }

    private func count(_ table: String) throws -> SQLValue? {
        try fixture.context.selectValue(sql: "SELECT count(*) FROM \(table)")
    }

    @Test("A write fails as a whole if its prediction fails, by default")
    func refusing() throws {
        let model = model
        defer { withExtendedLifetime(model) {} }
        try insert([#"{"answer":1}"#, #"{"other":1}"#])
        let error = #expect(throws: SQLError.self) { try insert([#"{"fail":"no sound"}"#]) }
        #expect(error?.message == "prediction by the model failing: no sound")
        #expect(try count("kv_default") == .long(2))
        #expect(try count("answers") == .long(1))
        #expect(fixture.failures.take().isEmpty)
    }

    @Test("With a lenient policy the document is written, omitted from the index, and reported")
    func leavingOut() throws {
        let model = model
        defer { withExtendedLifetime(model) {} }
        fixture.failures.set(.leaveOut, for: "failing")
        try insert([
            #"{"answer":1}"#, #"{"fail":"no sound"}"#, #"{"fail":"no light"}"#,
            #"{"fail":"no sound"}"#, #"[1]"#,
        ])
        #expect(try count("kv_default") == .long(5))
        #expect(try count("answers") == .long(1))
        let failures = fixture.failures.take()
        #expect(failures.map(\.model) == ["failing", "failing", "failing"])
        #expect(failures.map(\.count) == [2, 1, 1])
        #expect(failures.prefix(2).map(\.message) == ["no sound", "no light"])
        #expect(failures.last?.message.hasPrefix("the input is not a dictionary") == true)
        #expect(fixture.failures.take().isEmpty)
        fixture.failures.set(.refuse, for: "failing")
        #expect(throws: SQLError.self) { try insert([#"{"fail":"no sound"}"#]) }
    }

    @Test("An unregistered model is a failure like any other")
    func unregistered() throws {
        #expect(throws: SQLError.self) { try insert([#"{"answer":1}"#]) }
        #expect(try count("kv_default") == .long(0))
        fixture.failures.set(.leaveOut, for: "failing")
        try insert([#"{"answer":1}"#])
        #expect(try count("kv_default") == .long(1))
        #expect(fixture.failures.take().first?.message.hasPrefix("no model has this name") == true)
    }

    @Test("A policy applies to one model")
    func otherModel() throws {
        let model = model
        defer { withExtendedLifetime(model) {} }
        fixture.failures.set(.leaveOut, for: "another")
        #expect(throws: SQLError.self) { try insert([#"{"fail":"no sound"}"#]) }
    }

    @Test("An error of the statement is reported with any policy")
    func statement() throws {
        let model = model
        fixture.failures.set(.leaveOut, for: "failing")
        let message = fixture.failure("prediction('\(model.name)', fleece('{}'), '.a[')")
        #expect(message?.contains("is not a property path") == true)
    }

    @Test("Failures with many messages take little memory, and all are counted")
    func bounds() {
        let failures = PredictionFailures(maximumKinds: 3)
        let long = String(repeating: "ë", count: 100_000)
        for number in 0..<1000 {
            failures.note("\(number) \(long)", of: number % 2 == 0 ? "even" : "odd")
        }
        failures.note("late", of: "late")
        let found = failures.take()
        #expect(found.map(\.model) == ["even", "odd", "even", "late"])
        #expect(found.map(\.count) == [1, 500, 499, 1])
        #expect(found.allSatisfy { $0.message.utf8.count < 510 })
        #expect(found[0].message.hasPrefix("0 ëë"))
    }
}
