import FleeceLite
import Foundation
import StoreTestSupport
import Testing

@testable import DataFileCore

/// What LiteCore answered to queries of `sample_vectors_503`, and what this engine answers.
struct GoldenQuery: CustomTestStringConvertible, Sendable {
    /// The line in the file, the first being 1.
    let line: Int
    let isJSON: Bool
    let text: String
    let parameters: String?
    let columns: [String]?
    /// The rows as JSON, `{"@":"MISSING"}` for what is missing; nil where LiteCore failed.
    let rows: String?

    var testDescription: String { "line \(line): \(text)" }

    static func all() throws -> [GoldenQuery] {
        let path = GoldenFiles.file("queries/litecore-answers.ndjson")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").enumerated().map { index, line in
            let answer = try FleeceDocument(json: String(line)).root
            return GoldenQuery(
                line: index + 1, isJSON: answer["language"]?.string == "JSON",
                text: answer["query"]?.string ?? "", parameters: try answer["parameters"]?.json(),
                columns: answer["columns"]?.array?.compactMap(\.string),
                rows: try answer["rows"]?.json())
        }
    }

    /// The rows that this engine gives, in the same form.
    func answer(in snapshot: Snapshot) throws -> (columns: [String], rows: String) {
        let query = try isJSON ? Query(json: text) : Query(text)
        let rows = try query.rows(
            in: snapshot, parameters.map { try QueryParameters(json: $0) } ?? [:],
            limits: QueryLimits(seconds: 10))
        var encoder = FleeceEncoder()
        encoder.beginArray()
        while let row = try rows.next() {
            encoder.beginArray()
            for column in 0..<row.count { try Self.write(row[column], to: &encoder) }
            try encoder.endArray()
        }
        try encoder.endArray()
        return (rows.columnNames, try FleeceDocument(validating: encoder.finish()).root.json())
    }

    private static func write(_ value: QueryValue, to encoder: inout FleeceEncoder) throws {
        switch value {
        case .missing:
            encoder.beginDictionary()
            try encoder.writeKey("@")
            encoder.writeString("MISSING")
            try encoder.endDictionary()
        // JSON has no infinity.
        case .real(let number) where !number.isFinite: encoder.writeNull()
        default: try encoder.write(value)
        }
    }
}

@Suite(
    "Queries that LiteCore has answered", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenQueryTests {
    @Test func explore() throws {
        let folder = try TemporaryFolder()
        let file = try DataFile(
            path: GoldenDatabase.named("sample_vectors_503").copy(to: folder),
            options: .init(access: .readOnly))
        try file.read { snapshot in
            for query in try GoldenQuery.all() {
                do {
                    let answer = try query.answer(in: snapshot)
                    guard let rows = query.rows else {
                        print("TAKEN", query.line, query.text, answer.rows.prefix(200)); continue
                    }
                    if answer.rows != rows || answer.columns != query.columns {
                        let sql = try (query.isJSON ? Query(json: query.text) : Query(query.text))
                            .sql(in: snapshot)
                        print(
                            "DIFF", query.line, query.text, query.columns ?? [], answer.columns,
                            rows == answer.rows
                                ? ""
                                : "\n   theirs \(rows.prefix(300))\n   ours   \(answer.rows.prefix(300))\n  \(sql.prefix(300))"
                        )
                    }
                } catch {
                    if query.rows != nil { print("FAIL", query.line, query.text, error) }
                }
            }
        }
    }
}
