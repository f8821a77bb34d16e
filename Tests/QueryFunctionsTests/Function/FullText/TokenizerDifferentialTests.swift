import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// SQLite's unicode61 is what LiteCore's tokenizer was made from: without its own options they are
/// the same.
@Suite("unicodesn and SQLite's unicode61")
struct TokenizerDifferentialTests {
    /// All of the planes that hold something, and the two ends of those that are empty.
    private static func blocks() -> [UInt32] {
        (UInt32(0)...0x10ff).filter { block in
            let plane = block >> 8
            return plane <= 2 || plane == 14 || block & 0xff == 0 || block & 0xff == 0xff
        }
    }

    @Test("agree on every code point, alone and within a word", arguments: [0, 1])
    func everyCodePoint(diacritics: Int) throws {
        let option = "remove_diacritics=\(diacritics)"
        let ours = try TokenTable("unicodesn", option)
        let theirs = try TokenTable("unicode61", option)
        var text: [UInt8] = []
        var differences = 0
        for block in Self.blocks() {
            for code in max(block << 8, 1)...(block << 8 | 0xff) {
                var bytes: [UInt8] = [0, 0, 0, 0]
                let count = bytes.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { LenientUTF8.write(code, to: $0) } ?? 0
                }
                text += bytes[..<count] + [0x20, 0x61] + bytes[..<count] + [0x62, 0x20]
            }
            if try ours.tokens(text) != theirs.tokens(text) { differences += 1 }
            text.removeAll(keepingCapacity: true)
        }
        #expect(differences == 0)
    }

    @Test("agree on invalid UTF-8, whatever the options")
    func randomBytes() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_122)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 5_000)
        print("TokenizerDifferentialTests: \(count) inputs from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        let settings = [
            ["remove_diacritics=1"], ["remove_diacritics=0"],
            ["tokenchars=-_€一", "separators=aé一Ж"],
        ]
        for arguments in settings {
            let second = arguments.count > 1 ? arguments[1] : arguments[0]
            let ours = try TokenTable("unicodesn", arguments[0], second)
            let theirs = try TokenTable("unicode61", arguments[0], second)
            var tokens = 0
            for number in 0..<count {
                let text = Self.text(&random)
                let found = try ours.tokens(text)
                tokens += found.count
                #expect(found == (try theirs.tokens(text)), "input \(number): \(text)")
            }
            #expect(tokens > count)
        }
    }

    /// Bytes that are often UTF-8, and often nearly so.
    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<random.below(24) {
            switch random.below(6) {
            case 0: text.append(UInt8(random.below(256)))
            case 1:
                text += Array(random.pick(["é", "e\u{301}", "ẞ", "Ж", "一", "€", "😀", "İ"]).utf8)
            case 2: text += Array("\u{301}".utf8)
            case 3: text += (0..<random.below(8)).map { _ in UInt8(0x80 | random.below(64)) }
            case 4: text.append(UInt8(0xc0 | random.below(64)))
            default: text.append(UInt8(0x20 + random.below(95)))
            }
        }
        // What is empty is NULL to fts3tokenize.
        return text.isEmpty ? [0x20] : text
    }
}
