import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool import of text that is not UTF-8")
struct ImportEncodingTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    private func importing(
        _ name: String, _ bytes: Data, _ rest: String...
    ) throws -> Command.Outcome {
        try Kvtool.run(["import", database.path, database.newFile(name, bytes)] + rest)
    }

    private func encoded(_ text: String, _ encoding: String.Encoding) throws -> Data {
        try #require(text.data(using: encoding))
    }

    @Test("refuses a CSV file with line and column, also in the header, and names --encoding")
    func refusal() throws {
        let text = try encoded("_id,t\na,ok\nb,caf\u{E9}\n", .isoLatin1)
        let complaint = try importing("a.csv", text).refusal(status: 1)
        #expect(
            complaint
                == "\(database.directory("a.csv")), line 3, column 6: the byte 0xE9 is not UTF-8; "
                + "for another encoding, use --encoding, e.g. latin1, windows-1252 or utf-16; "
                + "1 document before it was imported")
        #expect(try database.exported() == [#"{"_id":"a","t":"ok"}"#])
        let headings = try encoded("_id\tgr\u{F6}\u{DF}e\n1\t2\n", .isoLatin1)
        #expect(
            try importing("b.tsv", headings).refusal(status: 1).contains(
                "b.tsv, line 1, column 7: the byte 0xF6 is not UTF-8"))
    }

    @Test("reports the same for JSON", arguments: ["a.ndjson", "a.json"])
    func json(_ name: String) throws {
        let bytes = try encoded(#"{"_id":"a","t":"\#u{E9}"}"# + "\n", .isoLatin1)
        let complaint = try importing(name, bytes).refusal(status: 1)
        #expect(complaint.contains("line 1, column "), "\(complaint)")
        #expect(complaint.contains("the text is not UTF-8; for another encoding, use --encoding"))
        try importing(name, bytes, "--encoding", "latin1").success()
        #expect(try database.exported().map { $0.contains("\u{E9}") } == [true])
    }

    @Test(
        "reads the encoding of --encoding",
        arguments: [
            ("latin1", String.Encoding.isoLatin1), ("windows-1252", .windowsCP1252),
            ("utf16", .utf16), ("UTF-16LE", .utf16LittleEndian), ("utf-16be", .utf16BigEndian),
            ("utf-32", .utf32), ("macintosh", .macOSRoman), ("utf-8", .utf8), ("UTF8", .utf8),
        ])
    func encodings(_ name: String, _ encoding: String.Encoding) throws {
        // Foundation encodes another character on Linux.
        let bytes =
            name == "macintosh"
            ? Data("_id,t\na,".utf8) + [0x8E, 0x74, 0x8E, 0x0A]
            : try encoded("_id,t\na,\u{E9}t\u{E9}\n", encoding)
        try importing("a.csv", bytes, "--encoding", name).success()
        #expect(try database.exported() == [#"{"_id":"a","t":"été"}"#])
    }

    @Test("reads multibyte characters across the border of two pieces")
    func pieces() throws {
        let rows = 0..<2000
        let long = String(repeating: "\u{65E5}\u{1F600}\u{672C}", count: 100)
        let text = rows.map { "{\"_id\":\"\($0)\",\"t\":\"\(long)\"}\n" }.joined()
        // One more byte moves all others across the border.
        for start in ["", " "] {
            let bytes = try encoded(start + text, .utf16BigEndian)
            try importing("a.ndjson", bytes, "--encoding", "utf-16be").success()
            let lines = try database.exported()
            #expect(lines.count == rows.count)
            #expect(lines.allSatisfy { $0.hasSuffix("\"t\":\"\(long)\"}") })
        }
        let short = String(repeating: "\u{65E5}\u{672C}", count: 150)
        let kanji = rows.map { "\($0),\(short)\n" }.joined()
        let bytes = try encoded("_id,t\n" + kanji, .shiftJIS)
        try importing("b.csv", bytes, "--encoding", "shift_jis").success()
        #expect(try database.exported().allSatisfy { $0.hasSuffix("\"t\":\"\(short)\"}") })
    }

    @Test("reports the location of invalid bytes; the text before them is imported")
    func invalid() throws {
        let bytes = Data("_id,t\na,1\nb,x".utf8) + [0x81, 0xFF] + Data("\nc,3\n".utf8)
        let complaint = try importing("a.csv", bytes, "--encoding", "shift_jis").refusal(status: 1)
        #expect(complaint.contains("a.csv, line 3, column 4: the byte"), "\(complaint)")
        #expect(complaint.contains("not shift_jis; 1 document before it was imported"))
        #expect(try database.exported() == [#"{"_id":"a","t":1}"#])
        // Half a character at the end.
        let cut = try encoded(#"{"_id":"d"}"# + "\n", .utf16LittleEndian) + [0x20]
        let end = try importing("b.ndjson", cut, "--encoding", "utf-16le").refusal(status: 1)
        #expect(end.contains("line 2, column 1: the byte 0x20 is not utf-16le"), "\(end)")
    }

    @Test("detects UTF-16 by its first bytes, and refuses an unknown encoding")
    func hints() throws {
        let marked = try encoded("_id,t\n1,2\n", .utf16)
        #expect(
            try importing("a.csv", marked).refusal(status: 1).contains(
                "a.csv, line 1, column 1: the file is UTF-16, not UTF-8; use --encoding utf-16"
            ))
        let bare = try encoded("_id,t\n1,2\n", .utf16LittleEndian)
        #expect(
            try importing("b.csv", bare).refusal(status: 1).contains(
                "the header contains zero bytes, like UTF-16"))
        for name in ["klingon", ""] {
            let complaint = try importing("c.csv", marked, "--encoding", name).refusal(status: 2)
            #expect(complaint.hasPrefix("unknown encoding \(name); examples are latin1, "))
        }
    }

    @Test("decodes escapes in a file's name only if the result is UTF-8")
    func names() throws {
        let directory = database.directory("docs")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        for name in ["docs/%FE.json", "docs/%FF.json", "docs/%C3%A9.json"] {
            _ = try database.newFile(name, Data("{}".utf8))
        }
        try database.run("import", directory).success()
        let ids = [#"{"_id":"%FE"}"#, #"{"_id":"%FF"}"#, #"{"_id":"é"}"#]
        #expect(try database.exported() == ids)
    }
}
