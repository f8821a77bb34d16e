import Testing

@testable import FleeceLite

@Suite("Mutable values")
struct MutableValueTests {
    @Test("Literals create values of all kinds, and their parts can be read")
    func literals() {
        let value: MutableFleeceValue = [
            "null": .null, "bool": true, "int": -5, "double": 1.5, "string": "text",
            "array": [1, [2], []], "dictionary": ["a": ["b": "c"]],
        ]
        #expect(value.kind == .dictionary)
        #expect(value["null"]?.isNull == true)
        #expect(value["bool"]?.bool == true)
        #expect(value["int"]?.int == -5)
        #expect(value["int"]?.uint == nil)
        #expect(value["int"]?.double == -5)
        #expect(value["double"]?.double == 1.5)
        #expect(value["string"]?.string == "text")
        #expect(value["array"][0]?.int == 1)
        #expect(value["array"][-2][0]?.uint == 2)
        #expect(value["array"][3] == nil)
        #expect(value["dictionary"]["a"]["b"]?.string == "c")
        #expect(value["dictionary"]["x"]["b"] == nil)
        #expect(value["string"]["b"] == nil)
        #expect(value["missing"] == nil)
        #expect(MutableFleeceValue.data([1, 2]).data == [1, 2])
        #expect(MutableFleeceValue.uint(.max).uint == .max)
        #expect(MutableFleeceValue.uint(.max).int == nil)
        #expect(MutableFleeceValue.float(0.5).double == 0.5)
    }

    @Test("Of equal keys in a literal the last one wins")
    func equalKeys() {
        let value: MutableFleeceDictionary = ["a": 1, "b": 2, "a": 3]
        #expect(value.count == 2)
        #expect(value == ["a": 3, "b": 2])
    }

    @Test("Missing dictionaries on a path are created; a scalar on it is replaced")
    func nestedSetting() throws {
        var value = MutableFleeceDictionary(try dictionary(#"{"a":1,"list":[{}]}"#))
        value["x"]["y"]["z"] = "new"
        value["a"]["b"] = 2
        value["list"][0]["c"] = 3
        value["list"][1] = 4
        value["list"]["no array then"] = nil
        value["a"][0] = 5
        #expect(
            value == ["x": ["y": ["z": "new"]], "a": ["b": 2], "list": [["c": 3]]])
        value["q"]["r"]["s"] = nil
        value["list"][0]["none"]["deep"] = nil
        #expect(value["q"] == nil)
        #expect(value["list"] == [["c": 3]])
        value["list"]["is"] = "replaced"
        #expect(value["list"] == ["is": "replaced"])
    }

    @Test("Setting nil removes, and the count is correct after any changes")
    func removal() throws {
        var value = MutableFleeceDictionary(try dictionary(#"{"a":1,"b":2,"c":3}"#))
        #expect(value.count == 3)
        #expect(!value.isChanged)
        value["a"] = nil
        #expect(value.count == 2)
        #expect(value.isChanged)
        value["a"] = 5
        #expect(value.count == 3)
        #expect(value["a"]?.int == 5)
        value["a"] = nil
        value["a"] = nil
        #expect(value.count == 2)
        value["d"] = 1
        value["d"] = 2
        #expect(value.count == 3)
        value["d"] = nil
        value["missing"] = nil
        #expect(value.count == 2)
        #expect(value.keys == ["b", "c"])
        value.removeAll()
        #expect(value.isEmpty)
        #expect(value.keys == [])
    }

    @Test("A property set back to its old value is not a change")
    func setBack() throws {
        let source = try dictionary(#"{"a":[1],"b":2}"#)
        var value = MutableFleeceDictionary(source)
        value["a"] = nil
        value["a"] = source["a"].map { .value($0) }
        #expect(!value.isChanged)
        #expect(value.count == 2)
        value["missing"] = nil
        value["missing"]["x"] = nil
        #expect(!value.isChanged)
        value["a"][7] = 1
        value["a"]?.array?.removeAll { $0.int == 8 }
        value["a"]?.dictionary?["x"] = 1
        #expect(!value.isChanged)
        var array = try #require(source["a"]?.array.map { MutableFleeceArray($0) })
        array[at: 0] = source["a"]?.array.map { .value($0[0]) }
        array[at: 7] = 1
        #expect(!array.isChanged)
        array[0] = 2
        #expect(array.isChanged)
    }

    @Test("Iteration is in the order of keys, numeric ones first")
    func order() throws {
        let keys = table(["zeta", "alpha"])
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.writeJSON(#"{"two words":1,"alpha":2,"zeta":3,"an é":4}"#)
        let document = try FleeceDocument(trusted: encoder.finish(), sharedKeys: keys)
        var value = MutableFleeceDictionary(try #require(document.root.dictionary))
        #expect(value.keys == ["zeta", "alpha", "an é", "two words"])
        value["b"] = 1
        value["to"] = 1
        value["zeta"] = nil
        #expect(value.keys == ["alpha", "an é", "b", "to", "two words"])
        value["zeta"] = 9
        #expect(value.map { $0.value.int } == [9, 2, 4, 1, 1, 1])
        let new: MutableFleeceDictionary = ["é": 1, "z": 2, "Z": 3]
        #expect(new.keys == ["Z", "z", "é"])
    }

    @Test("Keys are distinguished by their bytes")
    func keyBytes() {
        let value: MutableFleeceDictionary = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(value.count == 2)
        #expect(value["\u{E9}"]?.int == 1)
        #expect(value["e\u{301}"]?.int == 2)
        #expect(MutableFleeceValue("\u{E9}") != "e\u{301}")
    }

    @Test("Undefined and deleted inherited properties count as missing")
    func undefined() throws {
        // {"a":undefined,"b":1}
        let document = try FleeceDocument(trusted: bytes("7002 4161 3c00 4162 0001 8005"))
        var deleting = MutableFleeceDictionary(try #require(document.root.dictionary))
        #expect(deleting.count == 1)
        #expect(deleting.keys == ["b"])
        deleting["a"] = 7
        #expect(deleting.count == 2)
        deleting["b"] = .value(FleeceValue(document: document, raw: .undefined))
        #expect(deleting.count == 1)
        #expect(deleting == ["a": 7])
        // {"foo":123,"bar":"hello"}, and a child dictionary of it without foo.
        let child = try FleeceDocument(
            trusted: bytes(
                "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005"
                    + "4366 6f6f 7002 0800 800a 8005 3c00 8005"))
        var value = MutableFleeceDictionary(try #require(child.root.dictionary))
        #expect(value == ["bar": "hello"])
        value["foo"] = 1
        #expect(value.count == 2)
        #expect(value.keys == ["bar", "foo"])
    }

    @Test("Arrays are changed like Swift's arrays")
    func arrays() throws {
        var array = try MutableFleeceArray(json: #"[1,"two",[3],{"four":4}]"#)
        array.append(5)
        array.insert(.null, at: 0)
        array.remove(at: 1)
        array[2].array?.append("x")
        array[3]["five"] = 5
        array[at: -1] = "last"
        #expect(array == [.null, "two", [3, "x"], ["four": 4, "five": 5], "last"])
        array[at: 0] = nil
        array.removeLast()
        array.swapAt(0, 1)
        array += [true]
        #expect(array == [[3, "x"], "two", ["four": 4, "five": 5], true])
        array.removeAll { $0.kind == .array }
        #expect(array.count == 3)
        array.removeAll()
        #expect(array.isEmpty)
    }

    @Test("An emptied collection counts as changed")
    func emptying() throws {
        var array = try MutableFleeceArray(json: "[1,2]")
        array.removeAll()
        #expect(array.isEmpty)
        #expect(array.isChanged)
        #expect(array == [])
        array.append(3)
        #expect(array == [3])
        var none = try MutableFleeceArray(json: "[]")
        none.removeAll()
        #expect(!none.isChanged)
        var value = MutableFleeceDictionary(try dictionary(#"{"a":1,"tags":["b"],"in":{"c":1}}"#))
        value["tags"]?.array?.removeAll()
        value["in"]?.dictionary?.removeAll()
        #expect(value == ["a": 1, "tags": [], "in": [:]])
        value.removeAll()
        #expect(value.isChanged)
        #expect(value == [:])
        var nothing = MutableFleeceDictionary()
        nothing.removeAll()
        #expect(!nothing.isChanged)
    }

    @Test("A change does not affect copies")
    func independence() throws {
        let original = try MutableFleeceDictionary(json: #"{"a":{"b":[1,2]},"c":3}"#)
        var first = original
        first["a"]["b"][0] = 10
        var second = first
        second["a"]["b"][0] = 20
        second["a"]["b"]?.array?.append(30)
        second["c"] = nil
        #expect(original == ["a": ["b": [1, 2]], "c": 3])
        #expect(first == ["a": ["b": [10, 2]], "c": 3])
        #expect(second == ["a": ["b": [20, 2, 30]]])
    }

    @Test("Paths read and set nested values")
    func paths() throws {
        var value = try MutableFleeceDictionary(json: #"{"a":{"b":[1,{"c":2}]}}"#)
        func path(_ text: String) throws -> PropertyPath { try PropertyPath(parsing: text) }
        #expect(value[try path("a.b[1].c")]?.int == 2)
        #expect(value[try path("a.b[-1].c")]?.int == 2)
        #expect(value[try path("a.x.c")] == nil)
        #expect(value[try path("[0]")] == nil)
        value[try path("a.b[-1].c")] = 3
        value[try path("a.b[0]")] = nil
        value[try path("a.b[5].c")] = "nowhere"
        value[try path("[5]")] = "nowhere"
        value[try path("new.path")] = [0]
        value[try path("new.path[0]")] = "x"
        value[try path("gone.path")] = nil
        #expect(value == ["a": ["b": [["c": 3]]], "new": ["path": ["x"]]])
        var outer = MutableFleeceValue.dictionary(value)
        outer[try path("a.b")] = nil
        #expect(outer == ["a": [:], "new": ["path": ["x"]]])
        outer[try path("$")] = 5
        #expect(outer == 5)
        var array: MutableFleeceArray = [["a": 1]]
        array[try path("[0].a")] = 2
        #expect(array[try path("[-1].a")] == 2)
        array[try path("x")] = 2
        #expect(array == [["a": 2]])
    }

    @Test("A path of very many steps is followed, but cannot be set")
    func longPath() {
        let path = PropertyPath(Array(repeating: .key("a"), count: 200_000))
        var value: MutableFleeceValue = ["a": ["a": 1]]
        value[path] = 1
        #expect(value[path] == nil)
        #expect(value == ["a": ["a": 1]])
    }

    @Test(
        "Values with the same meaning are equal, in memory or in a document",
        arguments: [
            (1, 1.0, true), (.uint(1), .int(1), true), (.float(0.5), .double(0.5), true),
            (.uint(.max), .int(-1), false), (0.0, -0.0, true), (.null, false, false),
            (.null, .null, true),
            (1, true, false),
            ("a", "a", true), ("a", .data([97]), false), ([], [:], false),
            ([1, 2], [1, 2.0], true),
            ([1, 2], [2, 1], false), ([1], [1, 1], false), (["a": 1], ["a": 1], true),
            (["a": 1], ["b": 1], false), (["a": 1], ["a": 1, "b": 2], false),
            ([["a": [1]]], [["a": [2]]], false),
        ] as [(MutableFleeceValue, MutableFleeceValue, Bool)])
    func equality(left: MutableFleeceValue, right: MutableFleeceValue, areEqual: Bool) throws {
        #expect((left == right) == areEqual)
        #expect((right == left) == areEqual)
        if areEqual { #expect(left.hashValue == right.hashValue) }
    }

    @Test("A deeply nested value is compared in a loop")
    func deepEquality() {
        func nested() -> MutableFleeceValue {
            (0..<2000).reduce(1) { value, _ in [value] }
        }
        #expect(nested() == nested())
        #expect(nested() != [nested()])
    }

    @Test("Deeply nested values are changed in place, not copied", .timeLimit(.minutes(20)))
    func inPlace() {
        var value: MutableFleeceValue = ["outer": ["large": [:], "list": []]]
        for number in 0..<30_000 {
            value["outer"]["large"]["key \(number)"] = .int(Int64(number))
            value["outer"]["list"]?.array?.append(.int(Int64(number)))
        }
        for number in 0..<30_000 {
            value["outer"]["large"]["key \(number)"] = "changed"
            value["outer"]["list"][number] = "changed"
        }
        #expect(value["outer"]["large"]?.dictionary?.count == 30_000)
        #expect(value["outer"]["list"][29_999] == "changed")
    }

    private func dictionary(_ json: String) throws -> FleeceDictionary {
        try #require(FleeceDocument(trusted: encoded(json: json)).root.dictionary)
    }
}
