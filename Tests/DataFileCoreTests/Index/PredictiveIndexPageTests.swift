import DataFileCore
import FleeceLite
import Foundation
import SQLCore
import Testing

/// The program of docs/indexes.md about predictive indexes.
@Suite("docs/indexes.md: predictive indexes")
struct PredictiveIndexPageTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/indexes.md")

    // page begins
    /// How long a text is to read, in minutes.
    struct ReadingTime: PredictiveModel {
        func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
            guard let text = input["text"]?.string else { return nil }  // not in the index
            let words = text.split(separator: " ").count
            return ["minutes": .int(Int64(words / 200 + 1)), "words": .int(Int64(words))]
        }
    }

    // page goes on

    @Test("the program compiles, and makes what the page says")
    func program() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        let articles = Collection(try CollectionName("articles"))
        try file.write { try articles.create(in: $0) }
        // page begins
        PredictiveModels.register(ReadingTime(), as: "readingTime")
        let byMinutes = IndexSpec.predictive(
            "byMinutes", on: "prediction('readingTime', {'text': body}, .minutes)")
        _ = try file.write { try articles.createIndex(byMinutes, in: $0) }
        // page ends
        defer { PredictiveModels.unregister("readingTime") }
        try file.write { transaction in
            for (id, count) in [("short", 3), ("long", 311)] {
                let text = Array(repeating: "word", count: count).joined(separator: " ")
                _ = try articles.save(id, in: transaction) {
                    try $0.writeJSON(#"{"body":"\#(text)"}"#)
                }
            }
            _ = try articles.save("none", in: transaction) { try $0.writeJSON("{}") }
        }
        let context = try fixture.sqlite()
        let table = try #require(
            try context.selectValue(sql: "SELECT indexTableName FROM indexes")?.textValue)
        #expect(table.hasPrefix("kv_.articles:predict:") && table.hasSuffix("="))
        let bodies = try context.selectAll(
            sql: "SELECT body FROM \"\(table)\" ORDER BY docid"
        ).compactMap { try $0[0].bytesValue.map { try FleeceDocument(trusted: $0).root.json() } }
        #expect(bodies == [#"{"minutes":1,"words":3}"#, #"{"minutes":2,"words":311}"#])
        let things = try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE name LIKE ? || '%' OR name='byMinutes'",
            parameters: [.text(table)])
        #expect(
            Set(things.compactMap { $0[0].textValue }) == [
                table, table + "::ins", table + "::del", table + "::preupdate",
                table + "::postupdate", "byMinutes",
            ])
    }

    @Test(
        "the program on the page is the one above",
        .enabled(if: FileManager.default.fileExists(atPath: page.path), "there is no such page"))
    func sameText() throws {
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
        var lines: [String] = []
        var isOpen = false
        for line in here.components(separatedBy: "\n") {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// page begins": isOpen = true
            case "// page ends", "// page goes on": isOpen = false
            default:
                guard isOpen else { continue }
                // The type stands in the suite, the rest in a function of it.
                let indent = lines.contains("") ? 8 : 4
                lines.append(line.isEmpty ? "" : String(line.dropFirst(indent)))
            }
        }
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "\n## ").first { $0.hasPrefix("Predictive indexes\n") })
        let program = section.components(separatedBy: "```swift\n").dropFirst().first?
            .components(separatedBy: "\n```")[0]
        #expect(program == lines.joined(separator: "\n"))
    }
}
