import Foundation
import StoreTestSupport
import Testing

@Suite("Progress of kvtool")
struct ProgressTests {
    private let database: SampleDatabase
    private let file: String

    init() throws {
        database = try SampleDatabase()
        let lines = (0..<3000).map { "{\"_id\":\"\($0)\"}\n" }.joined()
        file = try database.newFile("many.ndjson", Data(lines.utf8))
    }

    @Test("is JSON lines for programs, which increase up to the size of the file")
    func json() throws {
        let outcome = try database.run("import", file, "--progress", "json")
        #expect(outcome.status == 0)
        let size = try Data(contentsOf: URL(fileURLWithPath: file)).count
        let lines = outcome.stderr.split(separator: "\n")
        #expect(!lines.isEmpty)
        var last = (progress: 0, documents: 0)
        for line in lines {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["total"] as? Int == size)
            let progress = try #require(object["progress"] as? Int)
            let documents = try #require(object["documents"] as? Int)
            #expect(progress >= last.progress && progress <= size)
            #expect(documents >= last.documents && documents <= 3000)
            #expect(object["seconds"] is Double)
            last = (progress, documents)
        }
    }

    @Test("is a bar at a terminal, on one line that is cleared at the end", arguments: [20, 80])
    func bar(_ columns: Int) throws {
        let end = try PseudoTerminal(["import", database.path, file], columns: columns).end()
        #expect(end.status == 0, "\(end)")
        let shown = end.output.split(separator: "\r").filter { $0.hasPrefix("[") }
        #expect(!shown.isEmpty, "\(end.output)")
        for line in shown {
            let text = line.prefix { $0 != "\u{1B}" }
            #expect(text.count < columns, "\(text)")
            #expect(line.hasSuffix("\u{1B}[K") && !line.contains("\n"))
            if columns == 80 { #expect(text.contains(/\] [0-9]+ % +[0-9]+ document/), "\(text)") }
        }
        #expect(end.output.contains("\r\u{1B}[K"))
        #expect(end.output.hasSuffix("\r\n"))
    }

    @Test("is not shown without a terminal, or if disabled")
    func none() throws {
        #expect(try database.run("import", file).success().stderr == "")
        let end = try PseudoTerminal(
            ["import", database.path, file, "--progress", "none"], columns: 80
        ).end()
        #expect(!end.output.contains("[="))
        #expect(!end.output.contains("\u{1B}[K"))
    }
}
