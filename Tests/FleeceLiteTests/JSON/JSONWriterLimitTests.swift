import Testing

import FleeceLite

@Suite("JSON writer: limits")
struct JSONWriterLimitTests {
    private func options(maximumBytes: Int) -> JSONWriter.Options {
        var options = JSONWriter.Options()
        options.maximumBytes = maximumBytes
        return options
    }

    static let values = [
        "[1,2]", "[]", "{}", #"{"a":1}"#, #"["abc","def"]"#, #"{"a":{"b":[true,null]}}"#,
        #"["\n\u0001"]"#, #"["\#(String(repeating: "x", count: 10_000))"]"#,
    ]

    @Test("As many bytes are written as the limit allows", arguments: values)
    func withinLimit(text: String) throws {
        let document = try encoded(json: text)
        #expect(try json(document, options: options(maximumBytes: text.utf8.count)) == text)
    }

    @Test("One byte more than the limit is an error", arguments: values)
    func overLimit(text: String) throws {
        let document = try encoded(json: text)
        let error = code {
            _ = try json(document, options: options(maximumBytes: text.utf8.count - 1))
        }
        #expect(error == .outOfRange)
    }

    @Test("The limit applies to each value, not to all")
    func limitOfEach() throws {
        var writer = JSONWriter(options: options(maximumBytes: 5))
        let root = try FleeceDocument(trusted: encoded(json: "[1,2]")).root
        for _ in 0..<3 { try writer.write(root) }
        #expect(writer.text.string == "[1,2][1,2][1,2]")
    }

    @Test("Properties that are written before those of a dictionary count too", arguments: [0, 1])
    func limitOfProperties(less: Int) throws {
        var value = JSONText()
        value.append(quoted: "a value")
        let dictionary = try FleeceDocument(trusted: encoded(json: #"{"b":1}"#)).root.dictionary
        for (dictionary, text) in [
            (nil, #"{"a":"a value"}"#), (dictionary, #"{"a":"a value","b":1}"#),
        ] {
            var writer = JSONWriter(options: options(maximumBytes: text.utf8.count - less))
            let error = code { try writer.write(dictionary, after: [("a", value)]) }
            #expect(error == (less == 0 ? nil : .outOfRange), "\(text)")
            #expect(writer.text.string == (less == 0 ? text : ""))
        }
    }

    @Test("A small document that stands for a very large one ends at the limit")
    func manyPaths() throws {
        let bomb = try FleeceDocument(trusted: Hostile.doubling(levels: 60))
        var writer = JSONWriter(options: options(maximumBytes: 10_000))
        #expect(code { try writer.write(bomb.root) } == .outOfRange)
        #expect(writer.text.utf8.isEmpty)
        let small = try json(Hostile.doubling(levels: 2))
        #expect(small == "[[[0,0],[0,0]],[[0,0],[0,0]]]")
    }

    @Test(
        "As many levels are written as the limit allows",
        arguments: [(FleeceLimits.walkDepth, nil), (FleeceLimits.walkDepth + 1, .outOfRange)]
            as [(Int, FleeceError.Code?)])
    func depth(levels: Int, error: FleeceError.Code?) throws {
        let nested = try FleeceDocument(trusted: Hostile.nested(levels: levels))
        var writer = JSONWriter()
        #expect(code { try writer.write(nested.root) } == error)
        #expect(writer.text.utf8.count == (error == nil ? 2 * levels : 0))
    }

    @Test("The levels of dictionaries count, and those of siblings do not")
    func depthOfDictionaries() throws {
        let levels = FleeceLimits.walkDepth
        #expect(try json(Hostile.nestedDictionaries(levels: levels)).utf8.count == levels * 6 + 1)
        let deeper = try Hostile.nestedDictionaries(levels: levels + 1)
        #expect(code { _ = try json(deeper) } == .outOfRange)
        let flat = "[" + Array(repeating: "[]", count: levels * 2).joined(separator: ",") + "]"
        #expect(try json(encoded(json: flat)) == flat)
    }

    @Test("200,000 levels are an error, not a stack overflow")
    func manyLevels() throws {
        let levels = 200_000
        let document = try FleeceDocument(trusted: Hostile.nested(levels: levels))
        var writer = JSONWriter()
        #expect(code { try writer.write(document.root) } == .outOfRange)
        #expect(writer.text.utf8.isEmpty)
        var value = document.root
        for level in 1..<levels {
            guard let inner = value.array?.first else {
                Issue.record("nothing at level \(level)")
                return
            }
            value = inner
        }
        #expect(Tree(value) == [])
    }
}
