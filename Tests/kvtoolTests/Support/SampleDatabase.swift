import Foundation
import ProjectTestSupport
import SampleData
import StoreTestSupport
import Testing

/// A database of a test's own, and the tool at work on it.
struct SampleDatabase {
    let directory: TemporaryDirectory
    let path: String
    /// The SQLite file in it.
    var file: String { "\(path)/db.sqlite3" }

    /// Nothing yet: the first import will make it.
    init() throws {
        directory = try TemporaryDirectory()
        path = directory("people.cblite2")
    }

    /// A database with synthetic people, `person-0001` and so on.
    init(people count: Int) throws {
        try self.init(lines: Array(People(count: count)))
    }

    /// A database with these documents, a line of JSON each.
    init(lines: [String]) throws {
        try self.init()
        try importing(lines).success()
    }

    /// A copy of a database that another implementation wrote.
    init(golden name: String) throws {
        directory = try TemporaryDirectory()
        path = try directory.copy(of: GoldenFiles.file("litecore/\(name).cblite2"))
    }

    /// A directory with a file `db.sqlite3` of these bytes.
    init(bytes: Data) throws {
        try self.init()
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try write(bytes)
    }

    /// `kvtool COMMAND DATABASE …`; the command may be one of a group, as "index ls".
    func run(
        _ command: String, _ rest: String..., stdin: Data? = nil, asUser user: Kvtool.User = .same
    ) throws -> Command.Outcome {
        let words = command.split(separator: " ").map(String.init)
        return try Kvtool.run(words + [path] + rest, stdin: stdin, asUser: user)
    }

    /// `kvtool import DATABASE FILE`, the file having these lines.
    func importing(_ lines: [String], _ rest: String...) throws -> Command.Outcome {
        let text = lines.map { $0 + "\n" }.joined()
        return try Kvtool.run(["import", path, newFile("new.ndjson", Data(text.utf8))] + rest)
    }

    /// The ids that `kvtool export` writes, and what comes after them.
    func exported() throws -> [String] { try run("export").success().lines }

    /// Rows as the `sqlite3` command reads them.
    @discardableResult
    func rows(_ sql: String) throws -> [String] { try SQLiteShell.rows(file, sql) }

    /// What the directory holds at this moment.
    var contents: DirectoryContents { get throws { try DirectoryContents(path) } }

    /// The bytes of the SQLite file.
    var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: file)) } }

    /// Writes other bytes over the SQLite file.
    func write(_ bytes: Data) throws { try bytes.write(to: URL(fileURLWithPath: file)) }

    /// A file beside the database; returns its path.
    func newFile(_ name: String, _ bytes: Data) throws -> String {
        try bytes.write(to: URL(fileURLWithPath: directory(name)))
        return directory(name)
    }

    func setPermissions(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
