import SampleData
import Testing

import FleeceLite

@Suite("Lookup: prepared keys and views")
struct FleeceKeyTests {
    /// Documents with and without numeric keys, of different shapes, and child dictionaries.
    private static func documents() throws -> [FleeceDocument] {
        var keys = SharedKeys()
        for key in ["zeta", "name", "a"] { _ = keys.add(key) }
        var other = SharedKeys()
        for key in ["name", "b", "a"] { _ = other.add(key) }
        let texts = [
            #"{"name":1,"a":2,"a longer key than sixteen":3,"zeta":4,"é":5,"":6}"#,
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"name":7,"z":8}"#,
            #"{"not a shared key":1}"#, "{}", #"{"name":null}"#,
            #"{"prefix00a":1,"prefix00b":2,"prefix00":3,"prefix0":4,"name":5}"#,
        ]
        var documents: [FleeceDocument] = []
        for table in [nil, keys, other] {
            for text in texts {
                var encoder = FleeceEncoder(sharedKeys: table)
                try encoder.writeJSON(text)
                let bytes = try encoder.finish()
                let keys = encoder.sharedKeys ?? SharedKeys()
                documents.append(try FleeceDocument(trusted: bytes, sharedKeys: keys))
            }
        }
        let base = try document(json: texts[1])
        for write in [
            { (encoder: inout FleeceEncoder) in encoder.writeUndefined() },
            { (encoder: inout FleeceEncoder) in encoder.writeInt(70) },
        ] {
            var encoder = FleeceEncoder()
            try encoder.amend(base, externPointers: true)
            try encoder.beginDictionary(inheriting: #require(base.root.dictionary))
            try encoder.writeKey("name")
            write(&encoder)
            try encoder.endDictionary()
            documents.append(try FleeceDocument(trusted: encoder.finish(), base: base))
        }
        return documents
    }

    static let keys = [
        "name", "a", "b", "zeta", "z", "é", "", "missing", "a longer key than sixteen",
        "not a shared key", "prefix00", "prefix00a", "prefix00c", "prefix0", "f",
    ]

    /// The result of an iteration over all pairs.
    private func searched(_ document: FleeceDocument, _ key: String) -> FleeceValue? {
        document.root.dictionary?.first { $0.key == key }?.value
    }

    @Test("A prepared key finds the same as an iteration over all pairs, in any order of use")
    func preparedKeys() throws {
        var random = SeededGenerator(for: "Prepared keys")
        let documents = try Self.documents()
        var prepared = Self.keys.map { FleeceKey($0) }
        for _ in 0..<20_000 {
            let document = documents[random.below(documents.count)]
            let index = random.below(prepared.count)
            let found = document.root.dictionary?.value(&prepared[index])
            #expect(found == searched(document, Self.keys[index]), "\(Self.keys[index])")
        }
    }

    @Test("Strings, prepared keys and views find the same", arguments: keys)
    func ways(key: String) throws {
        for document in try Self.documents() {
            let expected = searched(document, key)
            let dictionary = try #require(document.root.dictionary)
            #expect(dictionary[key] == expected)
            #expect(dictionary[FleeceKey(key)] == expected)
            var prepared = FleeceKey(key)
            document.withUnsafeRoot { root in
                #expect(root[key]?.int == expected?.int)
                #expect(root[key]?.isNull == expected?.isNull)
                for _ in 0..<2 {
                    #expect(root.dictionary?.value(&prepared)?.int == expected?.int)
                }
            }
        }
    }

    @Test("A key's number is discarded with its table, even if another gets its address")
    func tables() throws {
        var key = FleeceKey("name")
        for round in 0..<50 {
            // Each table gives the key another number; the previous one has been freed by now.
            var table = SharedKeys()
            for filler in 0..<(round % 7) { _ = table.add("k\(filler)") }
            _ = table.add("name")
            var encoder = FleeceEncoder(sharedKeys: table)
            try encoder.writeJSON(#"{"name":\#(round),"k0":-1,"k3":-3}"#)
            let bytes = try encoder.finish()
            let keys = encoder.sharedKeys ?? SharedKeys()
            let document = try FleeceDocument(trusted: bytes, sharedKeys: keys)
            #expect(document.root.dictionary?.value(&key)?.int == Int64(round))
        }
    }

    @Test("A view has the same content as values")
    func views() throws {
        let document = try document(
            json:
                #"{"b":true,"f":1.5,"i":-70000,"n":null,"s":"text","l":[1,[2],"x"],"d":{"k":"v"}}"#)
        document.withUnsafeRoot { root in
            #expect(root.kind == .dictionary && root["l"]?.kind == .array)
            #expect(root["b"]?.bool == true && root["i"]?.bool == nil)
            #expect(root["f"]?.double == 1.5 && root["i"]?.double == -70000)
            #expect(root["i"]?.int == -70000 && root["f"]?.int == nil)
            #expect(root["s"]?.string == "text" && root["s"]?.utf8?.count == 4)
            #expect(root["n"]?.isNull == true && root["s"]?.isNull == false)
            #expect(root["l"]?.elementCount == 3 && root["s"]?.elementCount == 0)
            #expect(root["l"]?[1]?[0]?.int == 2 && root["l"]?[3] == nil && root["l"]?[-1] == nil)
            #expect(root["d"]?["k"]?.string == "v" && root["d"]?[0] == nil)
            #expect(root["s"]?["k"] == nil && root["s"]?.data == nil)
            var keys: [String] = []
            root.dictionary?.forEachPair { key, _ in
                keys.append(String(decoding: key, as: UTF8.self))
            }
            #expect(keys == ["b", "d", "f", "i", "l", "n", "s"])
            #expect(root.dictionary?.ownCount == 7)
            var sum: Int64 = 0
            root["l"]?.forEachElement { sum += $0.int ?? 100 }
            #expect(sum == 201)
        }
    }

    @Test("A view of a child dictionary has the inherited pairs as well")
    func children() throws {
        for document in try Self.documents() {
            var pairs: [String] = []
            document.withUnsafeRoot { root in
                root.dictionary?.forEachPair { key, value in
                    pairs.append("\(String(decoding: key, as: UTF8.self))=\(value.int ?? 0)")
                }
            }
            let expected = document.root.dictionary?.map { "\($0.key)=\($0.value.int ?? 0)" }
            #expect(pairs == expected)
        }
    }
}
