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
    private static let defects: [String: (answer: String, reason: String)] = [
        "round('x')": ("[[null]]", "an error instead of null"),
        "round_even('x')": ("[[null]]", "an error instead of null"),
        "fl_result(toarray(fl_bool(1)))": ("[[[true]]]", "arrays lose Booleans"),
        "fl_result(toarray(fl_bool(0)))": ("[[[false]]]", "arrays lose Booleans"),
        "array_max(array_of(-5, -2))": ("[[-2.0]]", "the maximum starts at 0"),
    ]

    @Test("each statement that calls a function gives LiteCore's rows, except for its defects")
    func answers() throws {
        let text = try String(
            contentsOfFile: GoldenFiles.file("queries/litecore-answers.ndjson"), encoding: .utf8)
        let own = QueryFunctions.scalars.map { $0.function.sqlName.lowercased() }
        let names = Set(own + ["array_agg"])
        let answers = try FunctionAnswer.all(in: text, calling: names)
        try #require(answers.count > 250)
        let directory = try TemporaryDirectory()
        let path = try GoldenDatabase.named("sample_vectors_503").copy(to: directory)
        let rows = try FunctionRows(SQLContext(path: path + "/db.sqlite3"))
        var defects = 0
        for answer in answers {
            let own = try rows.rows(answer)
            if let defect = Self.defects.first(where: {
                answer.sql.hasPrefix("SELECT \($0.key) ")
            }) {
                #expect(try own.json() == defect.value.answer, "\(defect.value.reason)")
                #expect(own != answer.rows, "\(answer.sql) is not a defect any more")
                defects += 1
            } else {
                let json = try own.json()
                #expect(own == answer.rows, "\(answer.sql): \(json)")
            }
        }
        #expect(defects == Self.defects.count)
    }
}
