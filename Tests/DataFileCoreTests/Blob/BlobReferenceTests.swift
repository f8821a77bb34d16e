import DataFileCore
import FleeceLite
import SampleData
import StoreFormat
import Testing

@Suite("References to blobs in documents")
struct BlobReferenceTests {
    private static let text = "sha1-tsgOzj5esl4upx/NQogsyltg9fE="
    private static let other = "sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu0="

    private func blob(
        _ text: String = text, length: Int? = 22, type: String? = "text/plain"
    ) throws -> Blob { Blob(digest: try BlobDigest(text), length: length, contentType: type) }

    private func root(_ json: String) throws -> FleeceValue {
        try FleeceDocument(json: json).root
    }

    private func references(_ json: String) throws -> [Blob] {
        Blob.references(in: try #require(root(json).dictionary))
    }

    @Test("are written in Couchbase Lite's form")
    func written() throws {
        var encoder = FleeceEncoder()
        try encoder.write(try blob())
        let value = try FleeceDocument(trusted: encoder.finish()).root
        #expect(
            try value.json(.init(canonical: true)) == """
                {"@type":"blob","content_type":"text/plain","digest":"\(Self.text)","length":22}
                """)
        #expect(value.blob == (try blob()))
    }

    @Test("omit unknown fields")
    func sparse() throws {
        let sparse = try blob(length: nil, type: nil)
        var encoder = FleeceEncoder()
        try encoder.write(sparse)
        let value = try FleeceDocument(trusted: encoder.finish()).root
        #expect(
            try value.json(.init(canonical: true)) == #"{"@type":"blob","digest":"\#(Self.text)"}"#)
        #expect(value.blob == sparse)
        #expect(MutableFleeceValue(sparse).blob == sparse)
        #expect(Blob(digest: sparse.digest, length: -1) == sparse)
    }

    @Test(
        "are dictionaries with the type of a blob and a valid digest, and nothing else",
        arguments: [
            #"{"digest":"\#(text)","length":22}"#, #"{"@type":"Blob","digest":"\#(text)"}"#,
            #"{"@type":"blob"}"#, #"{"@type":"blob","digest":"sha1-../../../../../etc/passwd="}"#,
            #"{"@type":"blob","digest":5}"#, #"{"@type":true,"digest":"\#(text)"}"#, "[]", "{}",
            #"["\#(text)"]"#,
        ])
    func others(json: String) throws {
        #expect(try root(json).blob == nil)
        #expect(MutableFleeceValue.value(try root(json)).blob == nil)
    }

    @Test("keep the digest when their length or content type is invalid")
    func oddProperties() throws {
        let json = #"{"@type":"blob","digest":"\#(Self.text)","length":-4,"content_type":[1]}"#
        #expect(try root(json).blob == blob(length: nil, type: nil))
        #expect(MutableFleeceValue.value(try root(json)).blob == (try blob(length: nil, type: nil)))
    }

    @Test("can be put into a changed document, and read from it")
    func mutable() throws {
        var person: MutableFleeceValue = ["name": "Ada"]
        person["photo"] = MutableFleeceValue(try blob())
        #expect(person["photo"]?.blob == (try blob()))
        var encoder = FleeceEncoder()
        try encoder.write(person)
        let document = try FleeceDocument(trusted: encoder.finish())
        #expect(document.root["photo"]?.blob == (try blob()))
        #expect(MutableFleeceValue.value(document.root)["photo"]?.blob == (try blob()))
        #expect(person["name"]?.blob == nil)
    }

    private struct Person: Codable, Equatable {
        var name: String
        var photo: Blob?
    }

    @Test("are properties of Codable types", arguments: [true, false])
    func codable(hasPhoto: Bool) throws {
        let person = Person(name: "Ada", photo: hasPhoto ? try blob() : nil)
        let bytes = try FleeceRowEncoder().encode(person)
        let document = try FleeceDocument(trusted: bytes)
        #expect(document.root["photo"]?.blob == person.photo)
        #expect(try FleeceRowDecoder().decode(Person.self, from: bytes) == person)
    }

    @Test(
        "are rejected by Codable types if they are invalid",
        arguments: [
            #"{"name":"Ada","photo":{"digest":"\#(text)"}}"#,
            #"{"name":"Ada","photo":{"@type":"image","digest":"\#(text)"}}"#,
            #"{"name":"Ada","photo":{"@type":"blob","digest":"sha1-/etc/passwd"}}"#,
        ])
    func codableRefused(json: String) throws {
        let document = try root(json)
        #expect(throws: DecodingError.self) {
            try FleeceRowDecoder().decode(Person.self, from: document)
        }
    }

    @Test("are found at any depth of a document, in document order")
    func anywhere() throws {
        let blob = #"{"@type":"blob","digest":"\#(Self.text)","length":22}"#
        let other = #"{"@type":"blob","digest":"\#(Self.other)"}"#
        let found = try references(
            #"{"a":[1,[\#(blob)],{"b":\#(other)}],"c":"\#(Self.text)","d":\#(blob)}"#)
        #expect(found.map(\.digest.description).sorted() == [Self.other, Self.text, Self.text])
        #expect(try references("{}") == [])
        #expect(try references(#"{"@type":"blob","digest":"\#(Self.text)"}"#).count == 1)
    }

    @Test("of Couchbase Lite 1 are found in _attachments, at the top level only")
    func legacy() throws {
        let attachment =
            #"{"digest":"\#(Self.text)","length":22,"revpos":2,"stub":true,"content_type":"a/b"}"#
        let found = try references(#"{"_attachments":{"photo.jpg":\#(attachment),"bad":{}}}"#)
        #expect(found == [try blob(type: "a/b")])
        #expect(try references(#"{"x":{"_attachments":{"photo.jpg":\#(attachment)}}}"#) == [])
        let modern = #"{"@type":"blob","digest":"\#(Self.text)"}"#
        #expect(try references(#"{"_attachments":{"blob_/x":\#(modern)}}"#).count == 1)
    }

    @Test(
        "in a saved document set the flag by which such documents are found",
        arguments: [
            (#"{"a":[{"@type":"blob","digest":"\#(text)"}]}"#, true),
            (#"{"_attachments":{"a.jpg":{"digest":"\#(text)"}}}"#, true),
            (#"{"_attachments":{}}"#, false), (#"{"_attachments":[1]}"#, false),
            (#"{"a":{"_attachments":{"a.jpg":{}}}}"#, false),
            (#"{"@type":"blog","digest":"\#(text)"}"#, false), ("{}", false),
        ])
    func flag(json: String, isSet: Bool) throws {
        let file = try DataFile(inMemory: DataFileOptions(access: .create))
        let collection = DocumentCollection(.default)
        // The second document has its keys by number.
        for id in ["first", "second"] {
            let flags = try file.write { transaction in
                _ = try collection.save(id, in: transaction) { try $0.writeJSON(json) }
                return try collection.keyStore.get(id, in: transaction)?.flags
            }
            #expect(flags?.contains(.hasAttachments) == isSet)
        }
    }

    @Test("are searched once in each part that a small document shares")
    func shared() throws {
        var bytes: [UInt8] = []
        func add(_ text: String) -> Int {
            let start = bytes.count
            let count = UInt8(text.utf8.count)
            bytes += (count < 15 ? [0x40 | count] : [0x4F, count]) + Array(text.utf8)
            if bytes.count % 2 != 0 { bytes.append(0) }
            return start
        }
        func point(to target: Int) {
            let distance = (bytes.count - target) / 2
            bytes += [0x80 | UInt8(distance >> 8), UInt8(distance & 0xFF)]
        }
        let texts = ["@type", "blob", "digest", Self.text].map(add)
        var target = bytes.count
        bytes += [0x70, 2]
        texts.forEach(point)
        // 40 levels, each an array with the level below twice: 2^40 paths to one reference.
        for _ in 0..<40 {
            let start = bytes.count
            bytes += [0x60, 2]
            for _ in 0..<2 { point(to: target) }
            target = start
        }
        let root = bytes.count
        bytes += [0x70, 1, 0x41, UInt8(ascii: "k")]
        point(to: target)
        point(to: root)
        let document = try FleeceDocument(validating: bytes)
        let properties = try #require(document.root.dictionary)
        #expect(Blob.references(in: properties) == [try blob(length: nil, type: nil)])
    }
}
