import Testing

import FleeceLite

@Suite("JSON reader: nesting")
struct JSONReaderDepthTests {
    @Test(
        "100 levels may contain a scalar, one more is allowed if it is empty",
        arguments: [
            (100, "", true), (100, "1", true), (100, "[]", true), (100, "{}", true),
            (101, "", true),
            (101, "1", false), (101, "[]", false), (101, #""a""#, false), (102, "", false),
        ])
    func depth(levels: Int, inside: String, isAccepted: Bool) {
        let text =
            String(repeating: "[", count: levels) + inside + String(repeating: "]", count: levels)
        #expect(code { _ = try encoded(json: text) } == (isAccepted ? nil : .jsonError))
    }

    @Test("Levels of objects count as those of arrays do", arguments: [(50, true), (51, false)])
    func depthOfObjects(pairs: Int, isAccepted: Bool) {
        let text =
            String(repeating: #"[{"a":"#, count: pairs) + "0"
            + String(repeating: "}]", count: pairs)
        #expect(code { _ = try encoded(json: text) } == (isAccepted ? nil : .jsonError))
    }

    @Test("Adjacent collections do not add levels")
    func siblings() throws {
        let text = "[" + Array(repeating: "[[]]", count: 500).joined(separator: ",") + "]"
        #expect(try FleeceDocument(trusted: encoded(json: text)).root.array?.count == 500)
    }

    @Test("A million opening brackets are an error, not a stack overflow")
    func manyBrackets() {
        let error = code { _ = try encoded(json: String(repeating: "[", count: 1_000_000)) }
        #expect(error == .jsonError)
        let objects = code {
            _ = try encoded(json: String(repeating: #"{"a":"#, count: 200_000))
        }
        #expect(objects == .jsonError)
    }
}
