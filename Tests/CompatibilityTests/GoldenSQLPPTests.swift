import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite(
    "Expressions with results of LiteCore",
    .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenSQLPPTests {
    /// The expression of `SELECT expression AS r FROM _ LIMIT 1`, and LiteCore's error.
    private struct Question {
        let expression: String
        let error: String?
    }

    private let questions: [Question]

    init() throws {
        let path = GoldenFiles.file("queries/litecore-answers.ndjson")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        questions = try lines.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let answer = object as? [String: Any], answer["language"] as? String == "SQL++",
                let query = answer["query"] as? String,
                let match = query.wholeMatch(of: /SELECT (.*) AS (?:r|x) FROM _ LIMIT 1/),
                !match.1.contains(" AS ")
            else { return nil }
            return Question(expression: String(match.1), error: answer["error"] as? String)
        }
    }

    @Test("are parsed, and written as text that parses to the same expression")
    func accepted() throws {
        let accepted = questions.filter { $0.error?.contains("syntax error") != true }
        #expect(accepted.count > 500)
        for question in accepted {
            let expression = try SQLPPParser.condition(question.expression)
            let written = SQLPPWriter.text(expression)
            #expect(try SQLPPParser.condition(written) == expression)
        }
    }

    @Test("are parsed too where LiteCore rejects them: isvalued(), an array element, a name")
    func refused() throws {
        let refused = questions.filter { $0.error?.contains("syntax error") == true }
        let kinds = Set(refused.map { $0.expression.prefix { $0 != "(" && $0 != "]" } })
        #expect(kinds == ["isvalued", "[10,20,30", "$missing"])
        for question in refused { _ = try SQLPPParser.condition(question.expression) }
    }
}
