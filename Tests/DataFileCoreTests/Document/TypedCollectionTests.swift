import DataFileCore
import EngineTestSupport
import FleeceLite
import Testing

@Suite("Documents as values of a type")
struct TypedCollectionTests {
    struct Person: Codable, Sendable, Equatable {
        struct Address: Codable, Sendable, Equatable {
            var city: String
            var street: String?
        }

        var name: String
        var age: Int?
        var address: Address?
    }

    struct Country: Codable, Sendable, Identifiable {
        var id: String
        var people: Int
    }

    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default).of(Person.self)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    @Test("a value is saved, and read back equal")
    func roundTrip() throws {
        let ada = Person(name: "Ada", age: 36, address: .init(city: "London"))
        let saved = try file.write { try people.save(ada, id: "ada", in: $0) }
        #expect(saved.isNew)
        #expect(try file.read { try people.value("ada", in: $0) } == ada)
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","address":{"city":"London"},"age":36,"name":"Ada"}"#)
    }

    @Test("its properties are accessible as the document's, to read and change")
    func dynamicMembers() throws {
        try fixture.save("ada", #"{"name":"Ada","age":36,"address":{"city":"Rome"}}"#, in: file)
        var ada = try #require(try file.read { try people.get("ada", in: $0) })
        #expect(ada.name == "Ada")
        ada.age = 37
        ada.address?.city = "London"
        #expect(try file.write { try people.save(&ada, in: $0) }.saved?.sequence == 2)
        ada.age = nil
        #expect(try file.write { try people.save(&ada, in: $0) }.saved?.sequence == 3)
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","address":{"city":"London"},"name":"Ada"}"#)
    }

    @Test("properties that the type does not have are retained, also in nested dictionaries")
    func unknownProperties() throws {
        try fixture.save(
            "ada",
            #"{"name":"A","age":36,"b":1,"address":{"city":"Rome","street":"S","zip":1}}"#,
            in: file)
        var ada = try #require(try file.read { try people.get("ada", in: $0) })
        ada.age = nil
        ada.address?.street = nil
        _ = try file.write { try people.save(&ada, in: $0) }
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","address":{"city":"Rome","zip":1},"b":1,"name":"A"}"#)
        // The second time they come from what was saved, not from what was read.
        ada.age = 40
        _ = try file.write { try people.save(&ada, in: $0) }
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","address":{"city":"Rome","zip":1},"age":40,"b":1,"name":"A"}"#
        )
    }

    @Test("a value saved by id replaces all properties")
    func replaces() throws {
        try fixture.save("ada", #"{"name":"Ada","born":1815}"#, in: file)
        _ = try file.write { try people.save(Person(name: "Eve"), id: "ada", in: $0) }
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","name":"Eve"}"#)
    }

    @Test("a document that cannot be decoded is an error with its location")
    func wrongType() throws {
        try fixture.save("ada", #"{"name":1815}"#, in: file)
        #expect(throws: DecodingError.self) {
            try file.read { try people.value("ada", in: $0) }
        }
        var found: [String: Bool] = [:]
        try fixture.save("eve", #"{"name":"Eve"}"#, in: file)
        try file.read { snapshot in
            try people.forEach(in: snapshot) { id, value in
                found[id] = (try? value.get()) != nil
            }
        }
        #expect(found == ["ada": false, "eve": true])
    }

    @Test("an empty document is a value whose properties are all nil")
    func emptyDocument() throws {
        struct Options: Codable, Sendable, Equatable { var depth: Int? }
        try fixture.save("none", "{}", in: file)
        let options = DocumentCollection(.default).of(Options.self)
        #expect(try file.read { try options.value("none", in: $0) } == Options(depth: nil))
    }

    @Test("a deleted document is not a value")
    func deleted() throws {
        try fixture.save("ada", #"{"name":"Ada"}"#, in: file)
        _ = try file.write { try people.collection.delete("ada", in: $0) }
        #expect(try file.read { try people.value("ada", in: $0) } == nil)
    }

    @Test("a document is deleted if unchanged since it was read, or by its id")
    func deletion() throws {
        try fixture.save("ada", #"{"name":"Ada"}"#, in: file)
        let ada = try #require(try file.read { try people.get("ada", in: $0) })
        try fixture.save("ada", #"{"name":"Eve"}"#, in: file)
        #expect(try file.write { try people.delete(ada, in: $0) }.saved == nil)
        let eve = try #require(try file.read { try people.get("ada", in: $0) })
        #expect(try file.write { try people.delete(eve, in: $0) }.saved != nil)
        #expect(try file.write { try people.delete("ada", in: $0) } == nil)
        #expect(try file.write { try people.purge("ada", in: $0) })
    }

    @Test("a conflict is merged with typed values")
    func merge() throws {
        try fixture.save("ada", #"{"name":"Ada","age":1}"#, in: file)
        var mine = try #require(try file.read { try people.get("ada", in: $0) })
        try fixture.save("ada", #"{"name":"Countess","age":1,"born":1815}"#, in: file)
        mine.age = 36
        #expect(try file.write { try people.save(&mine, in: $0) }.saved == nil)
        let result = try file.write { transaction in
            try people.save(
                &mine,
                onConflict: .merge { mine, theirs in
                    Person(name: theirs?.name ?? mine.name, age: mine.age)
                }, in: transaction)
        }
        #expect(result.saved?.sequence == 3)
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","age":36,"born":1815,"name":"Countess"}"#)
    }

    @Test("an Identifiable value needs no other id")
    func identifiable() throws {
        let countries = DocumentCollection(.default).of(Country.self)
        let saved = try file.write { try countries.save(Country(id: "ch", people: 9), in: $0) }
        #expect(saved.id == "ch")
        #expect(try file.read { try countries.value("ch", in: $0) }?.people == 9)
    }

    @Test("many values are saved in one batch")
    func batch() throws {
        let count = try file.write { transaction in
            try people.save(
                contentsOf: (0..<30).lazy.map { ("\($0)", Person(name: "P\($0)")) },
                in: transaction)
        }
        #expect(count == 30)
        #expect(try file.read { try people.value("29", in: $0) } == Person(name: "P29"))
    }
}
