import DataFileCore
import EngineTestSupport
import FleeceLite
import Testing

@Suite("Typed documents with properties that their type lacks")
struct UnknownPropertyTests {
    struct Person: Codable, Sendable, Equatable {
        struct Phone: Codable, Sendable, Equatable {
            var number: String
        }

        var name: String
        var nick: String?
        var phones: [Phone]?
        var scores: [String: Int]?
    }

    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default).of(Person.self)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private func change(
        _ json: String, _ change: (inout TypedDocument<Person>) -> Void
    ) throws -> String? {
        try fixture.save("ada", json, in: file)
        var ada = try #require(try file.read { try people.get("ada", in: $0) })
        change(&ada)
        #expect(try file.write { try people.save(&ada, in: $0) }.saved != nil)
        return try fixture.json("ada", in: file)
    }

    @Test("unknown null values, arrays and dictionaries are retained")
    func unknown() throws {
        #expect(
            try change(#"{"name":"A","x":null,"y":[{"a":null}],"z":{"a":{"b":[1.5,2]}}}"#) {
                $0.name = "B"
            } == #"{"_id":"ada","name":"B","x":null,"y":[{"a":null}],"z":{"a":{"b":[1.5,2]}}}"#)
    }

    @Test("unknown properties of an array element are retained while the element is")
    func arrays() throws {
        let phones = #"[{"kind":"home","number":"1"},{"kind":"work","number":"2"}]"#
        let ada = "{\"name\":\"A\",\"phones\":\(phones)}"
        #expect(
            try change(ada) { $0.name = "B" }
                == "{\"_id\":\"ada\",\"name\":\"B\",\"phones\":\(phones)}")
        #expect(
            try change(ada) { $0.phones?.append(.init(number: "3")) }
                == "{\"_id\":\"ada\",\"name\":\"A\",\"phones\":"
                + #"[{"kind":"home","number":"1"},{"kind":"work","number":"2"},{"number":"3"}]}"#)
        #expect(
            try change(ada) { $0.phones?[0].number = "9" }
                == "{\"_id\":\"ada\",\"name\":\"A\",\"phones\":"
                + #"[{"number":"9"},{"kind":"work","number":"2"}]}"#)
        #expect(
            try change(ada) { $0.phones?.swapAt(0, 1) }
                == "{\"_id\":\"ada\",\"name\":\"A\",\"phones\":"
                + #"[{"number":"2"},{"number":"1"}]}"#)
        #expect(try change(ada) { $0.phones = nil } == #"{"_id":"ada","name":"A"}"#)
    }

    @Test("keys of a dictionary property of the type can be removed and added")
    func dynamicKeys() throws {
        #expect(
            try change(#"{"name":"A","scores":{"a":1,"b":2},"x":1}"#) {
                $0.scores?["a"] = nil
                $0.scores?["c"] = 3
            } == #"{"_id":"ada","name":"A","scores":{"b":2,"c":3},"x":1}"#)
    }

    @Test("a known property that is null becomes a value, and is removed again")
    func null() throws {
        #expect(
            try change(#"{"name":"A","nick":null}"#) { $0.nick = "N" }
                == #"{"_id":"ada","name":"A","nick":"N"}"#)
        #expect(
            try change(#"{"name":"A","nick":"N"}"#) { $0.nick = nil }
                == #"{"_id":"ada","name":"A"}"#)
    }

    @Test("the last write also wins over a document that cannot be decoded")
    func overOther() throws {
        try fixture.save("ada", #"{"name":"A"}"#, in: file)
        var ada = try #require(try file.read { try people.get("ada", in: $0) })
        try fixture.save("ada", #"{"name":1815}"#, in: file)
        ada.name = "B"
        let result = try file.write {
            try people.save(&ada, onConflict: .lastWriteWins, in: $0)
        }
        #expect(result.saved != nil)
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","name":"B"}"#)
    }
}
