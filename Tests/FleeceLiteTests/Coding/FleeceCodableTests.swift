import Testing

import FleeceLite

@Suite("Coding: types that write and read their properties explicitly")
struct FleeceCodableTests {
    struct Address: Codable, Equatable {
        var city: String
    }

    struct Person: FleeceCodable, Equatable {
        var name: String
        var age: Int?
        var isActive = true
        var score: Double?
        var born: Int64?
        var address: Address?
        var tags: [String] = []

        init(name: String) { self.name = name }

        init(_ properties: FleeceProperties) throws {
            name = try properties.string("name")
            age = try properties.intIfPresent("age")
            isActive = try properties.bool("isActive")
            score = try properties.doubleIfPresent("score")
            born = try properties.int64IfPresent("born")
            address = try properties.valueIfPresent("address")
            tags = try properties.value("tags")
        }

        func write(to encoder: inout FleeceEncoder) throws {
            encoder.beginDictionary()
            try encoder.write("name", name)
            try encoder.write("age", age)
            try encoder.write("isActive", isActive)
            try encoder.write("score", score)
            try encoder.write("born", born)
            try encoder.write("address", encoding: address)
            try encoder.write("tags", encoding: tags)
            try encoder.endDictionary()
        }
    }

    /// Writes and reads its content through `Codable`.
    struct Wrapper<Value: Codable>: Codable {
        var value: Value

        init(_ value: Value) { self.value = value }

        init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private var ada: Person {
        var ada = Person(name: "Ada")
        (ada.age, ada.score, ada.born) = (36, 1.5, -4_861_728_000_000)
        ada.address = Address(city: "London")
        ada.tags = ["first"]
        return ada
    }

    @Test("The bytes are those of Codable", arguments: [false, true])
    func sameBytes(isFull: Bool) throws {
        let person = isFull ? ada : Person(name: "Bob")
        let bytes = try FleeceRowEncoder().encode(person)
        #expect(bytes == (try FleeceRowEncoder().encode(Wrapper(person))))
        let decoder = FleeceRowDecoder()
        #expect(try decoder.decode(Person.self, from: bytes) == person)
        #expect(try decoder.decode(Wrapper<Person>.self, from: bytes).value == person)
    }

    /// A type whose two conformances produce different results.
    struct Witness: FleeceCodable {
        var way: String

        init() { way = "made" }
        init(_ properties: FleeceProperties) throws { way = "read by hand" }
        func write(to encoder: inout FleeceEncoder) throws {
            encoder.beginDictionary()
            try encoder.write("way", "written by hand")
            try encoder.endDictionary()
        }
    }

    private func way(_ form: FleeceRowEncoder) throws -> String? {
        try FleeceDocument(trusted: form.encode(Witness())).root["way"]?.string
    }

    @Test("The root value uses its own conformance, unless the form is not the default")
    func whoIsAsked() throws {
        #expect(try way(FleeceRowEncoder()) == "written by hand")
        var form = FleeceRowEncoder()
        form.nils = .null
        #expect(try way(form) == "made")
        form = FleeceRowEncoder()
        form.dates = .milliseconds
        #expect(try way(form) == "made")

        let bytes = try FleeceRowEncoder().encode(Witness())
        var decoder = FleeceRowDecoder()
        #expect(try decoder.decode(Witness.self, from: bytes).way == "read by hand")
        let key = try #require(CodingUserInfoKey(rawValue: "any"))
        decoder.userInfo[key] = 1
        #expect(try decoder.decode(Witness.self, from: bytes).way == "written by hand")
    }

    private func message(_ json: String) throws -> String {
        let document = try FleeceDocument(json: json)
        do {
            _ = try FleeceRowDecoder().decode(Person.self, from: document.root)
            return "no error"
        } catch let DecodingError.keyNotFound(key, context) {
            return "keyNotFound \(key.stringValue): \(context.debugDescription)"
        } catch let DecodingError.typeMismatch(_, context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "typeMismatch \(path): \(context.debugDescription)"
        } catch let DecodingError.dataCorrupted(context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "dataCorrupted \(path): \(context.debugDescription)"
        }
    }

    @Test("Unreadable properties are reported as by Codable")
    func errors() throws {
        #expect(
            try message("{}") == "keyNotFound name: there is no property \"name\"")
        #expect(
            try message("{\"name\": 1}")
                == "typeMismatch name: String expected, but found an integer")
        #expect(
            try message("{\"name\": \"a\", \"age\": 1.5}")
                == "dataCorrupted age: the number does not fit in Int")
        #expect(
            try message("{\"name\": \"a\", \"isActive\": true, \"address\": {\"city\": 1}}")
                == "typeMismatch address.city: String expected, but found an integer")
        #expect(
            try message("[1]").hasPrefix("typeMismatch : "))
    }

    @Test("Null and undefined count as missing for an optional property")
    func nulls() throws {
        let json = "{\"name\": \"a\", \"age\": null, \"isActive\": false, \"tags\": []}"
        let document = try FleeceDocument(json: json)
        let person = try FleeceRowDecoder().decode(Person.self, from: document.root)
        #expect(person.age == nil)
        #expect(!person.isActive)
    }

    @Test("Properties are found in any order, and with shared keys")
    func order() throws {
        var keys = SharedKeys()
        for key in ["tags", "score", "name"] { _ = keys.add(key) }
        let bytes = try FleeceRowEncoder().encode(ada, sharedKeys: &keys)
        let read = try FleeceRowDecoder().decode(Person.self, from: bytes, sharedKeys: keys)
        #expect(read == ada)
    }
}
