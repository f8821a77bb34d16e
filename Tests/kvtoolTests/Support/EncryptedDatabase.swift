import Foundation
import StoreTestSupport
import Testing

/// An encrypted database of a test's own: a document `a`, and one whose blob is `hello`.
struct EncryptedDatabase {
    /// What nothing that the tool writes may hold.
    static let key = "correct horse battery"
    static let digest = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="
    /// What its file is called where that says the digest, without the ending.
    static let fileName = "qvTGHdzF6KLavt4PO0gs2a6pQ00="

    let database: SampleDatabase
    /// A file with the key, for this user only.
    let keyFile: String
    var path: String { database.path }

    /// The same before it is encrypted.
    static func plain() throws -> SampleDatabase {
        let database = try SampleDatabase(lines: [#"{"_id":"a","text":"plain words"}"#])
        let blob = try Kvtool.run(
            ["blob", "put", database.path, "-"], stdin: Data("hello".utf8)
        ).success()
        try database.run("put", "doc", #"{"file":\#(blob.lines[0])}"#).success()
        return database
    }

    init() throws {
        database = try Self.plain()
        keyFile = try Self.newKeyFile(in: database, Data(Self.key.utf8))
        try database.run("encrypt", "--new-key-file", keyFile).success()
    }

    /// A file beside a database that only this user can read.
    static func newKeyFile(
        in database: SampleDatabase, _ bytes: Data, name: String = "key"
    ) throws -> String {
        let path = try database.newFile(name, bytes)
        try database.setPermissions(0o600, of: path)
        return path
    }

    /// `kvtool COMMAND DATABASE … --key-file FILE`
    func run(_ command: String, _ rest: String...) throws -> Command.Outcome {
        try Kvtool.run([command, path] + rest + ["--key-file", keyFile])
    }

    /// Whether the SQLite file is a plain one.
    var isPlain: Bool {
        get throws { try database.bytes.starts(with: Data("SQLite format 3\0".utf8)) }
    }
}

extension Command.Outcome {
    /// What `ls` lists.
    var ids: [String] {
        lines.drop { !$0.hasPrefix("Document ") }.dropFirst().map { line in
            String(line.prefix { $0 != " " })
        }
    }
}
