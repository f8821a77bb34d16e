import QueryFunctions
import Testing

@Suite("Words in scripts without spaces")
struct SegmentationTests {
    private let table: TokenTable

    init() throws {
        table = try TokenTable("unicodesn", TokenizerOptions.segmentationArgument, "stemmer=en")
    }

    @Test("are found and counted in Japanese, Chinese and Thai")
    func words() throws {
        let tokens = try table.tokens(Array("東京都に住む cats".utf8))
        #expect(tokens.map(\.string) == ["東京", "都", "に", "住む", "cat"])
        #expect(tokens.map(\.position) == [0, 1, 2, 3, 4])
        #expect(tokens.map(\.bytes) == [0..<6, 6..<9, 9..<12, 12..<18, 19..<23])
        #expect(try table.words("我们在北京。") == ["我们", "在", "北京"])
        #expect(try table.words("ภาษาไทย") == ["ภาษา", "ไทย"])
    }

    @Test("end where another script begins")
    func borders() throws {
        #expect(try table.words("abc東京xyz") == ["abc", "東京", "xyz"])
        #expect(try table.words("한국어東京") == ["한국어", "東京"])
    }

    @Test("are one word without the option, as in LiteCore")
    func without() throws {
        #expect(try TokenTable().words("東京都に住む") == ["東京都に住む"])
    }

    @Test("SQLite's own tokenizer accepts the option, without effect")
    func harmless() throws {
        let text = "東京 ⸱ ภาษา a⸱b"
        let option = TokenizerOptions.segmentationArgument
        #expect(
            try TokenTable("unicode61", option).words(text) == TokenTable("unicode61").words(text))
        #expect(throws: (any Error).self) {
            try TokenTable("unicode61", "segmentation=icu").words(text)
        }
    }

    @Test("are found in a run of a megabyte, piece by piece, and in runs of marks alone")
    func long() throws {
        let text = String(repeating: "東京都に住む", count: 60_000)
        let words = try table.words(text)
        #expect(words.joined() == text)
        #expect(words.filter { $0 == "東京" }.count > 59_000)
        let marks = String(repeating: "・ ", count: 200_000)
        #expect(try table.words(marks + "東京") == ["東京"])
    }

    @Test("a run of invalid UTF-8 is segmented within its bounds")
    func broken() throws {
        let text: [UInt8] = [
            0xe6, 0x9d, 0xb1, 0xe4, 0xba, 0x20, 0xe6, 0x9d, 0x20, 0x61, 0x20, 0xe3, 0x81,
        ]
        let tokens = try table.tokens(text)
        #expect(tokens.allSatisfy { $0.bytes.upperBound <= text.count && !$0.bytes.isEmpty })
        #expect(tokens.contains { $0.string == "a" })
    }
}
