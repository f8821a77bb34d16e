import SampleData
import Testing

@testable import FleeceLite

@Suite("Lookup: keys by their text")
struct KeyLookupTests {
    /// 90 keys, more than the key cache has entries: empty, short, of a length around that of a
    /// word and of a shared key, with a common prefix, and not ASCII.
    private static let keys: [String] =
        ["", "a", "b", "é", "name", "nam", "names", "longitude", "longitud", "latitude"]
        + (1...20).map { String(repeating: "k", count: $0) }
        + (0..<60).map { "key\($0)" }

    /// Dictionaries of different keys in one document, some of them with 4-byte slots, since there
    /// are strings of over 32 KiB between them.
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

    /// The values of all keys in all dictionaries, in a separate order for each generator.
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

    @Test("Every key is found where it exists, and nowhere else", arguments: [false, true])
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

    @Test("Threads that read one document do not affect each other's results")
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

    @Test(
        "A corrupt key in a lookup is an error of a decoder, not a missing key",
        arguments: [
            // The only key's string overlaps its own slot.
            ("4c6b 6b6b 6b6b 6b6b 6b6b 7001 8006 0001 8003", "zzz"),
            // The keys are 0, null and 2.
            ("7003 0000 0001 3000 0002 0002 0003 8007", "c"),
        ])
    func corruptKeys(hex: String, key: String) throws {
        struct Property: Decodable {
            let value: Int64?

            struct Key: CodingKey {
                let stringValue: String
                let intValue: Int? = nil

                init(stringValue: String) {
                    self.stringValue = stringValue
                }

                init?(intValue: Int) { nil }
            }

            init(from decoder: any Decoder) throws {
                let name = decoder.userInfo[.propertyName] as? String ?? ""
                value = try decoder.container(keyedBy: Key.self)
                    .decodeIfPresent(Int64.self, forKey: Key(stringValue: name))
            }
        }
        var keys = SharedKeys()
        for key in ["a", "b", "c"] { _ = keys.add(key) }
        let document = try FleeceDocument(trusted: bytes(hex), sharedKeys: keys)
        var decoder = FleeceRowDecoder()
        decoder.userInfo[.propertyName] = key
        #expect(throws: DecodingError.self) {
            try decoder.decode(Property.self, from: document.root)
        }
    }

    @Test("A string key where a number is required is never found, whatever is cached")
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

extension CodingUserInfoKey {
    fileprivate static let propertyName = CodingUserInfoKey(rawValue: "property")
        .unsafelyUnwrapped
}

@Suite("Lookup: a few bytes at the end of memory")
struct EdgeLookupTests {
    private static let keys = ["", "a", "k", "kk", "kkkkkkk", "kkkkkkkk", "kkkkkkkkkkkkkkkk"]

    /// A dictionary of up to three pairs after a few bytes of text, whose pointers lead a few bytes
    /// back, into the text, before it, or to themselves.
    private static func dictionary(_ random: inout SeededGenerator) -> (bytes: [UInt8], at: Int) {
        let alphabet: [UInt8] = [
            0x40, 0x41, 0x42, 0x47, 0x48, 0x49, 0x4E, 0x4F, 0x6B, 0x6B, 0x6B, 0x61, 0, 1, 0x80,
            0xC0, 0x70, 0x78, 0x08, 0x3C,
        ]
        let isText = random.oneIn(2)
        var bytes = (0..<(2 * random.below(14))).map { _ in
            isText ? 0x6B : alphabet[random.below(alphabet.count)]
        }
        for _ in 0..<random.below(4) where !bytes.isEmpty {
            bytes[random.below(bytes.count)] = 0x40 | UInt8(random.below(16))
        }
        let at = bytes.count
        let isWide = random.oneIn(4)
        let pairs = 1 + random.below(3)
        bytes += [isWide ? 0x78 : 0x70, UInt8(pairs)]
        for _ in 0..<(2 * pairs) {
            let mark: UInt8 = random.oneIn(5) ? 0xC0 : 0x80
            let distance = UInt8(random.below(bytes.count / 2 + 3))
            switch random.below(10) {
            case 0:
                bytes += (0..<(isWide ? 4 : 2)).map { _ in alphabet[random.below(alphabet.count)] }
            case 1: bytes += isWide ? [0x41, 0x6B, 0, 0] : [0x41, 0x6B]
            case 2: bytes += isWide ? [0, 1, 0, 0] : [0, UInt8(random.below(4))]
            default: bytes += isWide ? [mark, 0, 0, distance] : [mark, distance]
            }
        }
        return (bytes, at)
    }

    @Test("Nothing is read outside a document, however small it is", .timeLimit(.minutes(20)))
    func edges() throws {
        var random = SeededGenerator(for: "Lookup at the edge")
        var table = SharedKeys()
        for key in Self.keys.dropFirst() { _ = table.add(key) }
        let documents = try [SharedKeys(), table].map {
            try FleeceDocument(trusted: [0x70, 0x00], sharedKeys: $0)
        }
        var prepared = documents.map { _ in Self.keys.map { FleeceKey($0) } }
        let memory = try GuardedBuffer(capacity: 256)
        var found = 0
        for round in 0..<200_000 {
            let (bytes, at) = Self.dictionary(&random)
            let index = round % 2
            try memory.withBytes(bytes) { bytes in
                let start = try #require(bytes.baseAddress)
                let value = RawValue(base: start, offset: at, limit: bytes.count)
                guard let dictionary = value.dictionary else { return }
                for (place, key) in Self.keys.enumerated() {
                    let text = Array(key.utf8)
                    let value = text.withUnsafeBytes {
                        dictionary.value(of: $0, in: documents[index])
                    }
                    let other = prepared[index][place].value(
                        in: dictionary, documents[index].keys)
                    found += value == nil ? 0 : 1
                    found += other == nil ? 0 : 1
                }
                UnsafeFleeceDictionary(dictionary, .passUnretained(documents[index]))
                    .forEachPair { found += $0.count + ($1.isNull ? 1 : 0) }
            }
        }
        #expect(found > 100_000)
    }
}
