import DocumentStore
import Testing
@testable import KVToolCore

@Suite("A merge of three versions")
struct ThreeWayMergeTests {
    /// The merged properties as JSON, and the paths of the conflicts.
    private func merge(_ base: String?, _ versions: String...) throws -> (String, [String]) {
        func dictionary(_ json: String) throws -> FleeceDictionary {
            try #require(try FleeceDocument(json: json).root.dictionary)
        }
        let names = ["local", "remote", "third"]
        let merge = try ThreeWayMerge(
            from: base.map(dictionary),
            to: zip(names, versions).map { (name: $0, properties: try dictionary($1)) })
        var encoder = FleeceEncoder()
        try encoder.write(merge.properties)
        var writer = JSONWriter(options: .init(canonical: true))
        try writer.write(FleeceDocument(trusted: encoder.finish()).root)
        return (writer.text.string, merge.conflicts.map(\.path.description))
    }

    @Test(
        "takes what only one version changed, added or removed",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"a":9,"b":2}"#, #"{"a":1,"b":8}"#, #"{"a":9,"b":8}"#),
            (#"{"a":1}"#, #"{"a":1,"b":2}"#, #"{"a":1,"c":3}"#, #"{"a":1,"b":2,"c":3}"#),
            (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":1}"#, "{}"),
            (#"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#, #"{"a":2}"#),
            (#"{"a":1}"#, "{}", "{}", "{}"),
            ("{}", #"{"a":[1]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"{"a":null}"#, "{}", #"{"a":null}"#, "{}"),
            (
                #"{"d":{"x":1,"y":{"z":2}}}"#, #"{"d":{"x":5,"y":{"z":2}}}"#,
                #"{"d":{"x":1,"y":{"z":6,"w":7}}}"#, #"{"d":{"x":5,"y":{"w":7,"z":6}}}"#
            ),
        ])
    func clean(_ base: String, _ local: String, _ remote: String, _ merged: String) throws {
        let (result, conflicts) = try merge(base, local, remote)
        #expect(result == merged)
        #expect(conflicts == [])
    }

    @Test("marks what several versions changed in different ways, with all values")
    func conflicts() throws {
        let (result, conflicts) = try merge(
            #"{"a":1,"b":2}"#, #"{"a":3,"b":2}"#, #"{"a":4,"b":5}"#)
        #expect(
            result
                == #"{"a":{"<<<<<<< conflict":{"ancestor":1,"local":3,"remote":4}},"b":5}"#)
        #expect(conflicts == ["a"])
    }

    @Test(
        "a change against a removal, other kinds, arrays and blobs are conflicts as a whole",
        arguments: [
            (#"{"a":1}"#, #"{"a":2}"#, "{}"), (#"{"a":{"x":1}}"#, #"{"a":{"x":2}}"#, "{}"),
            (#"{"a":{"x":1}}"#, #"{"a":7}"#, #"{"a":{"x":2}}"#),
            (#"{"a":[1,2]}"#, #"{"a":[1,2,3]}"#, #"{"a":[0,1,2]}"#),
            ("{}", #"{"a":{"x":1}}"#, #"{"a":{"y":2}}"#),
            (
                #"{"a":{"@type":"blob","digest":"sha1-1","length":1}}"#,
                #"{"a":{"@type":"blob","digest":"sha1-2","length":1}}"#,
                #"{"a":{"@type":"blob","digest":"sha1-1","length":3}}"#
            ),
        ])
    func whole(_ base: String, _ local: String, _ remote: String) throws {
        #expect(try merge(base, local, remote).1 == ["a"])
    }

    @Test("without an ancestor only equal properties are merged")
    func noAncestor() throws {
        let (result, conflicts) = try merge(
            nil, #"{"a":1,"b":2,"d":{"x":1,"y":2}}"#, #"{"a":1,"c":3,"d":{"x":1,"y":3}}"#)
        #expect(conflicts.sorted() == ["b", "c", "d.y"])
        #expect(result.contains(#""a":1"#))
        #expect(result.contains(#""b":{"<<<<<<< conflict":{"local":2}}"#))
        #expect(result.contains(#""x":1"#))
    }

    @Test("of more than three versions, the one change wins, and different ones are a conflict")
    func several() throws {
        #expect(try merge(#"{"a":1}"#, #"{"a":1}"#, #"{"a":1}"#, #"{"a":2}"#).0 == #"{"a":2}"#)
        let (result, conflicts) = try merge(
            #"{"a":1,"b":1}"#, #"{"a":2,"b":1}"#, #"{"a":1,"b":3}"#, #"{"a":4,"b":3}"#)
        #expect(conflicts == ["a"])
        #expect(result.contains(#""b":3"#))
        #expect(result.contains(#"{"ancestor":1,"local":2,"remote":1,"third":4}"#))
    }

    @Test("keys that Swift treats as equal are different properties")
    func keys() throws {
        let (result, conflicts) = try merge("{}", "{\"\u{E9}\":1}", "{\"e\u{301}\":2}")
        #expect(conflicts == [])
        #expect(result == "{\"e\u{301}\":2,\"\u{E9}\":1}")
    }

    @Test("a marker that remains is found, with its path and line")
    func markers() throws {
        let text = Array("{\n\"a\": [\n{\"b\": {\"<<<<<<< conflict\": {}}}]}".utf8)
        let value = try DocumentText(text).value()
        let error = #expect(throws: ToolError.self) {
            try MergeMarker.requireNone(in: value, text)
        }
        #expect(error?.message == "the conflict of a[0].b, line 3 is not resolved")
        try MergeMarker.requireNone(in: FleeceDocument(json: #"{"a":[{}]}"#).root, text)
    }
}
