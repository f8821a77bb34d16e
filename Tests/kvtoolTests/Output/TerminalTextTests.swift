import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("Documents at a terminal")
struct TerminalTextTests {
    /// Bidirectional marks, and control characters that JSON need not escape.
    private static let marks = "\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{061C}\u{9B}"
    private static let escapes = #"\u202E\u2066\u2069\u200E\u200F\u061C\u009B"#

    @Test(
        "bidirectional marks and control characters are escaped, in equivalent JSON",
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
        // Programs get it unchanged.
        let piped = try Kvtool.run(command).success()
        #expect(piped.stdout.contains("é 日 \(Self.marks) end"), "\(piped)")
    }

    @Test("CSV rows are escaped, too; files and pipes get them unchanged")
    func values() throws {
        let text = "\u{1B}]0;title\u{7}\u{1B}[31mred\r\u{9B}32m\u{202E}"
        let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
        let database = try SampleDatabase(lines: [
            #"{"_id":"a","s":\#(json),"t":\#(json.dropFirst().dropLast())}"#
        ])
        let path = database.path
        let commands = [
            ["query", path, "SELECT t FROM _", "--csv"],
            ["query", path, "SELECT t FROM _", "--tsv"], ["ls", path, "--body", "--csv"],
            ["export", path, "--csv"], ["sql", path, "SELECT key FROM kv_default", "--csv"],
            ["ls", path, "-0"], ["query", path, "SELECT t FROM _"], ["ls", path],
            ["query", path, "SELECT s FROM _", "--ndjson"], ["find", path, "red"],
            ["cat", path, "x\(text)", "--json"], ["cat", path, "x\(text)"],
            ["query", path, "SELECT * FROM `no\(text)`", "--json"],
            ["query", path, "SELECT ` FROM \(text)"],
        ]
        for command in commands {
            let output = try PseudoTerminal(command).end().output
            // The tool's own colour sequences are complete.
            var left = output.replacing("\r\n", with: "\n")
            for code in ["0", "1", "2", "32", "33", "34", "36"] {
                left = left.replacing("\u{1B}[\(code)m", with: "")
            }
            let controls = left.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
                    || $0.value == 0x202E
            }
            #expect(controls.isEmpty, "\(command): \(output.debugDescription)")
        }
        let piped = try database.run("query", "SELECT t AS v FROM _ WHERE t IS VALUED", "--csv")
        #expect(piped.success().stdout == "v\n\"\(text)\"\n")
        let error = try database.run("cat", "x\(text)", "--json")
        #expect(error.stderr.contains(#"\\u{009B}32m\\u{202E}"#) && error.status == 3)
    }

    @Test("a character across two pieces is escaped, and the tool's own colours are kept")
    func pieces() {
        func open(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { Text.openMarkBytes($0) } }
        #expect(open([0x41, 0xE2]) == 1 && open([0xE2, 0x80]) == 2 && open([0xC2]) == 1)
        #expect(open([]) == 0 && open([0x41]) == 0 && open([0xE2, 0x80, 0xAE]) == 0)
        func escaped(_ text: String, _ keepsColours: Bool) -> String? {
            Array(text.utf8).withUnsafeBytes {
                Text.escapingMarks($0, keepsColours: keepsColours)
            }.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(escaped("\u{1B}[1ma\u{1B}[0m\n\t", true) == nil)
        #expect(escaped("\u{1B}[1ma", false) == #"\u001B[1ma"#)
        for other in ["[5m", "[31", "[2J", "]0;a", "[1;31m", "", "["] {
            #expect(escaped("\u{1B}\(other)", true) == #"\u001B"# + other)
        }
    }

    @Test(
        "other characters are not changed",
        arguments: [
            "", "a", "é", "\u{A0}", "日本", "\u{2028}", "\u{200D}", "\u{2065}", "\u{206A}", "ؐ",
        ])
    func others(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { Text.escapingMarks($0) } == nil)
    }

    @Test("bytes that are not text are not changed, up to the end of a piece")
    func bytes() {
        for bytes: [UInt8] in [[0xE2], [0xE2, 0x80], [0xC2], [0xC2, 0x41], [0xD8, 0x41], [0x9B]] {
            #expect(bytes.withUnsafeBytes { Text.escapingMarks($0) } == nil, "\(bytes)")
        }
        let bytes: [UInt8] = [0x41, 0xE2, 0x80, 0xAE, 0xE2, 0x7F]
        #expect(
            bytes.withUnsafeBytes { Text.escapingMarks($0) }
                == [0x41] + Array(#"\u202E"#.utf8) + [0xE2] + Array(#"\u007F"#.utf8))
    }
}
