import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryLanguage
import StoreFormat
import Testing
@testable import QueryEngine

/// Numbers and lengths at the ends of what there is.
@Suite("Queries with numbers and lengths outside of limits")
struct QueryBoundTests {
    private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 3, .max - 1, .max]

    private func fixture() throws -> QueryFixture {
        try QueryFixture([("a", #"{"age":1}"#), ("b", #"{"age":2}"#)])
    }

    @Test("a column number that no column has is an error", arguments: extremes)
    func columnNumbers(number: Int64) throws {
        let fixture = try fixture()
        let texts = [
            "SELECT age, 1 FROM _ ORDER BY \(number)", "SELECT age, 1 FROM _ GROUP BY \(number)",
            "SELECT age, 1 FROM _ UNION SELECT age, 2 FROM _ ORDER BY \(number)",
        ]
        for text in texts {
            let error = #expect(throws: StoreError.self) { try fixture.rows(text) }
            #expect(error?.has(.invalidQuery) == true)
            #expect(error?.message.contains("\(number): the result has 2 columns") == true)
            #expect(throws: StoreError.self) { try fixture.plan(text) }
        }
        let json = #"{"WHAT":[[".age"],1],"ORDER_BY":[\#(number)]}"#
        #expect(throws: StoreError.self) { try fixture.rows(Query(json: json)) }
    }

    @Test(
        "a name that looks like a column number is a name",
        arguments: ["-9223372036854775808", "0", "9", "9223372036854775807"])
    func columnNames(number: String) throws {
        let fixture = try fixture()
        let query = try Query(
            json: #"{"WHAT":[[".age"],["._id"]],"ORDER_BY":[[".\u0000\#(number)"]]}"#)
        #expect(throws: StoreError.self) { try fixture.rows(query) }
        #expect(throws: StoreError.self) {
            try fixture.file.read { try query.page(of: 1, in: $0) }
        }
    }

    @Test("LIMIT and OFFSET at the ends of 64 bits are valid", arguments: extremes)
    func limits(number: Int64) throws {
        let fixture = try fixture()
        let count = Int(min(max(number, 0), 2))
        #expect(try fixture.rows("SELECT age FROM _ LIMIT \(number)").count == count)
        #expect(
            try fixture.rows("SELECT age FROM _ LIMIT $n", ["n": .integer(number)]).count == count)
        #expect(try fixture.rows("SELECT age FROM _ OFFSET \(number)").count == 2 - count)
    }

    /// 32 times the columns take about 32 times as long, and 1,000 times where each is compared
    /// with all before it. The steps are counted, as a clock depends on the machine.
    @Test("names of equal columns are found without comparing all")
    func columnNames() throws {
        let fixture = try fixture()
        let count = 1_900
        let columns = repeatElement("age", count: count).joined(separator: ", ")
        let rows = try fixture.file.read { snapshot in
            try Query("SELECT \(columns) FROM _ LIMIT 1").rows(in: snapshot).columnNames
        }
        #expect(rows.count == count)
        #expect(rows.prefix(3) == ["age", "age #2", "age #3"])
        #expect(rows.last == "age #\(count)")
        #expect(Set(rows).count == count)
    }

    @Test("column names stay unique where an alias equals a generated name")
    func takenNames() throws {
        let fixture = try fixture()
        let names = try fixture.file.read { snapshot in
            try Query("SELECT age, age AS `age #2`, age, age, 1, 2 FROM _")
                .rows(in: snapshot).columnNames
        }
        #expect(names == ["age", "age #2", "age #3", "age #4", "$1", "$2"])
    }

    @Test("thousands of names of LET are found by their text")
    func names() throws {
        let fixture = try fixture()
        let names = (1..<20_000).map { ", x\($0) = x\($0 - 1 < 20 ? $0 - 1 : 0)" }.joined()
        #expect(
            try fixture.rows("SELECT x19999 AS r, x7 AS s FROM _ LET x0 = age\(names) LIMIT 1")
                == [#"{"r":1,"s":1}"#])
    }

    @Test("names that expand without limit are an error", arguments: ["x50", "COUNT(x50)"])
    func doubling(column: String) throws {
        let fixture = try fixture()
        let names = (1...50).map { ", x\($0) = x\($0 - 1) + x\($0 - 1)" }.joined()
        for tail in ["", " GROUP BY x1", " ORDER BY x50"] {
            let query = try Query("SELECT \(column) AS r FROM _ LET x0 = age\(names)\(tail)")
            let error = #expect(throws: StoreError.self) { try fixture.rows(query) }
            #expect(error?.has(.invalidQuery) == true)
        }
    }

    @Test("more columns than SQLite allows are an error without delay")
    func tooManyColumns() throws {
        let fixture = try fixture()
        let columns = repeatElement("age", count: 24_000).joined(separator: ", ")
        let error = #expect(throws: StoreError.self) {
            try fixture.rows("SELECT \(columns) FROM _")
        }
        #expect(error?.has(.invalidQuery) == true)
    }

    @Test("a cancelled task ends the translation")
    func cancelled() async throws {
        let fixture = try fixture()
        let names = (1...12).map { ", x\($0) = x\($0 - 1) + x\($0 - 1)" }.joined()
        let query = try Query("SELECT x12 AS r FROM _ LET x0 = age\(names)")
        #expect(try fixture.rows(query).count == 2)
        let task = Task { [file = fixture.file] in try Self.translateCancelled(query, file) }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Translates a query when the task is cancelled.
    private static func translateCancelled(_ query: Query, _ file: DataFile) throws {
        try file.read { snapshot in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try snapshot.plan(query, TranslationOptions())
        }
    }
}
