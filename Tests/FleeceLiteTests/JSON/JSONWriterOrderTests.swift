import SampleData
import Testing

@testable import FleeceLite

@Suite("JSON writer: canonical order, lines")
struct JSONWriterOrderTests {
    private func written(
        _ document: FleeceDocument, canonical: Bool, pretty: Bool = false
    ) throws -> String {
        var options = JSONWriter.Options()
        options.canonical = canonical
        options.pretty = pretty
        var writer = JSONWriter(options: options)
        try writer.write(document.root)
        return writer.text.string
    }

    private func shared(_ json: String, _ keys: [String]) throws -> FleeceDocument {
        var encoder = FleeceEncoder(sharedKeys: table(keys))
        try encoder.writeJSON(json)
        let bytes = try encoder.finish()
        let keys = encoder.sharedKeys ?? SharedKeys()
        return try FleeceDocument(trusted: bytes, sharedKeys: keys)
    }

    @Test("Canonical JSON does not depend on the numbers of the keys")
    func canonical() throws {
        let text = #"{"b":{"z":1,"a b":2,"y":3},"a":[{"d":1,"c":2}],"é":null}"#
        let expected = #"{"a":[{"c":2,"d":1}],"b":{"a b":2,"y":3,"z":1},"é":null}"#
        for keys in [[], ["b", "a"], ["z", "y", "d", "c", "b"]] {
            let document = try shared(text, keys)
            #expect(try written(document, canonical: true) == expected)
        }
        let stored = try written(shared(text, ["z", "y", "d", "c", "b", "a"]), canonical: false)
        #expect(stored == #"{"b":{"z":1,"y":3,"a b":2},"a":[{"d":1,"c":2}],"é":null}"#)
    }

    @Test("Canonical JSON of a child dictionary has the inherited pairs in order")
    func canonicalChild() throws {
        let base = try document(json: #"{"b":1,"d":2}"#)
        var encoder = FleeceEncoder()
        try encoder.amend(base, externPointers: true)
        try encoder.beginDictionary(inheriting: #require(base.root.dictionary))
        for key in ["c", "a"] {
            try encoder.writeKey(key)
            encoder.writeNull()
        }
        try encoder.endDictionary()
        let child = try FleeceDocument(trusted: encoder.finish(), base: base)
        #expect(try written(child, canonical: true) == #"{"a":null,"b":1,"c":null,"d":2}"#)
    }

    @Test("Pretty and canonical can be combined")
    func prettyCanonical() throws {
        let document = try shared(#"{"b":[],"a":{"d":1,"c":{}}}"#, ["b", "d"])
        let expected = """
            {
              "a": {
                "c": {},
                "d": 1
              },
              "b": []
            }
            """
        #expect(try written(document, canonical: true, pretty: true) == expected)
    }

    @Test("Documents are written on separate lines")
    func lines() throws {
        var writer = JSONWriter()
        for text in [#"{"a":1}"#, "[]", #"["b"]"#] {
            try writer.write(document(json: text).root)
            writer.nextDocument()
        }
        #expect(writer.text.string == "{\"a\":1}\n[]\n[\"b\"]\n")
    }

    @Test("Canonical JSON of a small document that stands for a large one is rejected")
    func budget() throws {
        let bomb = try FleeceDocument(
            trusted: Hostile.disinherited(pairs: 1000, levels: 8, uses: 2000))
        var options = JSONWriter.Options()
        options.canonical = true
        var writer = JSONWriter(options: options)
        #expect(code { try writer.write(bomb.root) } == .outOfRange)
    }

    @Test("A number prints as its description does, by the fast path as well")
    func numbers() throws {
        var random = SeededGenerator(for: "Numbers as JSON")
        var numbers: [Double] = [
            0.001, 0.0009999, 99_999_999.5, 1e8, 0.1, 0.3, 1.0, -40.0, 0.1 + 0.2, 1.0 / 3,
            123_456.7890123, 8_388_608.123, .leastNonzeroMagnitude, 1e16, -0.0, 1e22, 2.5,
            0.0000001,
            12_345_678.1234567,
        ]
        for _ in 0..<50_000 {
            let digits = Double(random.next() &>> 14)
            let power = [1.0, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12][random.below(11)]
            numbers.append(digits / power)
            numbers.append(Double(random.below(1_000_000)) / power)
            numbers.append(Double(bitPattern: random.next()))
        }
        for number in numbers where number.isFinite {
            var buffer = JSONBuffer()
            buffer.append(number)
            let text = String(decoding: buffer.contents, as: UTF8.self)
            #expect(text == number.description)
        }
    }
}
