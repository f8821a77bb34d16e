import Foundation
import StoreTestSupport
import Testing

import KVToolCore

@Suite("A table of kvtool at a terminal")
struct TableTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a long id with many words in it","n":1}"#, #"{"_id":"日本語の長い名前","n":2}"#,
        ])
    }

    private func lines(_ columns: Int) throws -> [String] {
        let end = try PseudoTerminal(
            ["ls", "-l", database.path, "--color", "never", "--no-pager"], columns: columns
        ).end()
        #expect(end.status == 0, "\(end)")
        return end.output.replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("has a line for each cell if the columns cannot fit, and nothing is truncated")
    func narrow() throws {
        let lines = try lines(20)
        let headings = lines.map { $0.prefix { $0 != ":" } }
        #expect(
            headings == [
                "Document", "Revision", "Flags", "Sequence", "Size", "", "Document", "Revision",
                "Flags", "Sequence", "Size", "", "",
            ])
        #expect(lines[0] == "Document: a long id with many words in it")
        #expect(lines[6] == "Document: 日本語の長い名前")
    }

    @Test("is truncated to fit, the numbers never", arguments: [45, 50, 60, 70])
    func cut(_ columns: Int) throws {
        let lines = try lines(columns).filter { !$0.isEmpty }
        #expect(lines.count == 3)
        for line in lines { #expect(DisplayWidth.cells(line) <= columns, "\(line)") }
        #expect(lines[1].contains("…") && lines[2].contains("…"))
        #expect(lines[1].hasSuffix(" 1     8") && lines[2].hasSuffix(" 2     8"))
    }

    @Test("is not widened by one cell if nothing is truncated")
    func oneWideCell() throws {
        let long = String(repeating: "A", count: 1 << 20)
        let lines =
            [#"{"_id":"a","s":"\#(long)"}"#]
            + (1...300).map { #"{"_id":"b\#($0)","s":"x"}"# }
        let database = try SampleDatabase(lines: lines)
        let query = "SELECT s, META().id AS id FROM _"
        let rows = try database.run("query", query).success().stdout
        #expect(rows.utf8.count < (1 << 20) + 300 * 200)
        #expect(rows.contains("\n\(long)  a\n"))
        let last = try database.run("query", "SELECT META().id AS id, s FROM _").success().lines
        // The width is that of the first rows, up to a number of bytes.
        #expect(last[1].hasPrefix("a  ") && last[1].hasSuffix(" " + long))
        #expect(last.last == "b300  x" && last.count == 302)
    }

    @Test("shows how to see truncated text, and --line writes one property per line")
    func cells() throws {
        let long = String(repeating: "wide ", count: 40)
        let database = try SampleDatabase(lines: [#"{"_id":"a","s":"\#(long)","n":1}"#])
        let query = ["query", database.path, "SELECT n, s FROM _"]
        let cut = try PseudoTerminal(query, columns: 60).end().output
        #expect(cut.contains("(… marks truncated text; use --line or --json to show it)"))
        let whole = try PseudoTerminal(query, columns: 300).end().output
        #expect(!whole.contains("truncated"))
        #expect(
            try database.run("query", "SELECT n, s FROM _", "--line").success().stdout
                == "n: 1\ns: \(long)\n\n")
        let shell = ".mode line\nSELECT n FROM _;\n.show\n.mode table\nSELECT n FROM _;\n"
        let lines = try Kvtool.run([database.path], stdin: Data(shell.utf8)).success().lines
        #expect(lines.first == "n: 1" && lines.contains("mode:   line") && lines.last == "1")
    }

    @Test("is as wide as needed if there is space, and in files")
    func wide() throws {
        let lines = try lines(200).filter { !$0.isEmpty }
        #expect(lines[1].hasPrefix("a long id with many words in it  "))
        #expect(lines[2].hasPrefix("日本語の長い名前                 "))
        // Headings and cells are aligned.
        let places = lines.map { line in
            line.range(of: line.hasPrefix("Document") ? "Revision" : "@").map {
                DisplayWidth.cells(line[..<$0.lowerBound])
            }
        }
        #expect(places[1] == places[2] && places[0] == 33)
        let piped = try database.run("ls", "-l").success().lines
        #expect(piped == lines)
    }
}
