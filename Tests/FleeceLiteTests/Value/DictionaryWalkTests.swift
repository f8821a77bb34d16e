import Testing

import FleeceLite

@Suite("All dictionaries of a document")
struct DictionaryWalkTests {
    private func names(_ json: String) throws -> [String] {
        var names: [String] = []
        try #require(FleeceDocument(json: json).root.dictionary).forEachDictionary {
            names.append($0["name"]?.string ?? "-")
        }
        return names
    }

    @Test("are passed once each, the outer ones first, in the order of the document")
    func order() throws {
        let json = """
            {"name":"a","x":[{"name":"b","y":{"name":"c"}},[[{"name":"d"}]]],"z":{"name":"e"}}
            """
        #expect(try names(json) == ["a", "b", "c", "d", "e"])
        #expect(try names("{}") == ["-"])
    }

    @Test("include those of an inherited dictionary")
    func inherited() throws {
        var encoder = FleeceEncoder()
        let base = try FleeceDocument(json: #"{"name":"base","inner":{"name":"inner"}}"#)
        try encoder.amend(base, externPointers: true)
        try encoder.beginDictionary(inheriting: try #require(base.root.dictionary))
        try encoder.writeKey("name")
        encoder.writeString("own")
        try encoder.endDictionary()
        let document = try FleeceDocument(trusted: encoder.finish(), base: base)
        var names: Set<String> = []
        try #require(document.root.dictionary).forEachDictionary {
            names.insert($0["name"]?.string ?? "-")
        }
        #expect(names == ["own", "base", "inner"])
    }
}
