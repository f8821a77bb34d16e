import Foundation
import SampleData
import StoreTestSupport
import Testing

/// The rows of a database as the `sqlite3` command sees them, but for those of texts of indexes.
enum DumpedTables {
    /// A line for each row of each table of documents, of `kvmeta` and of `indexes`.
    static func rows(of database: String) throws -> [String] {
        let file = "\(database)/db.sqlite3"
        let names = try SQLiteShell.rows(
            file,
            """
            SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE '%::%'
            AND (name LIKE 'kv%' OR name='indexes') ORDER BY name
            """)
        return try SQLiteShell.rows(
            file,
            names.map { name in
                """
                SELECT '\(name)', \(columns(name)) FROM "\(name)" ORDER BY 2;
                """
            }.joined(separator: "\n"))
    }

    private static func columns(_ table: String) -> String {
        let names =
            switch table {
            case "kvmeta": ["name", "lastSeq", "purgeCnt"]
            case "indexes": ["name", "type", "keyStore", "expression", "indexTableName"]
            default: ["key", "sequence", "flags", "version", "body", "extra", "expiration"]
            }
        return names.map { #"quote("\#($0)")"# }.joined(separator: ", ")
    }
}

extension SampleDatabase {
    /// Dumps it into a file beside it; returns that file's path.
    func dump(_ name: String = "people.dump") throws -> String {
        try run("dump", directory(name)).success()
        return directory(name)
    }

    /// `kvtool load NEW DUMP …`, the new database being beside this one.
    func load(_ dump: String, _ rest: String..., into name: String = "new.cblite2") throws
        -> Command.Outcome
    {
        try Kvtool.run(["load", directory(name), dump] + rest)
    }

    /// The bytes of a file.
    static func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
