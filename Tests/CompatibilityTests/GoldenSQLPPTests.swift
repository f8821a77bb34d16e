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
    private struct Sample {
        let expression: String
        let error: String?
    }

    private let samples: [Sample]

    init() throws {
        let path = GoldenFiles.file("queries/litecore-answers.ndjson")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        samples = try lines.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let entry = object as? [String: Any], entry["language"] as? String == "SQL++",
                let query = entry["query"] as? String,
                let match = query.wholeMatch(of: /SELECT (.*) AS (?:r|x) FROM _ LIMIT 1/),
                !match.1.contains(" AS ")
            else { return nil }
            return Sample(expression: String(match.1), error: entry["error"] as? String)
        }
    }

    @Test("are parsed, and written as text that parses to the same expression")
    func accepted() throws {
        let accepted = samples.filter { $0.error?.contains("syntax error") != true }
        #expect(accepted.count > 500)
        for sample in accepted {
            let expression = try SQLPPParser.condition(sample.expression)
            let written = SQLPPWriter.text(expression)
            #expect(try SQLPPParser.condition(written) == expression)
        }
    }

    @Test("are parsed too where LiteCore rejects them: isvalued(), an array element, a name")
    func refused() throws {
        let refused = samples.filter { $0.error?.contains("syntax error") == true }
        let kinds = Set(refused.map { $0.expression.prefix { $0 != "(" && $0 != "]" } })
        #expect(kinds == ["isvalued", "[10,20,30", "$missing"])
        for sample in refused { _ = try SQLPPParser.condition(sample.expression) }
    }
}
