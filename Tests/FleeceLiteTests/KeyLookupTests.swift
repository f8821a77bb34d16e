import SampleData
import Testing

@testable import FleeceLite

@Suite("Lookup: keys by their text")
struct KeyLookupTests {
    /// 90 keys, more than a document has hints: empty, short, of a length around that of a word
    /// and of a shared key, with a common beginning, and not ASCII.
    private static let keys: [String] =
        ["", "a", "b", "é", "name", "nam", "names", "longitude", "longitud", "latitude"]
        + (1...20).map { String(repeating: "k", count: $0) }
        + (0..<60).map { "key\($0)" }

    /// Dictionaries of different keys in one document, some of them with 4-byte slots, since
    /// strings of over 32 KiB stand between.
    private static func document(
        _ random: inout SeededGenerator, shared: SharedKeys?
    ) throws -> FleeceDocument {
        var encoder = FleeceEncoder(sharedKeys: shared)
        encoder.beginArray()
        for _ in 0..<120 {
            encoder.beginDictionary()
            let share = Double.random(in: 0...0.4, using: &random)
            for (index, key) in keys.shuffled(using: &random).enumerated()
            where Double.random(in: 0..<1, using: &random) < share {
                try encoder.writeKey(key)
                if Int.random(in: 0..<200, using: &random) == 0 {
                    encoder.writeString(String(repeating: "long ", count: 8000))
                } else {
                    encoder.writeInt(index)
                }
            }
            try encoder.endDictionary()
        }
        try encoder.endArray()
        let bytes = try encoder.finish()
        return try FleeceDocument(
            trusted: bytes, sharedKeys: encoder.sharedKeys ?? SharedKeys())
    }

    /// The values of all keys in all dictionaries, in an order of its own for each generator.
    private static func lookUpAll(
        _ document: FleeceDocument, _ random: inout SeededGenerator
    ) -> [String] {
        let dictionaries = document.root.array.map { $0.compactMap(\.dictionary) } ?? []
        var failures: [String] = []
        for dictionary in dictionaries.shuffled(using: &random) {
            let expected = Dictionary(uniqueKeysWithValues: dictionary.map { ($0.key, $0.value) })
            for key in keys.shuffled(using: &random) where dictionary[key] != expected[key] {
                failures.append(key)
            }
        }
        return failures
    }

    @Test("Every key is found where it is, and nowhere else", arguments: [false, true])
    func allKeys(areShared: Bool) throws {
        var random = SeededGenerator(for: "Keys by their text")
        for _ in 0..<5 {
            let document = try Self.document(&random, shared: areShared ? SharedKeys() : nil)
            #expect(Self.lookUpAll(document, &random) == [])
            document.withUnsafeRoot { root in
                root.forEachElement { element in
                    var pairs: [String: Int64?] = [:]
                    element.dictionary?.forEachPair {
                        pairs[String(decoding: $0, as: UTF8.self)] = $1.int
                    }
                    #expect(pairs.count == element.dictionary?.ownCount)
                    for key in Self.keys { #expect(element[key]?.int == pairs[key] ?? nil) }
                }
            }
        }
    }

    @Test("Threads that read one document do not mislead each other")
    func threads() async throws {
        var random = SeededGenerator(for: "Threads and hints")
        let document = try Self.document(&random, shared: SharedKeys())
        let seeds = (0..<4).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        await withTaskGroup(of: [String].self) { group in
            for seed in seeds {
                group.addTask {
                    var random = SeededGenerator(seed: seed)
                    return Self.lookUpAll(document, &random)
                }
            }
            for await failures in group { #expect(failures == []) }
        }
    }

    @Test("A text that stands where a number should be is never found, whatever was found before")
    func textBesideNumbers() throws {
        // [{"aa": 3, "bb": 1}, {0: 1, "bb": 2}], where "bb" has the number 0: an encoder does not
        // write the second dictionary.
        var keys = SharedKeys()
        _ = keys.add("bb")
        let bytes = try bytes(
            "4261 6100 4262 6200 7002 8005 0003 8005 0001 7002 0000 0001 800a 0002"
                + " 6002 800b 8007 8003")
        let document = try FleeceDocument(trusted: bytes, sharedKeys: keys)
        let first = try #require(document.root[0]?.dictionary)
        let second = try #require(document.root[1]?.dictionary)
        #expect(first["bb"]?.int == 1)
        #expect(second["bb"]?.int == 1)
    }
}
