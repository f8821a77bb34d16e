import Testing

import FleeceLite

@Suite("Coding: values and their documents")
struct CodingTests {
    struct Name: Codable, Equatable {
        var first: String
        var last: String?
    }

    struct Person: Codable, Equatable {
        var name: Name
        var age: Int
        var tags: [String] = []
        var friends: [Name]?
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case box(Int, Int)
        case nothing
        indirect case twice(Shape)
    }

    enum Color: String, Codable { case red, green }

    final class Node: Codable, Equatable {
        let value: Int
        let next: Node?

        init(_ value: Int, _ next: Node?) {
            (self.value, self.next) = (value, next)
        }

        static func == (left: Node, right: Node) -> Bool {
            left.value == right.value && left.next == right.next
        }
    }

    @Test("The example of the documentation works")
    func example() throws {
        struct Person: Codable {
            var name: String
            var age: Int?
        }
        let bytes = try FleeceRowEncoder().encode(Person(name: "Ada", age: 36))
        #expect(hex(bytes) == "446e 616d 6500 4341 6461 4361 6765 7002 8003 0024 800a 8008 8005")
        let document = try FleeceDocument(trusted: bytes)
        let person = try FleeceRowDecoder().decode(Person.self, from: document.root)
        #expect(person.name == "Ada")
        #expect(person.age == 36)
    }

    @Test("The bytes are those of the encoder's calls")
    func sameBytes() throws {
        let person = Person(name: Name(first: "Ada"), age: 3000, tags: ["x", "yy"])
        let written = try encoded { encoder in
            encoder.beginDictionary()
            try encoder.writeKey("name")
            encoder.beginDictionary()
            try encoder.writeKey("first")
            encoder.writeString("Ada")
            try encoder.endDictionary()
            try encoder.writeKey("age")
            encoder.writeInt(3000)
            try encoder.writeKey("tags")
            encoder.beginArray()
            encoder.writeString("x")
            encoder.writeString("yy")
            try encoder.endArray()
            try encoder.endDictionary()
        }
        #expect(try FleeceRowEncoder().encode(person) == written)
    }

    @Test("A value is written into an unfinished document, with its shared keys")
    func underWay() throws {
        var encoder = FleeceEncoder(sharedKeys: table(["name"]))
        encoder.beginDictionary()
        try encoder.writeKey("who")
        try encoder.encode(Name(first: "Ada"))
        try encoder.writeKey("name")
        try encoder.encode(["Bo", nil])
        try encoder.writeKey("sum")
        try encoder.encode(7)
        try encoder.endDictionary()
        let keys = encoder.sharedKeys ?? SharedKeys()
        #expect(keys.keys == ["name", "who", "first", "sum"])
        let text = try json(encoder.finish(), sharedKeys: keys)
        #expect(text == #"{"name":["Bo",null],"who":{"first":"Ada"},"sum":7}"#)
    }

    @Test("A table of shared keys gets new keys, but not those of a value that fails")
    func sharedKeys() throws {
        var keys = table(["last"])
        let bytes = try FleeceRowEncoder().encode(Name(first: "A", last: "B"), sharedKeys: &keys)
        #expect(keys.keys == ["last", "first"])
        #expect(hex(bytes) == "7002 0000 4142 0001 4141 8005")
        #expect(throws: EncodingError.self) {
            try FleeceRowEncoder().encode(["new": Double.nan], sharedKeys: &keys)
        }
        #expect(keys.keys == ["last", "first"])
    }

    @Test("Structures, enums, classes and nested values are decoded unchanged")
    func roundTrips() throws {
        try expectRoundTrip(
            Person(
                name: Name(first: "Zoë", last: "O'Hara"), age: -7, tags: ["a", "", "b"],
                friends: [Name(first: "x"), Name(first: "", last: "")]))
        try expectRoundTrip([Shape.circle(radius: 0.1), .box(1, -70_000), .nothing])
        try expectRoundTrip(Shape.twice(.twice(.box(0, 0))))
        try expectRoundTrip([Color.red, .green])
        try expectRoundTrip(Node(1, Node(2, Node(3, nil))))
    }

    @Test("Scalars are decoded as the root of a document")
    func scalars() throws {
        try expectRoundTrip(true)
        try expectRoundTrip("text")
        try expectRoundTrip(-1)
        try expectRoundTrip(1.5)
        try expectRoundTrip(Float(0.1))
        try expectRoundTrip(Int?.none)
        try expectRoundTrip(Int??.some(.some(3)))
        try expectRoundTrip(Color.green)
    }

    @Test("Nested collections are decoded unchanged")
    func collections() throws {
        try expectRoundTrip([[1, 2], [], [3]])
        try expectRoundTrip([["a": [1.5]], [:]])
        try expectRoundTrip([1: "one", -2: "minus two"])
        try expectRoundTrip([Color.red: [1], .green: []])
        try expectRoundTrip([[1]: "x"])
        try expectRoundTrip(["a": Name(first: "x"), "b": Name(first: "y", last: "z")])
        try expectRoundTrip([1, nil, 3])
        try expectRoundTrip(Set(["a", "b"]))
        try expectRoundTrip(1...5)
        try expectRoundTrip([UInt8](0...255))
        try expectRoundTrip(ContiguousArray([1, 2]))
        try expectRoundTrip([String](repeating: "long enough for a pointer", count: 3000))
    }

    @Test("The encoded value of each form")
    func forms() throws {
        #expect(try codedJSON([1: "one", 2: "two"]) == #"{"1":"one","2":"two"}"#)
        #expect(try codedJSON([[1]: "x"]) == #"[[1],"x"]"#)
        #expect(try codedJSON([Color.red: 1]) == #"["red",1]"#)
        #expect(try codedJSON([Shape.circle(radius: 2)]) == #"[{"circle":{"radius":2.0}}]"#)
        #expect(try codedJSON([Shape.box(1, 2)]) == #"[{"box":{"_0":1,"_1":2}}]"#)
        #expect(try codedJSON(Shape.nothing) == #"{"nothing":{}}"#)
        #expect(try codedJSON([UInt8]([1, 2])) == "[1,2]")
        #expect(try codedJSON([Int]()) == "[]")
        #expect(try codedJSON([String: Int]()) == "{}")
        #expect(try codedJSON(Color.green) == #""green""#)
        #expect(try codedJSON(1..<3) == "[1,3]")
    }

    @Test("Keys outside the table of shared keys and documents from JSON are decoded")
    func otherDocuments() throws {
        let text = #"{"age":5,"extra":[{}],"name":{"last":null,"first":"x"},"tags":["a"]}"#
        let expected = Person(name: Name(first: "x"), age: 5, tags: ["a"])
        #expect(try decoded(Person.self, json: text) == expected)
        var encoder = FleeceEncoder(sharedKeys: table(["tags", "first", "age"]))
        try encoder.writeJSON(text)
        let numbered = try encoder.finish()
        let keys = encoder.sharedKeys ?? SharedKeys()
        let decoder = FleeceRowDecoder()
        #expect(try decoder.decode(Person.self, from: numbered, sharedKeys: keys) == expected)
    }

    @Test("Inherited properties are decoded")
    func children() throws {
        struct Child: Codable, Equatable {
            var foo: Int
            var bar: String
        }
        let child = try bytes(
            """
            4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005 \
            4366 6f6f 7002 0800 800a 8005 01c8 8005
            """)
        let decoder = FleeceRowDecoder()
        #expect(try decoder.decode(Child.self, from: child) == Child(foo: 456, bar: "hello"))
        let all = try decoder.decode([String: Mixed].self, from: child)
        #expect(all == ["foo": .int(456), "bar": .text("hello")])
    }

    enum Mixed: Decodable, Equatable {
        case int(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .int(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    @Test("The user info reaches nested types")
    func userInfo() throws {
        struct Told: Codable, Equatable {
            var text: String

            init(_ text: String) { self.text = text }

            init(from decoder: any Decoder) throws {
                text = decoder.userInfo[Self.key] as? String ?? "untold"
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(encoder.userInfo[Self.key] as? String ?? "untold")
            }

            static let key = CodingUserInfoKey(rawValue: "told") ?? .never
        }
        var encoder = FleeceRowEncoder()
        #expect(try codedJSON([Told("")], as: encoder) == #"["untold"]"#)
        encoder.userInfo[Told.key] = "told"
        #expect(try codedJSON([Told("")], as: encoder) == #"["told"]"#)
        var decoder = FleeceRowDecoder()
        decoder.userInfo[Told.key] = "told so"
        let back = try decoded([Told].self, json: #"["x"]"#, as: decoder)
        #expect(back == [Told("told so")])
    }
}

extension CodingUserInfoKey {
    /// For keys whose text cannot be invalid, but whose initializer is failable.
    static var never: CodingUserInfoKey { fatalError("a key was refused") }
}
