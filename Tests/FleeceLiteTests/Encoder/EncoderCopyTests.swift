import SampleData
import Testing

@testable import FleeceLite

/// Copies preserve the numbers of keys where possible; they are compared with documents that are
/// written key by key and value by value.
@Suite("Encoder: copies that preserve the numbers of keys", .timeLimit(.minutes(20)))
struct EncoderCopyTests {
    @Test("A copy has the bytes of its keys and scalars written one by one")
    func documents() throws {
        var json = RandomJSON(random: SeededGenerator(for: "copies"))
        for round in 0..<200 {
            let source = try numbered(json.document(round))
            for keys in tables(for: source.sharedKeys) {
                let copy = try encoded(sharedKeys: keys) { encoder in
                    encoder.beginArray()
                    encoder.writeString("w4")
                    for _ in 0..<2 { try encoder.write(source.root) }
                    try encoder.endArray()
                }
                let expected = try encoded(sharedKeys: keys) { encoder in
                    encoder.beginArray()
                    encoder.writeString("w4")
                    for _ in 0..<2 { try writeSlowly(source.root, &encoder) }
                    try encoder.endArray()
                }
                try #require(copy == expected, "round \(round)")
            }
        }
    }

    @Test("Dictionaries in any order, with duplicate keys, are copied as if written key by key")
    func disorder() throws {
        var random = SeededGenerator(for: "copies of disorder")
        var sorted = 0
        for round in 0..<2000 {
            let source = try disorderly(&random)
            for keys in tables(for: source.sharedKeys) {
                let copy = try encoded(sharedKeys: keys) { try $0.write(source.root) }
                let expected = try encoded(sharedKeys: keys) { encoder in
                    try writeSlowly(source.root, &encoder)
                }
                try #require(copy == expected, "round \(round)")
                if copy == [UInt8](source.bytes) { sorted += 1 }
            }
        }
        #expect(sorted > 100)
    }

    @Test("A number that the table lacks is an error, in the middle of a dictionary as well")
    func unknownNumber() throws {
        let bytes: [UInt8] = [0x70, 2, 0, 1, 0, 7, 0, 2, 0, 7, 0x80, 5]
        let source = try FleeceDocument(trusted: bytes, sharedKeys: table(["a", "b"]))
        var encoder = FleeceEncoder(sharedKeys: source.sharedKeys)
        #expect(
            throws: FleeceError(.invalidData, "no shared key has the number 2", offset: 0)
        ) { try encoder.write(source.root) }
    }

    @Test("A changed dictionary has the bytes of a list of its properties")
    func changes() throws {
        var random = SeededGenerator(for: "changed dictionaries")
        var changes = RandomChanges(random: SeededGenerator(for: "changes of them"))
        var json = RandomJSON(random: SeededGenerator(for: "changed documents"))
        var merged = 0
        for round in 0..<1000 {
            let source = try round % 2 == 0 ? disorderly(&random) : numbered(json.document(round))
            guard let dictionary = source.root.dictionary else { continue }
            var value = MutableFleeceDictionary(dictionary)
            let keys = dictionary.keys + ["a", "b", "new", "no key", "zz", "é"]
            for _ in 0..<(1 + random.below(4)) {
                value[random.pick(keys)] = random.oneIn(3) ? nil : try changes.value()
            }
            if PropertyMerge(value) != nil { merged += 1 }
            try expectList(value, round)
        }
        #expect(merged > 300)
    }

    private func expectList(_ value: MutableFleeceDictionary, _ round: Int) throws {
        let list = value.properties
        try #require(value.map(\.key) == list.map(\.key), "round \(round)")
        try #require(value.map(\.value) == list.map(\.value), "round \(round)")
        // In a source that is out of order, a key may exist and not be found.
        if PropertyMerge(value) != nil { #expect(value.count == list.count, "round \(round)") }
        guard value.isChanged else { return }
        for keys in tables(for: value.source?.document.sharedKeys ?? SharedKeys()) {
            let bytes = try encoded(sharedKeys: keys) { try $0.write(value) }
            let expected = try encoded(sharedKeys: keys) { encoder in
                encoder.beginDictionary()
                for (key, value) in list {
                    try encoder.writeKey(key)
                    try encoder.write(value)
                }
                try encoder.endDictionary()
            }
            try #require(bytes == expected, "round \(round)")
        }
    }

    @Test("An encoder that gets another table forgets its reusable numbers")
    func otherTable() throws {
        let source = try FleeceDocument(
            trusted: [0x70, 1, 0, 0, 0, 7, 0x80, 3], sharedKeys: table(["a"]))
        var encoder = FleeceEncoder(sharedKeys: table(["a", "b"]))
        encoder.beginArray()
        try encoder.write(source.root)
        encoder.sharedKeys = table(["b", "a"])
        try encoder.write(source.root)
        try encoder.endArray()
        #expect(
            try hex(encoder.finish()) == "7001 0000 0007 7001 0001 0007 6002 8007 8005 8003")
    }
}

extension EncoderCopyTests {
    /// A document of JSON whose keys are numbers where possible.
    private func numbered(_ json: String) throws -> FleeceDocument {
        var encoder = FleeceEncoder(sharedKeys: table(["type", "key_7"]))
        try encoder.writeJSON(json)
        let numbered = encoder.sharedKeys
        return try FleeceDocument(
            trusted: encoder.finish(), sharedKeys: numbered ?? SharedKeys())
    }

    /// A dictionary with numbers and strings as keys, often in order; "a" may be either.
    private func disorderly(_ random: inout SeededGenerator) throws -> FleeceDocument {
        let keys = (0..<4).map { [0, UInt8($0)] } + "!ab~".utf8.map { [0x41, $0] }
        var chosen = (0..<random.below(8)).map { _ in random.below(keys.count) }
        if !random.oneIn(3) { chosen = Set(chosen).sorted() }
        var bytes: [UInt8] = [0x70, UInt8(chosen.count)]
        for key in chosen {
            bytes += keys[key]
            bytes += random.pick([[0, 7], [0x30, 0], [0x3C, 0], [0x41, 0x78], [0x70, 0]])
        }
        bytes += [0x80, UInt8(bytes.count / 2)]
        let hasLetter = random.oneIn(2)
        return try FleeceDocument(
            trusted: bytes, sharedKeys: table([hasLetter ? "a" : "A", "bb", "zz", "new"]))
    }

    /// Tables that an encoder may have: none, an empty one, that of the document, an extension of
    /// it, a prefix of it, and one with other numbers.
    private func tables(for keys: SharedKeys) -> [SharedKeys?] {
        [
            nil, SharedKeys(), keys, table(keys.keys + ["a", "b", "more"]),
            table(Array(keys.keys.prefix(keys.count / 2))), table(keys.keys.reversed()),
        ]
    }

    private func writeSlowly(_ value: FleeceValue, _ encoder: inout FleeceEncoder) throws {
        if let array = value.array {
            encoder.beginArray()
            for index in array.indices { try writeSlowly(array[index], &encoder) }
            try encoder.endArray()
        } else if let dictionary = value.dictionary {
            encoder.beginDictionary()
            for (key, value) in dictionary {
                try encoder.writeKey(key)
                try writeSlowly(value, &encoder)
            }
            try encoder.endDictionary()
        } else {
            try encoder.write(value)
        }
    }
}
