import EngineTestSupport
import FleeceLite
import Logging
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import QueryFunctions

@Suite("A predictive index that leaves documents out when its model fails")
struct PredictiveIndexLeavingOutTests {
    let fixture: PredictiveFixture
    let file: DataFile

    init() throws {
        fixture = try PredictiveFixture()
        file = try fixture.open()
    }

    @Test("The document is written but not indexed, and a warning reports it")
    func leavingOut() throws {
        let model = RegisteredModel.squares("lenient/writes")
        defer { withExtendedLifetime(model) {} }
        try fixture.create(.ofNumber("i", model.name, "odd", .leavesOut), in: file)
        try fixture.save("a", #"{"n":1}"#, in: file)
        #expect(fixture.log.all(.warning) == [])
        try file.write { transaction in
            #expect(try transaction.predictionFailures() == [])
            for (id, number) in [("b", -1), ("c", -2), ("d", -1), ("e", 3), ("a", -1)] {
                try fixture.save(id, #"{"n":\#(number)}"#, in: transaction)
            }
            #expect(
                try transaction.predictionFailures() == [
                    PredictionFailure(
                        model: model.name, message: "-1 is too small", count: 3),
                    PredictionFailure(model: model.name, message: "-2 is too small"),
                ])
        }
        #expect(try fixture.answers("i") == [#"e={"odd":true,"square":9}"#])
        #expect(try file.read { try fixture.people.count(in: $0) } == (5, 0))
        #expect(fixture.log.all(.warning).count == 2)
        #expect(
            fixture.log.metadataOfAll.filter { !$0.isEmpty } == [
                ["model": model.name, "documents": "3", "reason": "-1 is too small"],
                ["model": model.name, "documents": "1", "reason": "-2 is too small"],
            ])
        try fixture.save("b", #"{"n":2}"#, in: file)
        #expect(try fixture.answers("i").count == 2)
        #expect(try file.write { try $0.predictionFailures() } == [])
        try fixture.expectWhole(file)
    }

    @Test("It can be created without the model, and is rebuilt when the model is registered")
    func rebuilding() throws {
        for number in 1...3 { try fixture.save("\(number)", #"{"n":\#(number)}"#, in: file) }
        let spec = IndexSpec.ofNumber("i", "lenient/late", "square", .leavesOut)
        try file.write { transaction in
            try fixture.people.createIndex(spec, in: transaction)
            let failures = try transaction.predictionFailures()
            #expect(failures.map(\.count) == [3])
            #expect(failures.first?.message.hasPrefix("no model has this name") == true)
        }
        try fixture.save("4", #"{"n":4}"#, in: file)
        #expect(try fixture.answers("i") == [])
        let model = RegisteredModel.squares("lenient/late")
        defer { withExtendedLifetime(model) {} }
        #expect(try !fixture.create(spec, in: file))
        try file.write { transaction in
            try fixture.people.rebuildIndex("i", in: transaction)
            #expect(try transaction.predictionFailures() == [])
        }
        #expect(try fixture.answers("i").map { $0.prefix(2) } == ["1=", "2=", "3=", "4="])
        try fixture.expectWhole(file)
    }

    @Test("What is rolled back is not reported")
    func undone() throws {
        let model = RegisteredModel.squares("lenient/undone")
        defer { withExtendedLifetime(model) {} }
        try fixture.create(.ofNumber("i", model.name, "odd", .leavesOut), in: file)
        try file.write { transaction in
            try fixture.save("a", #"{"n":-1}"#, in: transaction)
            #expect(throws: Mishap.self) {
                try transaction.savepoint {
                    try fixture.save("b", #"{"n":-1}"#, in: transaction)
                    try fixture.save("c", #"{"n":-2}"#, in: transaction)
                    #expect(try transaction.predictionFailures().map(\.count) == [2, 1])
                    throw Mishap()
                }
            }
            #expect(try transaction.predictionFailures().map(\.count) == [1])
        }
        #expect(fixture.log.all(.warning).count == 1)
        #expect(throws: Mishap.self) {
            try file.write { transaction in
                try fixture.save("d", #"{"n":-1}"#, in: transaction)
                throw Mishap()
            }
        }
        #expect(try file.write { try $0.predictionFailures() } == [])
        #expect(fixture.log.all(.warning).count == 1)
    }

    @Test("The option is stored in the file: it applies after reopening, and in other processes")
    func otherHandles() throws {
        let index = IndexSpec.ofNumber("i", "lenient/absent", "odd", .leavesOut)
        try fixture.create(index, in: file)
        #expect(try fixture.lenientModels(file) == ["lenient/absent"])
        file.close()
        let second = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: second)
        let third = try fixture.open()
        try fixture.save("b", #"{"n":1}"#, in: third)
        // Another process changes the list while the file is open here.
        let other = try fixture.engine.sqlite()
        let record = try other.selectValue(
            sql: "SELECT body FROM kv_info WHERE key='lenientModels'")
        try other.exec(sql: "DELETE FROM kv_info WHERE key='lenientModels'")
        storeError { try fixture.save("c", #"{"n":1}"#, in: second) }
        try other.exec(
            sql: "INSERT INTO kv_info (key, body) VALUES ('lenientModels', ?)",
            parameters: [record ?? .null])
        try fixture.save("c", #"{"n":1}"#, in: second)
        #expect(fixture.log.all(.warning).count == 3)
        #expect(try second.read { try fixture.people.count(in: $0) } == (3, 0))
    }

    @Test(
        "A list that is damaged lets no model fail",
        arguments: ["00", "", "8000", "5ABC", "706100"]
    )
    func damagedList(_ hexadecimal: String) throws {
        try fixture.create(.ofNumber("i", "lenient/damaged", "odd", .leavesOut), in: file)
        try fixture.engine.sqlite().exec(
            sql: "UPDATE kv_info SET body=x'\(hexadecimal)' WHERE key='lenientModels'")
        storeError { try fixture.save("a", #"{"n":1}"#, in: file) }
        #expect(try fixture.create(.ofNumber("i", "lenient/damaged", "odd", .leavesOut), in: file))
        try fixture.save("a", #"{"n":1}"#, in: file)
    }

    @Test(
        "Indexes of one model cannot have different options, and a failed attempt changes nothing")
    func conflicts() throws {
        let model = RegisteredModel.squares("lenient/conflict")
        defer { withExtendedLifetime(model) {} }
        try fixture.create(.ofNumber("strict", model.name, "odd"), in: file)
        try fixture.create(.ofNumber("other", model.name, "square"), in: file)
        try fixture.save("a", #"{"n":1}"#, in: file)
        let before = try fixture.things()
        for name in ["other", "new"] {
            try file.write { transaction in
                let error = storeError(.invalidParameter) {
                    try fixture.people.createIndex(
                        .ofNumber(name, model.name, "square", .leavesOut), in: transaction)
                }
                #expect(error?.message.contains("uses the model \(model.name)") == true)
            }
            #expect(try fixture.things() == before)
        }
        #expect(try file.read { try $0.indexes() }.map(\.name) == ["other", "strict"])
        storeError { try fixture.save("b", #"{"n":-1}"#, in: file) }
        #expect(try fixture.answers("other").count == 1)
    }

    @Test("Creating the index again changes the option, and rebuilds the index")
    func changing() throws {
        let model = RegisteredModel.squares("lenient/changing")
        defer { withExtendedLifetime(model) {} }
        try fixture.create(.ofNumber("i", model.name, "odd"), in: file)
        storeError { try fixture.save("a", #"{"n":-1}"#, in: file) }
        #expect(try fixture.create(.ofNumber("i", model.name, "odd", .leavesOut), in: file))
        #expect(try !fixture.create(.ofNumber("i", model.name, "odd", .leavesOut), in: file))
        try fixture.save("a", #"{"n":-1}"#, in: file)
        // Now the index lacks one document, and can become a strict one only when that is deleted.
        storeError { try fixture.create(.ofNumber("i", model.name, "odd"), in: file) }
        #expect(try fixture.lenientModels(file) == [model.name])
        try file.write { _ = try fixture.people.purge("a", in: $0) }
        #expect(try fixture.create(.ofNumber("i", model.name, "odd"), in: file))
        #expect(try fixture.lenientModels(file) == [])
        storeError { try fixture.save("a", #"{"n":-1}"#, in: file) }
    }

    @Test("Deleting the last index of the model removes the option")
    func deleting() throws {
        let model = RegisteredModel.squares("lenient/deleting")
        defer { withExtendedLifetime(model) {} }
        try fixture.create(.ofNumber("i", model.name, "odd", .leavesOut), in: file)
        try fixture.create(.ofNumber("j", model.name, nil, .leavesOut), in: file)
        try fixture.create(.ofNumber("k", "lenient/another", nil, .leavesOut), in: file)
        #expect(try fixture.lenientModels(file) == [model.name, "lenient/another"])
        try file.write { transaction in
            try fixture.people.deleteIndex("i", in: transaction)
            #expect(try transaction.lenientModels() == [model.name, "lenient/another"])
            try fixture.people.deleteIndex("j", in: transaction)
            #expect(try transaction.lenientModels() == ["lenient/another"])
            try fixture.people.createIndex(.ofNumber("i", model.name), in: transaction)
            storeError { try fixture.save("a", #"{"n":-1}"#, in: transaction) }
            try fixture.people.deleteIndex("k", in: transaction)
        }
        #expect(
            try fixture.engine.rows("SELECT key FROM kv_info WHERE key='lenientModels'") == [])
    }

    private func createAndFail(_ spec: IndexSpec, in transaction: Transaction) throws {
        try transaction.savepoint {
            _ = try fixture.people.createIndex(spec, in: transaction)
            throw Mishap()
        }
    }

    @Test("Rolling back an index leaves the model's option unchanged, also in the same transaction")
    func undoneCreation() throws {
        let model = RegisteredModel.squares("lenient/undoneCreation")
        defer { withExtendedLifetime(model) {} }
        let lenient = IndexSpec.ofNumber("i", model.name, "odd", .leavesOut)
        try file.write { transaction in
            do {
                try createAndFail(lenient, in: transaction)
            } catch is Mishap {}
            _ = try fixture.people.createIndex(.ofNumber("i", model.name, "odd"), in: transaction)
            let error = Result { try fixture.save("a", #"{"n":-1}"#, in: transaction) }
            #expect(throws: StoreError.self) { try error.get() }
        }
        storeError { try fixture.save("a", #"{"n":-1}"#, in: file) }
    }

    @Test("A query fails nevertheless, on any connection")
    func queries() throws {
        let failing = RegisteredModel("lenient/queries") { _ in
            throw ModelFailure(description: "no")
        }
        defer { withExtendedLifetime(failing) {} }
        for file in [file, try DataFile(inMemory: DataFileOptions(access: .create))] {
            try fixture.create(.ofNumber("i", failing.name, "odd", .leavesOut), in: file)
            try fixture.save("a", #"{"n":1}"#, in: file)
            let reads: [((Snapshot) throws -> Void) throws -> Void] = [
                { try file.shared.read($0) }, { try file.shared.readOnWriter($0) },
            ]
            for read in reads {
                try read { snapshot in
                    #expect(throws: SQLError.self) {
                        try PredictiveFixture.ask(failing.name, in: snapshot)
                    }
                }
            }
            #expect(try file.write { try $0.predictionFailures() } == [])
        }
    }

    @Test("A value index or a condition that calls the same model is not possible")
    func otherKinds() throws {
        let model = RegisteredModel.squares("lenient/value")
        defer { withExtendedLifetime(model) {} }
        let text = "prediction('\(model.name)', {'n': n}, .square)"
        let value = IndexSpec.value("v", on: .sqlPlusPlus(text))
        let lenient = IndexSpec.ofNumber("i", model.name, "odd", .leavesOut)
        try fixture.create(value, in: file)
        storeError(.invalidParameter) { try fixture.create(lenient, in: file) }
        #expect(try file.write { try fixture.people.deleteIndex("v", in: $0) })
        try fixture.create(lenient, in: file)
        storeError(.invalidParameter) { try fixture.create(value, in: file) }
        storeError(.invalidParameter) {
            try fixture.create(
                .ofNumber("j", "lenient/another", nil, .leavesOut, where: "\(text) = 4"), in: file)
        }
        #expect(try file.read { try $0.indexes() }.map(\.name) == ["i"])
    }
}
