import Testing

import FleeceLite

@Suite("Reading: dictionaries")
struct DictionaryTests {
    /// Example 45, {"foo":123,"bar":"hello"}, to which the others are appended.
    private static let base =
        "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005"

    struct Child: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hex: String
        let value: Tree
        let foo: Int64?
    }

    static let children = [
        Child(
            testDescription: "46: foo is replaced",
            hex: "4366 6f6f 7002 0800 800a 8005 01c8 8005",
            value: ["bar": "hello", "foo": 456], foo: 456),
        Child(
            testDescription: "48: foo is deleted",
            hex: "4366 6f6f 7002 0800 800a 8005 3c00 8005",
            value: ["bar": "hello"], foo: nil),
        Child(
            testDescription: "49: the root is the base's",
            hex: "8006", value: ["bar": "hello", "foo": 123], foo: 123),
        Child(
            testDescription: "nothing is changed", hex: "7001 0800 8008 8003",
            value: ["bar": "hello", "foo": 123], foo: 123),
        Child(
            testDescription: "a key is added",
            hex: "7002 0800 8008 417a 0001 8005",
            value: ["bar": "hello", "foo": 123, "z": 1], foo: 123),
    ]

    @Test(
        "A dictionary inherits the pairs that it does not override or delete", arguments: children)
    func inheritance(_ child: Child) throws {
        let document = try FleeceDocument(trusted: bytes(Self.base + child.hex))
        #expect(Tree(document.root) == child.value)
        let dictionary = document.root.dictionary
        #expect(dictionary?["foo"]?.int == child.foo)
        #expect(dictionary?["bar"]?.string == "hello")
        #expect(dictionary?["baz"] == nil)
        #expect(dictionary?.count == dictionary?.keys.count)
        #expect(dictionary?.isEmpty == false)
    }

    @Test("JSON contains the inherited pairs, in the order of their keys")
    func inheritedJSON() throws {
        let replaced = try bytes(Self.base + "4366 6f6f 7002 0800 800a 8005 01c8 8005")
        #expect(try json(replaced) == #"{"bar":"hello","foo":456}"#)
        let deleted = try bytes(Self.base + "4366 6f6f 7002 0800 800a 8005 3c00 8005")
        #expect(try json(deleted) == #"{"bar":"hello"}"#)
    }

    @Test("A dictionary that deletes all inherited pairs is empty")
    func allDeleted() throws {
        let hex = "7001 4161 0001 7002 0800 8005 4161 3c00 8005"
        let document = try FleeceDocument(trusted: bytes(hex))
        #expect(document.root.dictionary?.isEmpty == true)
        #expect(document.root.dictionary?.keys == [])
        #expect(document.root["a"] == nil)
        var pretty = JSONWriter.Options()
        pretty.pretty = true
        #expect(try json(bytes(hex)) == "{}")
        #expect(try json(bytes(hex), options: pretty) == "{}")
    }

    @Test("Inheritance extends over several parents, by number and by string")
    func grandparents() throws {
        let keys = table(["a", "b", "c"])
        // {a:1} <- {b:2} <- {a:undefined, c:3}
        let hex = "7001 0000 0001 7002 0800 8005 0001 0002 7003 0800 8007 0000 3c00 0002 0003 8007"
        let document = try FleeceDocument(trusted: bytes(hex), sharedKeys: keys)
        #expect(Tree(document.root) == ["b": 2, "c": 3])
        #expect(document.root["a"] == nil)
        #expect(document.root["b"]?.int == 2)
        #expect(document.root["c"]?.int == 3)
        #expect(document.root.dictionary?.count == 2)
    }

    @Test("A child dictionary with string keys inherits numeric ones, and vice versa")
    func mixedForms() throws {
        let keys = table(["a", "zz"])
        // {zz:1} <- {"b b":2}; a lookup in the child is by string, in its parent by number.
        let textChild = "4362 2062 7001 0001 0001 7002 0800 8005 8008 0002 8005"
        let first = try FleeceDocument(trusted: bytes(textChild), sharedKeys: keys)
        #expect(first.root["zz"]?.int == 1)
        #expect(first.root["b b"]?.int == 2)
        #expect(first.root["a"] == nil)
        #expect(Tree(first.root) == ["zz": 1, "b b": 2])
        // {"b b":2} <- {zz:1}
        let numberChild = "4362 2062 7001 8003 0002 7002 0800 8005 0001 0001 8005"
        let second = try FleeceDocument(trusted: bytes(numberChild), sharedKeys: keys)
        #expect(second.root["zz"]?.int == 1)
        #expect(second.root["b b"]?.int == 2)
        #expect(second.root["a"] == nil)
        #expect(Tree(second.root) == ["zz": 1, "b b": 2])
    }

    @Test("Example 47: a pointer into another document has no target")
    func externPointer() throws {
        let hex = Self.base + "4366 6f6f 7002 0800 c00a 8005 01c8 8005"
        let document = try FleeceDocument(trusted: bytes(hex))
        #expect(document.root["foo"]?.int == 456)
        #expect(document.root["bar"] == nil)
        #expect(code { _ = try json(bytes(hex)) } == .invalidData)
        // The same in 4 bytes: it would lead to "hi" without the flag.
        #expect(try Tree(hex: "4268 6900 6801 8000 0003 8003") == ["hi"])
        #expect(try Tree(hex: "4268 6900 6801 c000 0003 8003") == [.undefined])
    }

    @Test("Example 40: numeric keys are found by their text")
    func numericKeys() throws {
        let hex = "7003 0000 0017 0001 002a 07ff 0fff 8007"
        let names = (0..<2048).map { "k\($0)" }
        let document = try FleeceDocument(trusted: bytes(hex), sharedKeys: table(names))
        #expect(Tree(document.root) == ["k0": 23, "k1": 42, "k2047": -1])
        #expect(document.root["k2047"]?.int == -1)
        #expect(document.root["k2"] == nil)
    }

    @Test("A number that the table lacks is left out, and an error in JSON")
    func unknownNumber() throws {
        let hex = "7003 0000 0017 0001 002a 07ff 0fff 8007"
        let keys = table(["first"])
        let document = try FleeceDocument(trusted: bytes(hex), sharedKeys: keys)
        #expect(Tree(document.root) == ["first": 23])
        #expect(code { _ = try json(bytes(hex), sharedKeys: keys) } == .invalidData)
    }

    @Test("A dictionary of strings alone is searched by string, regardless of the table")
    func textInsideTable() throws {
        let document = try FleeceDocument(
            trusted: encoded(json: #"{"name":1,"zz top":2}"#), sharedKeys: table(["name"]))
        #expect(document.root["name"]?.int == 1)
        #expect(document.root["zz top"]?.int == 2)
    }

    @Test("Example 58: undefined is counted and yielded, but is not a value of its key")
    func undefined() throws {
        let document = try FleeceDocument(trusted: bytes("7002 4161 3c00 4162 0001 8005"))
        #expect(document.root.dictionary?.count == 2)
        #expect(document.root.dictionary?.keys == ["a", "b"])
        #expect(document.root["a"] == nil)
        #expect(document.root["b"]?.int == 1)
    }

    @Test(
        "Every key of a dictionary is found, and no other", arguments: [1, 2, 3, 7, 32, 33, 1000])
    func lookup(count: Int) throws {
        let names = (0..<count).map { "key \($0 * 7919 % 10_007)" }
        let object = names.enumerated().map { #""\#($1)":\#($0)"# }.joined(separator: ",")
        let document = try FleeceDocument(trusted: encoded(json: "{\(object)}"))
        let places = Dictionary(uniqueKeysWithValues: zip(names, Int64(0)...))
        for name in names {
            #expect(document.root[name]?.int == places[name], "\(name)")
            #expect(document.root[name + "x"] == nil, "\(name)")
            let shorter = String(name.dropLast())
            #expect(document.root[shorter]?.int == places[shorter], "\(shorter)")
        }
        #expect(document.root[""] == nil)
        #expect(document.root.dictionary?.count == count)
    }

    @Test("Values other than dictionaries have no keys")
    func otherKinds() throws {
        let array = try FleeceDocument(trusted: encoded(json: #"["a"]"#))
        #expect(array.root["a"] == nil)
        #expect(array.root.dictionary == nil)
        #expect(array.root.array?[0]["a"] == nil)
        #expect(array.root.string == nil && array.root.int == nil && array.root.bool == nil)
    }
}
