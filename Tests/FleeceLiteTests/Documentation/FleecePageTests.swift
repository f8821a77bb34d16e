import Foundation
import ProjectTestSupport
import Testing

@testable import FleeceLite

/// An example of docs/fleece.md: a block of lines that begin with `keys`, `base`, then `json`,
/// `copy` or `reads`, then `hex`, and then those of a dump.
struct PageExample: Sendable, CustomTestStringConvertible {
    var keys: String?
    /// What encodes as the bytes, and is read from them.
    var json: String?
    /// What encodes as the bytes when it is copied from another document.
    var copy: String?
    /// The document that extern pointers lead into.
    var base: String?
    /// What is read from the bytes alone.
    var reads: String?
    var hex = ""
    var dump = ""

    var testDescription: String { value ?? hex }

    /// What is read from the bytes.
    var value: String? { json ?? copy ?? reads }

    init(_ block: [Substring]) throws {
        for line in block {
            let parts = line.split(separator: " ", maxSplits: 1)
            let rest = parts.last?.trimmingCharacters(in: .whitespaces) ?? ""
            switch parts.first {
            case "keys": keys = rest
            case "json": json = rest
            case "reads": reads = rest
            case "copy": copy = rest
            case "base": base = rest
            case "hex": hex = rest
            default: dump += line + "\n"
            }
        }
    }

    static let page: Result<String, any Error> = Result {
        try String(
            contentsOf: PackageDirectory.url.appending(path: "docs/fleece.md"), encoding: .utf8)
    }

    static let all: [PageExample] = {
        guard let page = try? page.get() else { return [] }
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        var examples: [PageExample] = []
        var block: [Substring]?
        for line in lines {
            if line == "```fleece" {
                block = []
            } else if line == "```", let whole = block {
                if let example = try? PageExample(whole) { examples.append(example) }
                block = nil
            } else {
                block?.append(line)
            }
        }
        return examples
    }()

    /// The table of the line `keys`.
    func sharedKeys() throws -> SharedKeys {
        try keys.map { try SharedKeys(state: encoded(json: $0)) } ?? SharedKeys()
    }
}

@Suite("docs/fleece.md")
struct FleecePageTests {
    @Test("The page has its examples")
    func page() throws {
        let page = try PageExample.page.get()
        let blocks = page.split(separator: "\n").filter { $0 == "```fleece" }
        #expect(PageExample.all.count == blocks.count)
        #expect(PageExample.all.count >= 20)
        #expect(PageExample.all.filter { $0.dump.isEmpty }.count < PageExample.all.count / 2)
        #expect(PageExample.all.filter { $0.value == nil }.count == 2)
    }

    @Test("The bytes are those of the JSON", arguments: PageExample.all.filter { $0.json != nil })
    func encoding(_ example: PageExample) throws {
        let json = try #require(example.json)
        var encoder = FleeceEncoder(sharedKeys: example.keys.map { _ in SharedKeys() })
        if json.hasPrefix("[") || json.hasPrefix("{") {
            try encoder.writeJSON(json)
        } else {
            // The root of JSON is a collection; these scalars are integers.
            encoder.writeUInt(try #require(UInt64(json)))
        }
        #expect(try hex(encoder.finish()) == example.hex)
        #expect(try encoder.sharedKeys?.keys ?? [] == example.sharedKeys().keys)
    }

    @Test(
        "The bytes are those of the copied value",
        arguments: PageExample.all.filter { $0.copy != nil })
    func copying(_ example: PageExample) throws {
        let source = try encoded(json: #require(example.copy))
        let value = try FleeceDocument(trusted: source).root
        #expect(try hex(encoded { try $0.write(value) }) == example.hex)
    }

    @Test(
        "The bytes are read as the JSON",
        arguments: PageExample.all.filter { $0.value != nil })
    func decoding(_ example: PageExample) throws {
        let expected = try #require(example.value)
        let base = try example.base.map { try FleeceDocument(trusted: bytes($0)) }
        let document = try FleeceDocument(
            trusted: bytes(example.hex), sharedKeys: example.sharedKeys(), base: base)
        if base == nil {
            _ = try FleeceDocument(
                validating: bytes(example.hex), sharedKeys: example.sharedKeys(), level: .strict)
        }
        guard expected.hasPrefix("[") || expected.hasPrefix("{") else {
            return #expect(document.root.text == expected)
        }
        // Pairs are in another order there.
        let value = try FleeceDocument(trusted: encoded(json: expected)).root
        #expect(document.root == value)
    }

    @Test("The dump is that of the bytes", arguments: PageExample.all.filter { !$0.dump.isEmpty })
    func dump(_ example: PageExample) throws {
        let dump = try FleeceDump(
            bytes(example.hex), sharedKeys: example.sharedKeys(), base: bytes(example.base ?? ""))
        #expect(dump.description == example.dump)
    }

    @Test(
        "The table of limits has the constants",
        arguments: [
            ("jsonDepth", FleeceLimits.jsonDepth), ("walkDepth", FleeceLimits.walkDepth),
            ("sharedKeys", FleeceLimits.sharedKeys),
            ("sharedKeyLength", FleeceLimits.sharedKeyLength),
            ("narrowReach", FleeceLimits.narrowReach), ("wideReach", FleeceLimits.wideReach),
            ("longCount", FleeceLimits.longCount),
            ("sharedStringMargin", FleeceLimits.sharedStringMargin),
            ("parents", FleeceLimits.parents), ("mergedPairs", FleeceLimits.mergedPairs),
            ("copiedBytes", FleeceLimits.copiedBytes),
            ("pointerChain", FleeceLimits.pointerChain),
            ("deepValues", FleeceLimits.deepValues),
            ("deepKeyBytes", FleeceLimits.deepKeyBytes),
            ("descriptionLength", FleeceLimits.descriptionLength),
        ])
    func limits(name: String, value: Int) throws {
        #expect(try PageExample.page.get().contains("| `\(name)` | \(value) | "))
    }
}
