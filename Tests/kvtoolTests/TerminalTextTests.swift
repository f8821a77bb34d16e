import Foundation
import StoreTestSupport
import Testing

@testable import kvtool

@Suite("Documents at a terminal")
struct TerminalTextTests {
    /// Marks that turn the direction of writing, and controls that JSON need not escape.
    private static let marks = "\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{061C}\u{9B}"
    private static let escapes = #"\u202E\u2066\u2069\u200E\u200F\u061C\u009B"#

    @Test(
        "marks and controls in values are escaped, in JSON that means the same",
        arguments: [["cat", "a", "--raw"], ["cat", "a", "--json"], ["export"]])
    func json(_ words: [String]) throws {
        let line = #"{"_id":"a","text":"é 日 "# + Self.marks + #" end"}"#
        let database = try SampleDatabase(lines: [line])
        let command = [words[0], database.path] + words.dropFirst()
        let end = try PseudoTerminal(command).end()
        #expect(end.status == 0)
        #expect(end.output.contains("é 日 \(Self.escapes) end"), "\(end.output)")
        for scalar in end.output.unicodeScalars {
            #expect(!Self.marks.unicodeScalars.contains(scalar))
        }
        // Programs get it as it is stored.
        let piped = try Kvtool.run(command).success()
        #expect(piped.stdout.contains("é 日 \(Self.marks) end"), "\(piped)")
    }

    @Test(
        "what is no mark stays",
        arguments: [
            "", "a", "é", "\u{A0}", "日本", "\u{2028}", "\u{200D}", "\u{2065}", "\u{206A}", "ؐ",
        ])
    func others(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { Text.escapingMarks($0) } == nil)
    }

    @Test("bytes that are no text are left as they are, up to the end of a piece")
    func bytes() {
        for bytes: [UInt8] in [[0xE2], [0xE2, 0x80], [0xC2], [0xC2, 0x41], [0xD8, 0x1C], [0x9B]] {
            #expect(bytes.withUnsafeBytes { Text.escapingMarks($0) } == nil, "\(bytes)")
        }
        let bytes: [UInt8] = [0x41, 0xE2, 0x80, 0xAE, 0xE2, 0x7F]
        #expect(
            bytes.withUnsafeBytes { Text.escapingMarks($0) }
                == [0x41] + Array(#"\u202E"#.utf8) + [0xE2] + Array(#"\u007F"#.utf8))
    }
}
