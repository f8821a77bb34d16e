import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite("Golden results: functions", .enabled(if: GoldenFiles.arePresent))
struct GoldenFunctionTests {
    /// The defects that are fixed here, and the correct results.
    private static let defects: [String: (result: String, reason: String)] = [
        "round('x')": ("[[null]]", "an error instead of null"),
        "round_even('x')": ("[[null]]", "an error instead of null"),
        "fl_result(toarray(fl_bool(1)))": ("[[[true]]]", "arrays lose Booleans"),
        "fl_result(toarray(fl_bool(0)))": ("[[[false]]]", "arrays lose Booleans"),
        "array_max(array_of(-5, -2))": ("[[-2.0]]", "the maximum starts at 0"),
    ]

    @Test("each statement that calls a function gives LiteCore's rows, except for its defects")
    func results() throws {
        let text = try String(
            contentsOfFile: GoldenFiles.file("queries/litecore-answers.ndjson"), encoding: .utf8)
        let own = QueryFunctions.scalars.map { $0.function.sqlName.lowercased() }
        let names = Set(own + ["array_agg"])
        let results = try FunctionResult.all(in: text, calling: names)
        try #require(results.count > 250)
        let directory = try TemporaryDirectory()
        let path = try GoldenDatabase.named("sample_vectors_503").copy(to: directory)
        let rows = try FunctionRows(SQLContext(path: path + "/db.sqlite3"))
        var defects = 0
        for result in results {
            let own = try rows.rows(result)
            if let defect = Self.defects.first(where: {
                result.sql.hasPrefix("SELECT \($0.key) ")
            }) {
                #expect(try own.json() == defect.value.result, "\(defect.value.reason)")
                #expect(own != result.rows, "\(result.sql) is not a defect any more")
                defects += 1
            } else {
                let json = try own.json()
                #expect(own == result.rows, "\(result.sql): \(json)")
            }
        }
        #expect(defects == Self.defects.count)
    }
}
