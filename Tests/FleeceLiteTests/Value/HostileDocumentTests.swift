import Foundation
import StoreTestSupport
import Testing

import FleeceLite

@Suite("Safety: malicious documents", .timeLimit(.minutes(20)))
struct HostileDocumentTests {
    @Test("The innermost value of 2^60 paths is reached by one of them")
    func doubling() throws {
        let document = try FleeceDocument(trusted: Hostile.doubling(levels: 60))
        var value = document.root
        for _ in 0..<60 {
            #expect(value.array?.count == 2)
            guard let last = value.array?.last else { break }
            value = last
        }
        #expect(Tree(value) == [0, 0])
        var walk = DocumentWalk()
        walk.visit(document.root)
        #expect(walk.values >= 2000)
    }

    @Test("A dictionary that claims to be its own parent has none")
    func ownParent() throws {
        // The parent's pointer leads to the header of the dictionary itself, or out of the
        // document.
        for hex in ["7001 0800 8002 8003", "7001 0800 8000 8003", "7001 0800 8001 8003"] {
            let document = try FleeceDocument(trusted: bytes(hex))
            let dictionary = try #require(document.root.dictionary, "\(hex)")
            #expect(dictionary["a"] == nil, "\(hex)")
            #expect(dictionary.keys == [], "\(hex)")
            #expect(code { _ = try json(bytes(hex)) } == .invalidData, "\(hex)")
        }
    }

    @Test("Only a dictionary can be a parent", arguments: ["0001", "3000", "6000", "4161"])
    func otherParent(parent: String) throws {
        let document = try FleeceDocument(trusted: bytes("7002 0800 \(parent) 4161 0001 8005"))
        let dictionary = try #require(document.root.dictionary)
        #expect(dictionary["a"]?.int == 1)
        #expect(dictionary["b"] == nil)
        #expect(dictionary.keys == ["a"])
    }

    @Test(
        "As many parents as an encoder creates, and some more, are all inherited from",
        arguments: [1, 3, 8])
    func someParents(count: Int) throws {
        let document = try FleeceDocument(trusted: Hostile.generations(count: count))
        #expect(Tree(document.root) == ["a": 1])
        #expect(try json(Hostile.generations(count: count)) == #"{"a":1}"#)
    }

    @Test(
        "More than 8 parents are too many, for lookup, iteration and JSON alike",
        arguments: [9, 33, 100_000])
    func manyParents(count: Int) throws {
        let document = try FleeceDocument(trusted: Hostile.generations(count: count))
        let dictionary = try #require(document.root.dictionary)
        #expect(dictionary["a"] == nil)
        #expect(dictionary.keys == [])
        #expect(dictionary.count == 0)
        var writer = JSONWriter()
        #expect(code { try writer.write(document.root) } == .outOfRange)
        #expect(writer.text.utf8.isEmpty)
    }

    @Test("A long chain of pointers has no target")
    func pointerChain() throws {
        let pointers = Array(repeating: [UInt8]([0x80, 0, 0, 2]), count: 100_000).joined()
        let chain: [UInt8] = [0x42, 0x68, 0x69, 0] + pointers + [0x60, 1, 0x80, 3, 0x80, 2]
        let document = try FleeceDocument(trusted: chain)
        #expect(Tree(document.root) == [.undefined])
        #expect(code { _ = try json(chain) } == .invalidData)
    }

    @Test("Child dictionaries that delete all inherited pairs are empty")
    func disinherited() throws {
        let document = Hostile.disinherited(pairs: 3, levels: 4, uses: 2)
        let keys = table(["a", "b", "c"])
        #expect(try Tree(hex: hex(document), sharedKeys: keys) == [[:], [:]])
        #expect(try json(document, sharedKeys: keys) == "[{},{}]")
    }

    /// Such work writes nothing, so that a limit on the output does not limit it.
    @Test("A small document cannot keep the writer busy without output")
    func workWithoutOutput() throws {
        let document = try FleeceDocument(
            trusted: Hostile.disinherited(pairs: 1000, levels: 8, uses: 2000),
            sharedKeys: table((0..<1000).map { "k\($0)" }))
        #expect(document.bytes.count < 13_000)
        var writer = JSONWriter()
        var result: FleeceError.Code?
        let seconds = processorSeconds { result = code { try writer.write(document.root) } }
        #expect(result == .outOfRange)
        #expect(seconds < 5, "4 million pairs, in a debug build")
    }
}
