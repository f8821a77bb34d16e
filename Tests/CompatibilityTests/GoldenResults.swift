import ProjectTestSupport
import SQLCore
import DocumentStore
import Foundation
import StoreTestSupport
import Testing

import FleeceLite

/// LiteCore's results of queries of `sample_vectors_503`, with the SQL that it generated for them.
struct GoldenResults {
    /// A query that has SQL and rows.
    struct Entry: CustomTestStringConvertible {
        /// The line number in the file, starting at 1.
        let line: Int
        let query: String
        let sql: String
        /// The rows as JSON; MISSING is `{"@":"MISSING"}`.
        let rows: [[Any]]

        var testDescription: String { "line \(line): \(query)" }
    }

    /// The results that have SQL and rows, and no parameters.
    static func all() throws -> [Entry] {
        let path = GoldenFiles.file("queries/litecore-answers.ndjson")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").enumerated().compactMap { index, line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let entry = object as? [String: Any], entry["parameters"] == nil,
                let sql = entry["sql"] as? String, let rows = entry["rows"] as? [[Any]]
            else { return nil }
            return Entry(
                line: index + 1, query: entry["query"] as? String ?? sql, sql: sql, rows: rows)
        }
    }

    /// The results whose SQL calls only these functions, and at least one.
    static func calling(only functions: Set<String>) throws -> [Entry] {
        try all().filter { entry in
            // Collations are tested separately.
            if entry.sql.contains("LCUnicode") { return false }
            let called = names(calledIn: entry.sql)
            return !called.isEmpty && called.isSubset(of: functions)
        }
    }

    /// The names in front of a `(` outside quotes, except SQL's own functions.
    static func names(calledIn sql: String) -> Set<String> {
        let outside = sql.split(separator: "'", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }
            .joined(separator: "''")
        var names: Set<String> = []
        for match in outside.matches(of: /([A-Za-z_0-9]+)\s*\(/) {
            let name = match.1.lowercased()
            if !Self.words.contains(name) { names.insert(name) }
        }
        return names
    }

    private static let words: Set<String> = [
        "select", "where", "and", "or", "not", "in", "exists", "from", "as", "when", "then",
        "else", "on", "by", "is", "between", "case", "like", "match", "values", "count",
    ]
}

/// A copy of `sample_vectors_503`, with functions that the caller registers.
final class GoldenQueries {
    let context: SQLContext
    private let directory: TemporaryDirectory

    /// Opens the copy; `register` receives the functions' context with the file's shared keys.
    init(_ register: (SQLContext, FunctionContext) throws -> Void) throws {
        directory = try TemporaryDirectory()
        let path = try GoldenDatabase.named("sample_vectors_503").copy(to: directory)
        context = try SQLContext(path: path + "/db.sqlite3")
        try register(context, FunctionContext(sharedKeys: Self.sharedKeys(of: context)))
        let names = try context.selectAll(sql: "SELECT name FROM sqlite_master").map { $0[0] }
        if names.contains(.text("kv_del_default")) {
            try context.exec(
                sql: """
                    CREATE TEMP VIEW all_default AS SELECT * FROM kv_default
                    UNION ALL SELECT * FROM kv_del_default
                    """)
        }
    }

    /// The shared keys of an open file.
    static func sharedKeys(of context: SQLContext) throws -> SharedKeys {
        let state = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        return try state?.blobValue.map { try SharedKeys(state: [UInt8]($0)) } ?? SharedKeys()
    }

    /// How the rows of a result's SQL differ from it, or the error; nil if they are equal.
    func difference(from entry: GoldenResults.Entry) -> String? {
        do {
            return Self.difference(try rows(entry.sql), entry.rows)
        } catch {
            return "\(error)"
        }
    }

    /// The rows of a statement in the format of the golden file.
    func rows(_ sql: String) throws -> [[Any]] {
        try context.selectAll(sql: sql).map { try $0.map { try Self.json($0) } }
    }

    /// A value of a result as JSON: blobs are Fleece, an empty blob is null.
    static func json(_ value: SQLValue) throws -> Any {
        switch value {
        case .null: return ["@": "MISSING"]
        case .long(let number): return NSNumber(value: number)
        case .real(let number): return NSNumber(value: number)
        case .text(let text): return text
        case .blob(let data) where data.isEmpty: return NSNull()
        case .blob(let data):
            let text = try FleeceDocument(trusted: [UInt8](data)).root.json()
            return try JSONSerialization.jsonObject(
                with: Data(text.utf8), options: .fragmentsAllowed)
        }
    }

    /// How rows differ, nil if they are equal: numbers compare as numbers, Booleans as Booleans.
    static func difference(_ rows: [[Any]], _ expected: [[Any]]) -> String? {
        let (found, wanted) = (canonical(rows), canonical(expected))
        return found == wanted ? nil : "\(found.prefix(300)) instead of \(wanted.prefix(300))"
    }

    private static func canonical(_ value: Any) -> String {
        switch value {
        case let array as [Any]: "[" + array.map(canonical).joined(separator: ",") + "]"
        case let dictionary as [String: Any]:
            "{"
                + dictionary.sorted { $0.key < $1.key }
                .map { "\"\($0.key)\":" + canonical($0.value) }.joined(separator: ",") + "}"
        case let text as String: "\"\(text)\""
        case let number as NSNumber:
            switch String(cString: number.objCType) {
            case "c", "B": number.boolValue ? "true" : "false"
            default: number.description
            }
        default: "null"
        }
    }
}
