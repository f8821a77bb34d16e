import Foundation
import SampleData
import StoreTestSupport
import Testing

/// Something that stands where a database should, and what is said of it.
struct NoDatabase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int32
    /// What follows the path.
    let complaint: String
    /// Who makes a database of it.
    enum Maker {
        case nobody, importing, writing
    }
    var maker = Maker.nobody
    /// Whether the `sqlite3` command makes it.
    var isMadeWithSQLite = false
    /// Makes it; returns the path, and the part of it that an error should name.
    let make: @Sendable (TemporaryDirectory) throws -> (path: String, named: String)

    static let all = [
        NoDatabase(
            testDescription: "nothing", status: 3, complaint: "does not exist", maker: .importing
        ) { ($0("a.cblite2"), $0("a.cblite2")) },
        NoDatabase(
            testDescription: "an empty directory", status: 4,
            complaint: "is not a database: there is no db.sqlite3 in it; ", maker: .importing
        ) { directory in (try createDirectory(directory), directory("a.cblite2")) },
        NoDatabase(
            testDescription: "a plain file", status: 4,
            complaint: "is a file; a database is a directory NAME.cblite2 with a file "
                + "db.sqlite3 in it"
        ) { directory in
            try Data("text".utf8).write(to: URL(fileURLWithPath: directory("a.cblite2")))
            return (directory("a.cblite2"), directory("a.cblite2"))
        },
        NoDatabase(
            testDescription: "the SQLite file itself", status: 4,
            complaint: "is damaged or is not an SQLite database: its header is invalid; "
        ) { directory in
            let file = try make(directory, Data(count: 4096))
            return (file, file)
        },
        file("an empty file", complaint: "is empty; ", maker: .writing, Data()),
        file("a text", complaint: "is damaged or is not an SQLite database", Data("hello\n".utf8)),
        file(
            "pages of zeros", complaint: "is damaged or is not an SQLite database",
            Data(count: 8192)),
        file("an encrypted file", complaint: "is encrypted; ", randomPages),
        notAStore("an SQLite database of another kind", "CREATE TABLE t (a)"),
        notAStore("a view named kvmeta", "CREATE VIEW kvmeta AS SELECT 1"),
        schema(600, ", written by a newer version"),
        schema(Int(Int32.max), ", written by a newer version"),
        schema(200, ": Couchbase Lite 1 created it, or its creation was interrupted"),
        schema(0, ": Couchbase Lite 1 created it, or its creation was interrupted"),
        schema(-1, ": Couchbase Lite 1 created it, or its creation was interrupted"),
    ].filter { SQLiteShell.isPresent || !$0.isMadeWithSQLite }

    /// Random bytes, as a file that is encrypted as a whole looks.
    private static var randomPages: Data {
        var random = SeededGenerator(seed: 1)
        return Data((0..<(4 * 4096)).map { _ in UInt8(random.below(256)) })
    }

    private static func file(
        _ name: String, complaint: String, maker: Maker = .nobody, _ bytes: Data
    ) -> NoDatabase {
        NoDatabase(
            testDescription: name, status: 4, complaint: complaint, maker: maker
        ) { directory in
            let file = try make(directory, bytes)
            return (directory("a.cblite2"), file)
        }
    }

    private static func notAStore(_ name: String, _ sql: String) -> NoDatabase {
        NoDatabase(
            testDescription: name, status: 4,
            complaint: "is an SQLite database but not a document store: it has no table kvmeta",
            isMadeWithSQLite: true
        ) { directory in
            let file = try createDirectory(directory) + "/db.sqlite3"
            try SQLiteShell.rows(file, "\(sql); PRAGMA user_version=503")
            return (directory("a.cblite2"), file)
        }
    }

    private static func schema(_ version: Int, _ reason: String) -> NoDatabase {
        NoDatabase(
            testDescription: "schema \(version)", status: 4,
            complaint: "has schema \(version)\(reason)", isMadeWithSQLite: true
        ) { directory in
            let path = try createDirectory(directory)
            try SQLiteShell.rows(
                "\(path)/db.sqlite3",
                "CREATE TABLE kvmeta (name); PRAGMA user_version=\(version)")
            return (path, path)
        }
    }

    private static func createDirectory(_ directory: TemporaryDirectory) throws -> String {
        try FileManager.default.createDirectory(
            atPath: directory("a.cblite2"), withIntermediateDirectories: false)
        return directory("a.cblite2")
    }

    private static func make(_ directory: TemporaryDirectory, _ bytes: Data) throws -> String {
        let file = try createDirectory(directory) + "/db.sqlite3"
        try bytes.write(to: URL(fileURLWithPath: file))
        return file
    }
}
