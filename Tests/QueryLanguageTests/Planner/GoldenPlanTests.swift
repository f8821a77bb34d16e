import Foundation
import QueryLanguage
import StoreFormat
import Testing

/// A query and its plan, as text.
struct GoldenPlan: CustomTestStringConvertible, Sendable {
    let query: String
    let plan: String

    var testDescription: String { query }

    /// `plans.txt`: a query after `? `, and its plan in the lines below it.
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "plans.txt")

    static let all: [GoldenPlan] = {
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n\n").map { block in
            let parts = block.split(separator: "\n", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix("? ") else {
                return GoldenPlan(query: String(block), plan: "not a query and its plan")
            }
            let plan = String(parts[1])
            return GoldenPlan(
                query: String(parts[0].dropFirst(2)),
                plan: plan.hasSuffix("\n") ? String(plan.dropLast()) : plan)
        }
    }()

    /// The plan of a query for `PlanCatalog`.
    static func plan(_ query: String) throws -> String {
        let statement = try SQLPPParser.statement(query)
        guard case .select(let select) = statement else {
            throw StoreError(.unsupported, "not a query: \(query)")
        }
        var options = TranslationOptions()
        options.parameters.forms["flag"] = .boolean
        options.parameters.plain = ["least", "words"]
        return try PlanText.text(QueryTranslation.plan(of: select, options, PlanCatalog()))
    }
}

@Suite("The plan of a query")
struct GoldenPlanTests {
    @Test("is the one in plans.txt", arguments: GoldenPlan.all)
    func plans(golden: GoldenPlan) throws {
        #expect(try GoldenPlan.plan(golden.query) == golden.plan)
    }

    @Test("is known for a hundred queries")
    func count() {
        #expect(GoldenPlan.all.count == 110)
        #expect(Set(GoldenPlan.all.map(\.query)).count == GoldenPlan.all.count)
    }

    /// Run with `STORE_WRITE_PLANS=1` after a deliberate change, and read the difference.
    @Test(
        "can be written again",
        .enabled(if: ProcessInfo.processInfo.environment["STORE_WRITE_PLANS"] != nil))
    func write() throws {
        let blocks = try GoldenPlan.all.map { "? \($0.query)\n\(try GoldenPlan.plan($0.query))\n" }
        try blocks.joined(separator: "\n")
            .write(to: GoldenPlan.path, atomically: true, encoding: .utf8)
    }
}
