import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// Sentences, and the tokens and positions that LiteCore's tokenizer returned for them.
private struct GoldenTokens: Decodable {
    struct Variant: Decodable {
        var tokenizer: String
        var tokens: [[String]]
        var positions: [[Int]]

        /// The quoted arguments after the tokenizer's name.
        var arguments: [String] {
            tokenizer.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
                .map { String($0.element) }
        }
    }

    var sentences: [String]
    var variants: [Variant]

    static func load() throws -> GoldenTokens {
        let path = GoldenFiles.file("tokens/unicodesn.json")
        return try JSONDecoder().decode(
            GoldenTokens.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

@Suite(
    "LiteCore's tokenizer",
    .enabled(if: GoldenFiles.arePresent, "no golden files: set STORE_GOLDEN"))
struct GoldenTokenTests {
    @Test("returns the same tokens at the same positions, for all sentences and settings")
    func tokens() throws {
        let golden = try GoldenTokens.load()
        #expect(golden.sentences.count == 22)
        #expect(golden.variants.count == 24)
        var compared = 0
        for variant in golden.variants {
            let context = try SQLContext()
            try context.registerRawTokenizer(UnicodeTokenizer.name, UnicodeTokenizer.self)
            let arguments = ([UnicodeTokenizer.name] + variant.arguments).map { "'\($0)'" }
            try context.exec(
                sql: "CREATE VIRTUAL TABLE t USING fts3tokenize("
                    + arguments.joined(separator: ", ") + ")")
            for (index, sentence) in golden.sentences.enumerated() {
                let rows = try context.selectAll(
                    sql: "SELECT token, position FROM t WHERE input = ?",
                    parameters: [.text(sentence)])
                let expected = variant.tokens[index]
                #expect(
                    rows.compactMap { $0[0].textValue } == expected,
                    "\(variant.tokenizer): \(sentence)")
                #expect(
                    rows.compactMap { $0[1].longValue } == variant.positions[index].map(Int64.init),
                    "\(variant.tokenizer): \(sentence)")
                compared += expected.count
            }
        }
        #expect(compared == golden.variants.joinedTokenCount)
        #expect(compared > 4000)
    }
}

extension [GoldenTokens.Variant] {
    fileprivate var joinedTokenCount: Int { reduce(0) { $0 + $1.tokens.joined().count } }
}
