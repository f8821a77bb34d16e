import SampleData
import Testing

import FleeceLite

/// Checks that nothing traps, and that written JSON is valid.
@Suite("Safety: corrupt documents", .timeLimit(.minutes(20)))
struct CorruptionTests {
    private static let keys = table(["name", "a", "id", "list", "text", "more"])

    /// Documents that together contain every form.
    private static func documents() throws -> [[UInt8]] {
        let text = """
            {"name":"Ada Lovelace","a":[1,-2,2048,-70000,18446744073709551615,0.5,0.1,null,true],\
            "id":{"":"x","text":"a longer text of more than 15 bytes","é":false,"more":[[],{}]},\
            "list":[{"name":"name"},{"name":"name","a":1e300},[[["deep"]]]]}
            """
        let wide = "6805 1900 0800 1a70 1101 0005 0000 4000 0000 3800 0000 800b"
        let child = """
            4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005 \
            4366 6f6f 7002 0800 800a 8005 3c00 8005
            """
        let grandson = """
            7001 0000 0001 7002 0800 8005 0001 0002 7003 0800 8007 0000 3c00 0002 0003 8007
            """
        let chain = "4268 6900 8000 0002 8000 0002 6003 8003 8004 5361 8004"
        return [
            try encoded(json: text),
            try encoded(sharedKeys: keys) { try $0.writeJSON(text) },
            try wideDictionary(),
            try bytes(wide), try bytes(child), try bytes(grandson), try bytes(chain),
            try bytes("7801 4366 6f6f 007b 0000 8005"),
            Hostile.doubling(levels: 6), try Hostile.nested(levels: 20),
            Hostile.generations(count: 40),
        ]
    }

    /// The form of [{"text":["hi"]},{"a":null}] in slots of 4 bytes.
    private static func wideDictionary() throws -> [UInt8] {
        try bytes(
            """
            4268 6900 6801 8000 0003 7801 0004 0000 8000 0006 7801 0001 0000 3000 0000 \
            6802 8000 000b 8000 0008 8005
            """)
    }

    @Test("The handwritten document has the expected value")
    func handMade() throws {
        #expect(
            try json(Self.wideDictionary(), sharedKeys: Self.keys)
                == #"[{"text":["hi"]},{"a":null}]"#)
    }

    @Test("Every beginning, end and middle of a document is read or rejected")
    func truncations() throws {
        for document in try Self.documents() {
            for count in 0...document.count {
                _ = try DocumentWalk.survive(Array(document.prefix(count)), sharedKeys: Self.keys)
                _ = try DocumentWalk.survive(Array(document.suffix(count)), sharedKeys: Self.keys)
                // The trailer then leads to another position.
                let cut = document.prefix(count) + document.suffix(2)
                _ = try DocumentWalk.survive(Array(cut), sharedKeys: Self.keys)
            }
        }
    }

    @Test("Every byte of a document can have the most critical values")
    func singleBytes() throws {
        for document in try Self.documents() where document.count < 80 {
            for index in document.indices {
                for value: UInt8 in [0, 1, 0x08, 0x3F, 0x4F, 0x67, 0x6F, 0x77, 0x7F, 0x80, 0xFF] {
                    var mutant = document
                    mutant[index] = value
                    _ = try DocumentWalk.survive(mutant, sharedKeys: Self.keys)
                }
            }
        }
    }

    @Test("20,000 random mutations are read or rejected")
    func mutations() throws {
        var random = SeededGenerator(for: "Mutations")
        let documents = try Self.documents()
        var written = 0
        for _ in 0..<20_000 {
            var mutant = random.pick(documents)
            for _ in 0...random.below(4) { Self.mutate(&mutant, &random) }
            if try DocumentWalk.survive(mutant, sharedKeys: Self.keys) != nil { written += 1 }
        }
        // If nearly all or none were rejected, the mutations would test nothing.
        #expect((2000...18_000).contains(written))
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[index] ^= 1 << random.below(8)
        case 1: bytes[index] = UInt8(random.below(256))
        case 2: bytes[index] = random.pick([0, 1, 8, 0x4F, 0x6F, 0x78, 0x7F, 0x80, 0xFF])
        case 3: bytes[index] &+= random.oneIn(2) ? 1 : 255
        case 4: bytes.removeSubrange(index..<min(bytes.count, index + 2))
        default: bytes.swapAt(index, random.below(bytes.count))
        }
    }

    @Test("20,000 random byte strings are read or rejected")
    func randomBytes() throws {
        var random = SeededGenerator(for: "Random bytes")
        let likely: [UInt8] = [
            0x00, 0x08, 0x14, 0x28, 0x30, 0x42, 0x60, 0x61, 0x68, 0x70, 0x71, 0x78, 0x80,
        ]
        var read = 0
        for _ in 0..<20_000 {
            var bytes = (0..<(2 * random.below(33))).map { _ in UInt8(random.below(256)) }
            // Half of them resemble documents: tags and pointers with short distances.
            if random.oneIn(2), !bytes.isEmpty {
                for index in stride(from: 0, to: bytes.count, by: 2) {
                    bytes[index] = random.pick(likely)
                    bytes[index + 1] = UInt8(random.below(24))
                }
                bytes[bytes.count - 2] = 0x80
            }
            if (try? FleeceDocument(trusted: bytes)) != nil { read += 1 }
            _ = try DocumentWalk.survive(bytes, sharedKeys: Self.keys)
        }
        #expect(read > 4000)
    }
}
