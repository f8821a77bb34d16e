import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// Strings, and how LiteCore with ICU 72 sorts and finds them.
private struct GoldenCollations: Decodable {
    struct Order: Decodable {
        var sqlCollation: String
        var sorted: [String]
    }

    struct Filter: Decodable {
        var sql: String
        var rows: [String]
    }

    var strings: [String]
    var orders: [Order]
    var filters: [Filter]

    static func load() throws -> GoldenCollations {
        let path = GoldenFiles.file("collation/litecore-icu72.json")
        return try JSONDecoder().decode(
            GoldenCollations.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

@Suite(
    "LiteCore's collations",
    .enabled(if: GoldenFiles.arePresent, "no golden files: set STORE_GOLDEN"))
struct GoldenCollationTests {
    private let golden: GoldenCollations
    private let context: SQLContext

    init() throws {
        golden = try GoldenCollations.load()
        context = try SQLContext()
        try Collations.register(in: context)
        try CollatedText.register(in: context)
        try QueryFunctions.register(in: context, FunctionContext(sharedKeys: SharedKeys()))
        try context.exec(
            sql: "CREATE TABLE kv_default (key TEXT, s TEXT, flags INTEGER DEFAULT 0)")
        for (number, string) in golden.strings.enumerated() {
            try context.exec(
                sql: "INSERT INTO kv_default (key, s) VALUES (?, ?)",
                parameters: [.text(String(format: "%07d", number + 1)), .text(string)])
        }
    }

    /// Languages in which LiteCore's comparison is not a total order for some ASCII strings; see
    /// docs/compatibility.md.
    private static let mixtures = ["da", "cs", "tr"]

    @Test("sort 143 strings in 19 ways as on Linux")
    func orders() throws {
        #expect(golden.orders.count == 19)
        for order in golden.orders {
            let rows = try context.selectAll(
                sql: "SELECT s FROM kv_default ORDER BY s COLLATE \(order.sqlCollation), key")
            var (ours, theirs) = (rows.compactMap { $0[0].textValue }, order.sorted)
            if Self.mixtures.contains(where: { order.sqlCollation.hasSuffix("_\($0)") }) {
                ours.removeAll { $0.utf8.allSatisfy { $0 < 0x80 } }
                theirs.removeAll { $0.utf8.allSatisfy { $0 < 0x80 } }
                #expect(ours.count > 50)
            }
            #expect(ours == theirs, "\(order.sqlCollation)")
        }
    }

    @Test("find the same strings in 60 queries")
    func filters() throws {
        #expect(golden.filters.count == 60)
        for filter in golden.filters {
            let sql = filter.sql.replacingOccurrences(
                of: "fl_value(_doc.body, 's')", with: "_doc.s"
            ).replacingOccurrences(of: "fl_result(", with: "(")
            let rows = try context.selectAll(sql: sql)
            #expect(rows.compactMap { $0[0].textValue } == filter.rows, "\(filter.sql)")
        }
    }
}
