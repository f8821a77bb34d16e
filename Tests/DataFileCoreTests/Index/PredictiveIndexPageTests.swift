import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
import Testing

/// The program of docs/indexes.md about predictive indexes.
@Suite("docs/indexes.md: predictive indexes")
struct PredictiveIndexPageTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    @Test("the program compiles, and makes what the page says")
    func program() throws {
        // page begins
        /// How long a text is to read, in minutes.
        struct ReadingTime: PredictiveModel {
            func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
                guard let text = input["text"]?.string else { return nil }  // not in the index
                let words = text.split(separator: " ").count
                return ["minutes": .int(Int64(words / 200 + 1)), "words": .int(Int64(words))]
            }
        }

        PredictiveModels.register(ReadingTime(), as: "readingTime")
        let byMinutes = IndexSpec.predictive(
            "byMinutes", on: "prediction('readingTime', {'text': body}, .minutes)")
        try file.write { transaction in
            _ = try people.createIndex(byMinutes, in: transaction)
        }
        // page ends
        defer { PredictiveModels.unregister("readingTime") }
        for (id, count) in [("long", 311), ("short", 3)] {
            let text = Array(repeating: "word", count: count).joined(separator: " ")
            try fixture.save(id, #"{"body":"\#(text)"}"#, in: file)
        }
        try fixture.save("none", "{}", in: file)
        let context = try fixture.sqlite()
        let table = try #require(
            try context.selectValue(sql: "SELECT indexTableName FROM indexes")?.textValue)
        #expect(table.hasPrefix("kv_default:predict:") && table.hasSuffix("="))
        let answers = try context.selectAll(sql: "SELECT body FROM \"\(table)\" ORDER BY docid")
            .map { try FleeceDocument(trusted: #require($0[0].bytesValue)).root.json() }
        #expect(answers == [#"{"minutes":2,"words":311}"#, #"{"minutes":1,"words":3}"#])
        let things = try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE name LIKE ? || '%' OR name='byMinutes'",
            parameters: [.text(table)])
        #expect(
            Set(things.compactMap { $0[0].textValue }) == [
                table, table + "::ins", table + "::del", table + "::preupdate",
                table + "::postupdate", "byMinutes",
            ])
    }
}
