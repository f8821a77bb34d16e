import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import QueryEngine
import Testing

/// The programs of docs/query-live.md.
@Suite("docs/query-live.md", .timeLimit(.minutes(20)))
struct LivePageTests {
    let fixture: StoreFixture
    let file: DataFile
    let people: DocumentCollection

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        people = DocumentCollection(try CollectionName("people"))
        try file.write { transaction in
            try people.create(in: transaction)
            for (id, age) in [("ada", 36), ("bob", 17)] {
                let json = #"{"name":"\#(id)","age":\#(age)}"#
                _ = try people.save(id, in: transaction) { try $0.writeJSON(json) }
            }
        }
    }

    private func remove(_ id: String) {
        let isPurged = try? file.write { try people.purge(id, in: $0) }
        #expect(isPurged == true)
    }

    @Test("the first program shows inserted and removed rows")
    func list() async throws {
        var lines: [String] = []
        var list: [String] = [] {
            didSet { if list == ["ada"] { remove("ada") } }
        }
        let print = { (sign: String, text: String) in lines.append(sign + text) }
        // page begins
        let adults = try Query(
            "SELECT name, age FROM people WHERE age >= $least ORDER BY age, META().id")
        for try await results in file.observe(adults, ["least": 18]) {
            guard let difference = results.difference else {
                list = results.map { $0["name"].string ?? "" }  // the first result
                continue
            }
            for entry in difference.removed { print("-", entry.id ?? "") }
            for entry in difference.inserted { print("+", entry.row["name"].string ?? "") }
            list = results.map { $0["name"].string ?? "" }
            if results.isEmpty { break }
        }
        // page ends
        #expect(lines == ["-ada"] && list.isEmpty)
    }

    @Test("the second one counts")
    func pace() async throws {
        var total: Int64 = -1 {
            didSet {
                if total == 2 {
                    remove("ada")
                    remove("bob")
                }
            }
        }
        // page begins
        let count = try Query("SELECT COUNT(*) AS count FROM people")
        for try await results in file.observe(count, minimumInterval: .milliseconds(200)) {
            total = results.first?["count"].int ?? 0
            if total == 0 { break }
        }
        // page ends
        #expect(total == 0)
    }

    @Test("the page has exactly these programs")
    func page() throws {
        let here = URL(fileURLWithPath: #filePath)
        #expect(try PagePrograms.inSource(here) == PagePrograms.onPage("query-live.md"))
    }
}
