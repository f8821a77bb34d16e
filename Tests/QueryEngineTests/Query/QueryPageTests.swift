import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import QueryEngine
import QueryFunctions
import StoreFormat
import Testing

/// The examples and programs of docs/query.md.
@Suite("docs/query.md", .serialized, .timeLimit(.minutes(20)))
struct QueryPageTests {
    let fixture: StoreFixture
    let file: DataFile
    let people: DocumentCollection
    let teams: DocumentCollection
    let page: PageExamples

    init() throws {
        page = try PageExamples(page: "query.md")
        fixture = try StoreFixture()
        file = try fixture.open()
        people = DocumentCollection(try CollectionName("people"))
        teams = DocumentCollection(try CollectionName("teams"))
        try file.write { transaction in
            try people.create(in: transaction)
            try teams.create(in: transaction)
            for document in page.documents {
                let collection = DocumentCollection(try CollectionName(document.collection))
                _ = try collection.save(document.id, in: transaction) {
                    try $0.writeJSON(document.json)
                }
            }
        }
    }

    private func makeIndexes() throws {
        // page begins
        try file.write { transaction in
            try people.createIndex(.value("byAge", on: "age"), in: transaction)
            try people.createIndex(.value("byState", on: "state"), in: transaction)
            try people.createIndex(.array("byLike", path: "likes"), in: transaction)
            try teams.createIndex(
                .fullText("byMotto", on: "motto", .init(language: "en")), in: transaction)
        }
        // page ends
    }

    @Test("every example has the documented rows, plans and errors", arguments: [0, 1])
    func examples(_ round: Int) throws {
        PredictiveModels.register(CountsWords(), as: "countsWords")
        defer { PredictiveModels.unregister("countsWords") }
        let hasIndexes = round == 1
        if hasIndexes {
            try makeIndexes()
        } else {
            try file.write {
                _ = try teams.createIndex(
                    .fullText("byMotto", on: "motto", .init(language: "en")), in: $0)
            }
        }
        #expect(page.examples.count >= 30)
        for example in page.examples where hasIndexes || example.language != "plan" {
            let answer = Result { try self.answer(example) }
            switch answer {
            case .success(let lines):
                #expect(lines == example.answer, "\(example), indexes: \(hasIndexes)")
            case .failure(let error as StoreError) where example.language == "text":
                #expect(["error: " + message(error)] == example.answer, "\(example)")
            case .failure(let error): Issue.record("\(example): \(error)")
            }
        }
    }

    private func message(_ error: StoreError) -> String {
        error.message.replacingOccurrences(of: fixture.path, with: "people.cblite2")
    }

    private func answer(_ example: PageExamples.Example) throws -> [String] {
        let query = try Query(example.statement)
        let parameters = try example.parameters.map { try QueryParameters(json: $0) } ?? [:]
        if query.isChange {
            let count = try file.write { try query.run(in: $0, parameters) }
            return ["\(count) document\(count == 1 ? "" : "s") changed"]
        }
        return try file.read { snapshot in
            if example.language == "plan" {
                let plan = try query.explain(in: snapshot, parameters)
                return plan.description.split(separator: "\n").dropFirst().map(String.init)
            }
            return try query.rows(in: snapshot, parameters).all().map { try $0.json() }
        }
    }

    @Test("the query in JSON is equal to the one in SQL++")
    func json() throws {
        #expect(page.translations.count == 1)
        for (json, statement) in page.translations {
            let query = try Query(json: json)
            #expect(query.sqlPlusPlus == statement)
            #expect(try query.json == Query(statement).json)
        }
    }

    @Test("the page lists exactly the functions of the language")
    func functions() throws {
        let text = try PagePrograms.text(ofPage: "query.md")
        let table = try #require(
            text.components(separatedBy: "**Functions**").last?.components(separatedBy: "```").first
        )
        let rows = table.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\| (\w+) \|(.*)\|$/).map { (String($0.1), String($0.2)) }
        }
        let families = QueryFunction.families.filter { $0.functions[0].kind == .scalar }
        #expect(rows.map(\.0) == families.map(\.name))
        for (row, family) in zip(rows, families) {
            let names = row.1.matches(of: /`([a-z0-9_]+)`/).map { String($0.1) }
            let declared = family.functions.flatMap { [$0.name] + $0.aliases }
            #expect(names.sorted() == declared.sorted(), "\(family.name)")
        }
        for function in QueryFunction.all where function.kind != .scalar {
            #expect(text.contains("`\(function.name.uppercased())`"))
        }
    }
}

/// Counts the words of a string.
private struct CountsWords: PredictiveModel {
    func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
        input["text"]?.string.map { text in
            ["words": .int(Int64(text.split(separator: " ").count))]
        }
    }
}

// The programs.
extension QueryPageTests {
    @Test("the first program runs a query")
    func asking() throws {
        let path = fixture.path
        var lines: [String] = []
        let print = { (name: String, age: Int64) in lines.append("\(name) \(age)") }
        // page begins
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        let adults = try Query(
            "SELECT name.last, age FROM people WHERE age >= $least ORDER BY age")
        try file.read { snapshot in
            let rows = try adults.rows(in: snapshot, ["least": 70])
            while let row = try rows.next() {
                print(row["last"].string ?? "?", row["age"].int ?? 0)  // Dijkstra 72, Hopper 85
            }
        }
        // page ends
        #expect(lines == ["Dijkstra 72", "Hopper 85"])
    }

    @Test("tasks run queries too")
    func tasks() async throws {
        let adults = try Query("SELECT name.last, age FROM people WHERE age >= $least ORDER BY age")
        var lines: [String] = []
        let print = { (line: String) in lines.append(line) }
        // page begins
        for try await row in file.rows(of: adults, ["least": 70]) {
            print(try row.json())  // {"age":72,"last":"Dijkstra"}
        }
        let all = try await file.all(of: adults, ["least": 70])
        // page ends
        #expect(lines == [#"{"age":72,"last":"Dijkstra"}"#, #"{"age":85,"last":"Hopper"}"#])
        #expect(try all.map { try $0.json() } == lines)
    }

    @Test("documents are changed")
    func changes() throws {
        // page begins
        let raise = try Query("UPDATE teams SET budget = budget + $more WHERE budget > 0")
        let count = try file.write { try raise.run(in: $0, ["more": 100]) }
        // page ends
        let budgets = try Query("SELECT budget FROM teams ORDER BY budget")
        #expect(count == 2)
        #expect(
            try file.read { try budgets.rows(in: $0).all().map { $0[0].int } } == [0, 1300, 3100])
    }

    @Test("parameters do not change the query")
    func parameters() throws {
        // page begins
        let list = try QueryValue(encoding: ["NY", "CA"])
        let found = try Query(
            "SELECT META().id FROM people WHERE state IN $states AND age != $age ORDER BY age")
        let ids = try file.read { snapshot in
            try found.rows(in: snapshot, ["states": list, "age": "36 OR 1 = 1"])
                .all().map { $0[0].string ?? "" }
        }
        // page ends
        #expect(ids == ["ada", "alan", "grace"])
        #expect(throws: StoreError.self) {
            try file.read { try found.rows(in: $0, ["aeg": 36]).all() }
        }
    }

    @Test("rows become values of a type")
    func decoding() throws {
        // page begins
        struct Named: Codable { var first: String, age: Int }
        let query = try Query("SELECT name.first, age FROM people WHERE age < 40")
        let named = try file.read { snapshot in
            try query.rows(in: snapshot).all().map { try $0.decode(Named.self) }
        }
        // page ends
        #expect(named.map(\.first) == ["Ada"] && named.map(\.age) == [36])
    }

    @Test("pages continue after the last row")
    func paging() throws {
        // page begins
        let byAge = try Query("SELECT META().id, age FROM people ORDER BY age")
        var pages: [[String]] = []
        var cursor: QueryCursor?
        repeat {
            let page = try file.read { try byAge.page(of: 2, after: cursor, in: $0) }
            pages.append(page.rows.map { $0["id"].string ?? "" })
            cursor = page.next
        } while cursor != nil
        // page ends
        #expect(pages == [["ada", "alan"], ["emilie", "edsger"], ["grace"]])
    }

    @Test("plans and advice are shown")
    func plans() throws {
        let adults = try Query("SELECT name.last, age FROM people WHERE age >= $least ORDER BY age")
        var text = ""
        let print = { (plan: QueryPlan) in text = plan.description }
        // page begins
        let (plan, advice) = try file.read { snapshot in
            (
                try adults.explain(in: snapshot, ["least": 70]),
                try adults.adviseIndexes(in: snapshot)
            )
        }
        print(plan)  // a tree of steps
        for index in advice {
            try file.write { _ = try people.createIndex(index.index, in: $0) }
        }
        // page ends
        #expect(plan.scansDocuments && text.contains("scans all documents of people"))
        #expect(advice.map(\.index.name) == ["by_age"])
        #expect(try file.read { try !adults.explain(in: $0).scansDocuments })
    }

    @Test("the page has exactly these programs")
    func programs() throws {
        let here = URL(fileURLWithPath: #filePath)
        let programs = try PagePrograms.inSource(here)
        #expect(try Set(programs) == Set(PagePrograms.onPage("query.md")))
        #expect(try programs.count == PagePrograms.onPage("query.md").count)
    }
}
