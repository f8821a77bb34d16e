import SampleData
import Testing

import FleeceLite

@Suite("Deep iteration", .timeLimit(.minutes(20)))
struct DeepValuesTests {
    private static func root(_ json: String) throws -> FleeceValue {
        try FleeceDocument(trusted: encoded(json: json)).root
    }

    private static let example = #"{"b":[1,{"c":2}],"a/b~":{"d":3},"e f":null,"x.y[":[[],[true]]}"#

    @Test("Each value comes before its children, which come before its next sibling")
    func preorder() throws {
        let items = try Self.root(Self.example).deepValues().map { try $0.get() }
        #expect(
            items.map(\.pointer.description) == [
                "", "/a~1b~0", "/a~1b~0/d", "/b", "/b/0", "/b/1", "/b/1/c", "/e f", "/x.y[",
                "/x.y[/0", "/x.y[/1", "/x.y[/1/0",
            ])
        #expect(
            items.map(\.pathText) == [
                "$", "a/b~", "a/b~.d", "b", "b[0]", "b[1]", "b[1].c", "e f", #"x\.y\["#,
                #"x\.y\[[0]"#, #"x\.y\[[1]"#, #"x\.y\[[1][0]"#,
            ])
        #expect(items.map(\.depth) == [0, 1, 2, 1, 2, 2, 3, 1, 1, 2, 2, 3])
    }

    @Test("An item has its value, its parent and the step between them")
    func items() throws {
        let items = try Self.root(Self.example).deepValues().map { try $0.get() }
        #expect(items[0].parent == nil && items[0].component == nil)
        #expect(items[0].key == nil && items[0].index == nil)
        #expect(items[2].key == "d" && items[2].index == nil && items[2].value.int == 3)
        #expect(items[2].parent?.dictionary?.keys == ["d"])
        #expect(items[5].key == nil && items[5].index == 1 && items[5].component == .index(1))
        #expect(items[5].parent?.array?.count == 2)
        #expect(items[5].value["c"]?.int == 2)
        #expect(items[11].value.bool == true && items[11].parent?.array?.count == 1)
    }

    @Test("A scalar and an empty collection yield only themselves")
    func alone() throws {
        for hex in ["3000", "07ff", "6000", "7000", "4568 656c 6c6f 8003"] {
            let document = try FleeceDocument(trusted: bytes(hex))
            let items = try document.root.deepValues().map { try $0.get() }
            #expect(items.map(\.pointer.description) == [""], "\(hex)")
            #expect(items.map(\.value.kind) == [document.root.kind], "\(hex)")
        }
    }

    @Test("skipChildren skips only the children of the last value")
    func skipping() throws {
        var iterator = try Self.root(Self.example).deepValues().makeIterator()
        // There is nothing to skip yet.
        iterator.skipChildren()
        var seen: [String] = []
        while let item = try iterator.next()?.get() {
            seen.append(item.pathText)
            if ["b[1]", "x\\.y\\["].contains(item.pathText) { iterator.skipChildren() }
            // A scalar has no children.
            if item.key == "d" { iterator.skipChildren() }
        }
        #expect(seen == ["$", "a/b~", "a/b~.d", "b", "b[0]", "b[1]", "e f", #"x\.y\["#])
        #expect(iterator.next() == nil)
        var nothing = try Self.root(Self.example).deepValues().makeIterator()
        #expect(try nothing.next()?.get().depth == 0)
        nothing.skipChildren()
        #expect(nothing.next() == nil)
    }

    @Test("Inherited pairs are merged in, without deleted ones and the parent's key")
    func inheritance() throws {
        let keys = table(["a", "b", "c"])
        let hex = "7001 0000 0001 7002 0800 8005 0001 0002 7003 0800 8007 0000 3c00 0002 0003 8007"
        let document = try FleeceDocument(trusted: bytes(hex), sharedKeys: keys)
        let items = try document.root.deepValues().map { try $0.get() }
        #expect(items.map(\.pathText) == ["$", "b", "c"])
        #expect(items.map(\.value.int) == [nil, 2, 3])
    }

    @Test("undefined is yielded; a key without a text is left out")
    func undefined() throws {
        let document = try FleeceDocument(trusted: bytes("7002 4161 3c00 4162 0001 8005"))
        #expect(try document.root.deepValues().map { try $0.get().pathText } == ["$", "a", "b"])
        let numbers = try FleeceDocument(
            trusted: bytes("7002 0000 0001 0001 0002 8005"), sharedKeys: table(["a"]))
        #expect(try numbers.root.deepValues().map { try $0.get().pathText } == ["$", "a"])
    }

    @Test("A path and a pointer lead to the same value, in random documents")
    func waysBack() throws {
        var random = RandomJSON(random: SeededGenerator(for: "Ways back"))
        var values = 0
        // Every fiftieth document is a large one, which adds nothing here.
        for number in 0..<300 where number % 50 != 49 {
            let json = random.document(number)
            let root = try Self.root(json)
            for item in root.deepValues() {
                let item = try item.get()
                values += 1
                #expect(
                    root[item.path].map { $0 == item.value } == true, "\(item.pathText) \(json)")
                #expect(root[item.pointer] == item.value, "\(item.pointer) \(json)")
                let read = try JSONPointer(parsing: item.pointer.description)
                #expect(read == item.pointer)
            }
        }
        #expect(values > 3000)
    }

    @Test("An exceeded limit is a failure that ends the iteration")
    func limit() throws {
        let root = try Self.root("[1,[2,3],4]")
        #expect(try root.deepValues(limit: 6).map { try $0.get() }.count == 6)
        for limit in 0..<6 {
            let results = Array(root.deepValues(limit: limit))
            #expect(results.count == limit + 1)
            #expect(code { _ = try results.last?.get() } == .outOfRange)
            #expect(results.dropLast().allSatisfy { (try? $0.get()) != nil })
        }
    }

    @Test("A small document that stands for 2^60 values is a failure early")
    func doubling() throws {
        let document = try FleeceDocument(trusted: Hostile.doubling(levels: 60))
        let results = Array(document.root.deepValues(limit: 10_000))
        #expect(results.count == 10_001)
        #expect(code { _ = try results.last?.get() } == .outOfRange)
        #expect(FleeceLimits.deepValues == 4_194_304)
    }

    @Test("512 levels are traversed, more are a failure unless they are skipped")
    func depth() throws {
        let deep = try FleeceDocument(trusted: Hostile.nested(levels: 512))
        #expect(try deep.root.deepValues().map { try $0.get().depth }.last == 511)
        let deeper = try FleeceDocument(trusted: Hostile.nestedDictionaries(levels: 513))
        let results = Array(deeper.root.deepValues())
        #expect(results.count == 514)
        #expect(code { _ = try results.last?.get() } == .outOfRange)
        var iterator = deeper.root.deepValues().makeIterator()
        while let item = try iterator.next()?.get() {
            if item.depth == 512 { iterator.skipChildren() }
        }
    }

    @Test("Parents that are merged repeatedly are a failure early")
    func merging() throws {
        let document = try FleeceDocument(
            trusted: Hostile.disinherited(pairs: 1000, levels: 8, uses: 2000),
            sharedKeys: table((0..<1000).map { "k\($0)" }))
        let results = Array(document.root.deepValues())
        #expect(code { _ = try results.last?.get() } == .outOfRange)
        let children = try FleeceDocument(trusted: Hostile.generations(count: 9))
        #expect(code { _ = try Array(children.root.deepValues()).last?.get() } == .outOfRange)
    }

    @Test("A long key of many pairs is a failure early")
    func longKey() throws {
        let document = try FleeceDocument(
            trusted: Hostile.oneKey(length: 1 << 20, pairs: 10_000))
        var count = 0
        var last: Result<DeepItem, FleeceError>?
        for result in document.root.deepValues() { (count, last) = (count + 1, result) }
        // The root, then 256 keys of 1 MiB, and the failure.
        #expect(count == 258)
        #expect(code { _ = try last?.get() } == .outOfRange)
    }

    @Test("An unreadable value has no children")
    func corrupt() throws {
        // The array's second slot leads before the document; a dictionary is truncated.
        let document = try FleeceDocument(trusted: bytes("7001 3000 6002 8003 ffff 8003"))
        let items = try document.root.deepValues().map { try $0.get() }
        #expect(items.map(\.value.kind) == [.array, .dictionary, .undefined])
    }
}
