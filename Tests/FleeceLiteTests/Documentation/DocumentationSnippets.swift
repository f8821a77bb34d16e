import FleeceLite
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// The code of the articles in FleeceLite.docc, between lines that name it. It is compiled and run
/// here; `DocumentationTests` compares it with the articles.
@Suite("Documentation: the code works as described")
struct DocumentationSnippets {
    private static func document(_ json: String) throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        return try FleeceDocument(trusted: encoder.finish())
    }

    @Test("The start page")
    func startPage() throws {
        // snippet begins: FleeceLite
        var encoder = FleeceEncoder()
        try encoder.writeJSON(#"{"name": {"first": "Ada", "last": "Lovelace"}, "born": 1815}"#)
        let bytes = try encoder.finish()

        let document = try FleeceDocument(validating: bytes)
        let born = document.root["born"]?.int
        let last = document.root["name"]?["last"]?.string
        // snippet ends
        #expect(born == 1815)
        #expect(last == "Lovelace")
    }

    @Test("Reading values")
    func readingValues() throws {
        let document = try Self.document(
            #"{"age":36,"height":1.75,"member":true,"tags":["a","b",3],"scores":{"x":1,"y":2.5},"#
                + #""joined":"2008-08-07T05:18:51.589Z"}"#)
        // snippet begins: ReadingValues
        let age = document.root["age"]?.int
        let height = document.root["height"]?.double
        let isMember = document.root["member"]?.bool ?? false
        let ageAsText = document.root["age"]?.string
        // snippet ends
        #expect(age == 36 && height == 1.75 && isMember && ageAsText == nil)
        // snippet begins: ReadingValues
        let tags = document.root["tags"]?.array?.compactMap(\.string) ?? []
        var scores: [String: Double] = [:]
        if let dictionary = document.root["scores"]?.dictionary {
            for (name, value) in dictionary { scores[name] = value.double }
        }
        // snippet ends
        #expect(tags == ["a", "b"])
        #expect(scores == ["x": 1, "y": 2.5])
        // snippet begins: ReadingValues
        let wholeHeight = document.root["height"]?.asInt
        let text = document.root["age"]?.text
        let joined = document.root["joined"]?.asTimestamp()
        // snippet ends
        #expect(wholeHeight == 1 && text == "36")
        #expect(joined?.milliseconds == 1_218_086_331_589)
    }

    @Test("Reading values: loops")
    func readingInLoops() throws {
        let document = try Self.document(
            #"[{"name":"Ada","age":36},{"name":"Bob","age":7},{"name":"Cy"}]"#)
        // snippet begins: ReadingValues
        var age = FleeceKey("age")
        var sum: Int64 = 0
        document.withUnsafeRoot { people in
            people.forEachElement { person in
                sum += person.dictionary?.value(&age)?.int ?? 0
            }
        }
        // snippet ends
        #expect(sum == 43)
    }

    @Test("Writing documents")
    func writingDocuments() throws {
        // snippet begins: WritingDocuments
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        try encoder.writeKey("name")
        encoder.writeString("Ada")
        try encoder.writeKey("numbers")
        encoder.beginArray()
        encoder.writeInt(-1)
        encoder.writeUInt(3_000_000_000)
        try encoder.writeDouble(0.5)
        encoder.writeNull()
        try encoder.endArray()
        try encoder.writeKey("photo")
        encoder.writeData([0xFF, 0xD8])
        try encoder.endDictionary()
        let bytes = try encoder.finish()
        // snippet ends
        let document = try FleeceDocument(validating: bytes, level: .strict)
        #expect(
            document.description
                == #"{"name":"Ada","numbers":[-1,3000000000,0.5,null],"photo":<ffd8>}"#)
        // snippet begins: WritingDocuments
        var lengths: [Int] = []
        for word in ["one", "two", "three"] {
            encoder.writeString(word)
            lengths.append(try encoder.withFinishedBytes { $0.count })
        }
        // snippet ends
        #expect(lengths == [6, 6, 8])
    }

    @Test("Converting JSON")
    func json() throws {
        var place: Int?
        // snippet begins: JSONInAndOut
        var encoder = FleeceEncoder()
        try encoder.writeJSON(#"{"b": [1, 2.0, "three"], "a": null}"#)
        let document = try FleeceDocument(trusted: encoder.finish())
        // snippet ends
        // snippet begins: JSONInAndOut
        do {
            try encoder.writeJSON(#"{"a": 1,}"#)
        } catch let error as FleeceError {
            place = error.offset
            encoder.reset()
        }
        // snippet ends
        #expect(place == 8)
        // snippet begins: JSONInAndOut
        try encoder.writeJSON5("{name: 'Ada', mask: 0xFF, tags: ['a', 'b',],} // by hand")
        let handwritten = try FleeceDocument(trusted: encoder.finish())

        let json = try JSONText(json5: "[+1, .5, /* none */]").string
        // snippet ends
        #expect(handwritten.description == #"{"mask":255,"name":"Ada","tags":["a","b"]}"#)
        #expect(json == "[1,0.5]")
        // snippet begins: JSONInAndOut
        let ab = try FleeceDocument(json: #"{"b": 1, "a": [true]}"#)
        let text = try ab.root.json(.init(pretty: true))
        // snippet ends
        #expect(text == "{\n  \"a\": [\n    true\n  ],\n  \"b\": 1\n}")
        // snippet begins: JSONInAndOut
        var writer = JSONWriter()
        try writer.write(document.root)
        let compact = writer.text.string

        var options = JSONWriter.Options()
        options.pretty = true
        var indented = JSONWriter(options: options)
        try indented.write(document.root["b"] ?? document.root)
        // snippet ends
        #expect(compact == #"{"a":null,"b":[1,2.0,"three"]}"#)
        #expect(indented.text.string == "[\n  1,\n  2.0,\n  \"three\"\n]")
    }

    @Test("Shared keys")
    func numberedKeys() throws {
        // snippet begins: NumberedKeys
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(#"{"name": "Ada", "first name": "Augusta"}"#)
        let bytes = try encoder.finish()
        let keys = encoder.sharedKeys ?? SharedKeys()
        // snippet ends
        #expect(keys.keys == ["name"])
        // snippet begins: NumberedKeys
        let document = try FleeceDocument(trusted: bytes, sharedKeys: keys)
        let name = document.root["name"]?.string
        // snippet ends
        #expect(name == "Ada")
        // snippet begins: NumberedKeys
        let state = try keys.stateData()
        let restored = try SharedKeys(state: state)
        // snippet ends
        #expect(restored.keys == ["name"])
    }

    @Test("Paths and iteration")
    func pathsAndIteration() throws {
        let document = try Self.document(
            #"{"contacts":[{"emails":["a@x"]},{"emails":["b@x","c@x"]}],"id":7,"name":"Ada"}"#)
        // snippet begins: PathsAndIteration
        let path = try PropertyPath(parsing: "contacts[-1].emails[0]")
        let email = document.root[path]?.string
        // snippet ends
        #expect(email == "b@x")
        // snippet begins: PathsAndIteration
        let careless = try PropertyPath(parsing: "contacts[-1]..emails[0", syntax: .lenient)
        // snippet ends
        #expect(careless == path)
        // snippet begins: PathsAndIteration
        let pointer = try JSONPointer(parsing: "/contacts/1/emails/0")
        let sameEmail = document.root[pointer]?.string
        // snippet ends
        #expect(sameEmail == "b@x")
        // snippet begins: PathsAndIteration
        var places: [String] = []
        for item in document.root.deepValues() {
            let item = try item.get()
            if item.value.string != nil { places.append(item.pathText) }
        }
        // snippet ends
        #expect(
            places == [
                "contacts[0].emails[0]", "contacts[1].emails[0]", "contacts[1].emails[1]", "name",
            ])
        // snippet begins: PathsAndIteration
        var keys: [String] = []
        var items = document.root.deepValues().makeIterator()
        while let item = try items.next()?.get() {
            if let key = item.key { keys.append(key) }
            if item.key == "contacts" { items.skipChildren() }
        }
        // snippet ends
        #expect(keys == ["contacts", "id", "name"])
    }

    @Test("Untrusted documents")
    func doubtfulDocuments() throws {
        var message = ""
        // snippet begins: DoubtfulDocuments
        let corrupt: [UInt8] = [
            0x43, 0x66, 0x6F, 0x6F, 0x70, 0x01, 0x80, 0x04, 0x00, 0x7B, 0x80, 0x03,
        ]
        do {
            _ = try FleeceDocument(validating: corrupt)
        } catch let error as FleeceError {
            message = error.description
        }
        // snippet ends
        #expect(message == "an invalid pointer (at byte 6)")
        // snippet begins: DoubtfulDocuments
        let dump = FleeceDump(corrupt)
        let text = dump.description
        // snippet ends
        #expect(text.contains("key: pointer back 8 ! points 2 bytes before 0000"))
        #expect(
            try DocumentationTests.catalogue.article("DoubtfulDocuments").contains(
                "```\n\(text)```\n"))
    }

    @Test("Appended documents")
    func appendedDocuments() throws {
        let base = try Self.document(#"{"name":"Ada Lovelace","age":36,"draft":true}"#)
        let baseBytes = base.dump().bytes
        // snippet begins: AppendedDocuments
        var encoder = FleeceEncoder()
        try encoder.amend(base, reusingStrings: true)
        encoder.beginDictionary()
        try encoder.writeKey("before")
        try encoder.write(base.root)
        try encoder.writeKey("note")
        encoder.writeString("seen")
        try encoder.endDictionary()
        let appended = try encoder.finish()

        let whole = try FleeceDocument(trusted: baseBytes + appended)
        let note = whole.root["note"]?.string
        // snippet ends
        #expect(note == "seen")
        #expect(whole.root["before"] == base.root)
        #expect(appended.count < baseBytes.count)
        // snippet begins: AppendedDocuments
        var changes = FleeceEncoder()
        try changes.amend(base, externPointers: true)
        if let old = base.root.dictionary {
            try changes.beginDictionary(inheriting: old)
            try changes.writeKey("age")
            changes.writeInt(37)
            try changes.writeKey("draft")
            changes.writeUndefined()
            try changes.endDictionary()
        }
        let delta = try changes.finish()

        let changed = try FleeceDocument(trusted: delta, base: base)
        let age = changed.root["age"]?.int
        // snippet ends
        #expect(age == 37)
        #expect(changed.description == #"{"age":37,"name":"Ada Lovelace"}"#)
    }

    @Test("Parts, pointers and items")
    func partsPointersItems() throws {
        // snippet begins: AppendedDocuments
        var parts = FleeceEncoder()
        parts.beginArray()
        parts.writeString("a text that comes first")
        let first = try parts.snip()
        parts.writeString("and one that comes later")
        try parts.endArray()
        let second = try parts.finish()

        let list = try FleeceDocument(trusted: second, base: FleeceDocument(trusted: first))
        // snippet ends
        #expect(try list.root.json() == #"["a text that comes first","and one that comes later"]"#)
        // snippet begins: AppendedDocuments
        var writer = FleeceEncoder()
        writer.beginArray()
        try writer.writeJSON(#"{"city": "London", "country": "England"}"#)
        if let address = writer.lastWrittenValue { try writer.write(again: address) }
        try writer.endArray()
        let twice = try FleeceDocument(trusted: writer.finish())
        // snippet ends
        #expect(twice.root[1] == twice.root[0])
        #expect(twice.root[1]?["city"]?.string == "London")
        // snippet begins: AppendedDocuments
        var items = FleeceEncoder()
        var offsets: [Int] = []
        for word in ["one", "two", "three"] {
            items.writeString(word)
            offsets.append(try items.finishItem())
        }
        let buffer = try items.finishItems()
        let two = try FleeceDocument(trusted: buffer, rootAt: offsets[1]).root.string
        // snippet ends
        #expect(two == "two")
    }

    @Test("Codable types")
    func codableTypes() throws {
        // snippet begins: CodableTypes
        struct Person: Codable {
            var name: String
            var born: Date
            var nickname: String?
            var photo = Data()
        }
        let ada = Person(
            name: "Ada", born: Date(timeIntervalSince1970: -4_861_728_000),
            photo: Data([0xFF, 0xD8]))
        let bytes = try FleeceRowEncoder().encode(ada)
        let again = try FleeceRowDecoder().decode(Person.self, from: bytes)
        // snippet ends
        #expect(
            try FleeceDocument(trusted: bytes).description
                == #"{"born":"1815-12-10T00:00:00Z","name":"Ada","photo":<ffd8>}"#)
        #expect(again.name == "Ada" && again.nickname == nil && again.born == ada.born)
        // snippet begins: CodableTypes
        var form = FleeceRowEncoder()
        form.dates = .milliseconds
        form.nils = .null
        let inOtherForm = try form.encode(ada)
        // snippet ends
        #expect(
            try FleeceDocument(trusted: inOtherForm).description
                == #"{"born":-4861728000000,"name":"Ada","nickname":null,"photo":<ffd8>}"#)
        // snippet begins: CodableTypes
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        encoder.beginDictionary()
        try encoder.writeKey("author")
        try encoder.encode(ada)
        try encoder.endDictionary()
        let work = try encoder.finish()

        let keys = encoder.sharedKeys ?? SharedKeys()
        let document = try FleeceDocument(trusted: work, sharedKeys: keys)
        let author = try document.root["author"].map {
            try FleeceRowDecoder().decode(Person.self, from: $0)
        }
        // snippet ends
        #expect(author?.name == "Ada")
        let scores = try Self.document(#"{"Ada":[1,"two"]}"#)
        var place: [String] = []
        var message = ""
        // snippet begins: CodableTypes
        do {
            _ = try FleeceRowDecoder().decode([String: [Int]].self, from: scores.root)
        } catch DecodingError.typeMismatch(_, let context) {
            place = context.codingPath.map(\.stringValue)
            message = context.debugDescription
        }
        // snippet ends
        #expect(place == ["Ada", "Index 1"])
        #expect(message == "Int expected, but found a string")
    }

    @Test("Explicitly coded types")
    func codableByHand() throws {
        // snippet begins: CodableTypes
        struct Load: FleeceCodable {
            var server: String
            var percent: Int?

            init(server: String, percent: Int?) { (self.server, self.percent) = (server, percent) }

            init(_ properties: FleeceProperties) throws {
                server = try properties.string("server")
                percent = try properties.intIfPresent("percent")
            }

            func write(to encoder: inout FleeceEncoder) throws {
                encoder.beginDictionary()
                try encoder.write("server", server)
                try encoder.write("percent", percent)
                try encoder.endDictionary()
            }
        }
        let written = try FleeceRowEncoder().encode(Load(server: "CH#30", percent: 12))
        let load = try FleeceRowDecoder().decode(Load.self, from: written)
        // snippet ends
        #expect(load.server == "CH#30" && load.percent == 12)
    }

    @Test("Mutable values")
    func mutableValues() throws {
        // snippet begins: MutableValues
        var person: MutableFleeceValue = ["name": "Ada", "tags": ["math", "music"]]
        person["address"]["city"] = "London"
        person["tags"][0] = nil
        person["tags"]?.array?.append("poetry")
        let city = person["address"]["city"]?.string
        // snippet ends
        #expect(city == "London")
        #expect(
            person == [
                "name": "Ada", "tags": ["music", "poetry"], "address": ["city": "London"],
            ])
        let document = try Self.document(
            #"{"name":"Ada","age":36,"draft":true,"tags":["math","music"],"#
                + #""address":{"city":"London","street":"St James's Square","number":12}}"#)
        let source = try #require(document.root.dictionary)
        // snippet begins: MutableValues
        var changed = MutableFleeceDictionary(source)
        changed["age"] = 37
        changed["address"]["city"] = "Paris"
        changed["draft"] = nil
        changed[try PropertyPath(parsing: "tags[-1]")] = "poetry"

        var encoder = FleeceEncoder()
        try encoder.write(changed)
        let bytes = try encoder.finish()
        // snippet ends
        let written = try FleeceDocument(validating: bytes)
        #expect(
            written.description
                == #"{"address":{"city":"Paris","number":12,"street":"St James's Square"},"#
                + #""age":37,"name":"Ada","tags":["math","poetry"]}"#)
        // snippet begins: MutableValues
        var appending = FleeceEncoder()
        try appending.amend(document)
        try appending.write(changed)
        let appended = try appending.finish()

        let whole = try FleeceDocument(trusted: document.dump().bytes + appended)
        let age = whole.root["age"]?.int
        // snippet ends
        #expect(age == 37)
        #expect(whole.root == written.root)
        #expect(appended.count < bytes.count)
    }

    @Test("Deltas")
    func deltas() throws {
        let old = try Self.document(#"{"name":"Ada","tags":["math"],"age":36,"draft":true}"#)
        let new = try Self.document(#"{"name":"Ada","tags":["math","music","poetry"],"age":37}"#)
        // snippet begins: Deltas
        let delta = try FleeceDelta(from: old.root, to: new.root)
        let json = delta.json.string

        let received = FleeceDelta(json: json)
        let bytes = try received.applied(to: old.root)
        // snippet ends
        #expect(try DocumentationTests.catalogue.article("Deltas").contains("```\n\(json)\n```\n"))
        #expect(try FleeceDocument(validating: bytes).root == new.root)
        var message = ""
        // snippet begins: Deltas
        do {
            _ = try FleeceDelta(json: #"{"tags": {"7": "x"}}"#).applied(to: old.root)
        } catch let error as FleeceError {
            message = error.description
        }
        // snippet ends
        #expect(message == #"the delta at tags has no index of the array in "7""#)
        // snippet begins: Deltas
        var encoder = FleeceEncoder()
        try encoder.amend(old)
        try encoder.write(old.root, applying: received)
        let appended = try encoder.finish()
        // snippet ends
        let whole = try FleeceDocument(validating: old.dump().bytes + appended)
        #expect(whole.root == new.root)
    }
}
