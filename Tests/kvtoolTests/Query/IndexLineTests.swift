import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@Suite("The index that kvtool explain suggests")
struct IndexLineTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","name":"Ada","it's":1,"likes":["tea"]}"#,
            #"{"_id":"b","name":"Bob","it's":2,"likes":["rum"]}"#,
        ])
        try database.run("mkcoll", "hr.staff").success()
    }

    @Test(
        "has the command that creates it, after which it serves the query",
        arguments: [
            "SELECT name FROM _ WHERE name = 'Ada'", "SELECT name FROM _ WHERE `it's` = 1",
            "SELECT name FROM _ WHERE lower(name) = 'ada'",
            "SELECT name FROM _ WHERE ANY l IN likes SATISFIES l = 'tea' END",
            "SELECT name FROM hr.staff WHERE name = 'Ada'",
        ])
    func command(_ query: String) throws {
        let lines = try database.run("explain", query).success().lines
        let line = try #require(lines.last?.drop { $0 == " " })
        #expect(line.hasPrefix("kvtool mkindex \(database.path) by_"), "\(line)")
        let made = try Kvtool.shell("kvtool() { \"$KVTOOL\" \"$@\"; }\n\(line)")
        #expect(made.status == 0, "\(made)")
        let after = try database.run("explain", query).success().stdout
        #expect(!after.contains("An index would help"), "\(after)")
    }

    @Test("has a line of Swift, too, with --swift")
    func swift() throws {
        let query = "SELECT name FROM hr.staff WHERE name = 'Ada' AND `a\"b` = 1"
        let lines = try database.run("explain", query, "--swift").success().lines
        #expect(
            lines.suffix(2) == [
                #"  kvtool mkindex \#(database.path) by_name --collection=hr.staff 'name, `a"b`'"#,
                #"  try Collection(CollectionName("hr.staff")).createIndex(.value("by_name", "#
                    + #"on: "name, `a\"b`"), in: transaction)"#,
            ])
    }

    @Test("has both lines for programs, and the SQL statement")
    func json() throws {
        let query = "SELECT d.name FROM _ AS d UNNEST d.likes AS l WHERE l = 'tea'"
        let answer = try database.run("explain", query, "--json").success().answer()
        let advice = try #require((answer["advice"] as? [[String: Any]])?.first)
        #expect(
            advice["command"] as? String
                == "kvtool mkindex \(database.path) by_likes --array=likes")
        #expect(
            advice["swift"] as? String
                == #"try Collection(.default).createIndex(.array("by_likes", path: "likes"), "#
                + "in: transaction)")
        #expect((advice["sql"] as? String)?.hasPrefix("CREATE TABLE") == true)
    }

    @Test("is measured in an encrypted database, whose copy is encrypted and removed")
    func encrypted() throws {
        let sample = try EncryptedDatabase()
        let names = try DirectoryContents(sample.database.directory.path).names
        let lines = try sample.database.run(
            "explain", "SELECT text FROM _ WHERE text = 'x'", "--measure", "--key-file",
            sample.keyFile
        ).success().lines
        let form = /\s+measured: [0-9].* without, [0-9].* with it; created in [0-9].*/
        #expect(lines.last?.wholeMatch(of: form) != nil, "\(lines)")
        #expect(try DirectoryContents(sample.database.directory.path).names == names)
    }

    @Test("is measured in a directory that no other user can search")
    func privacy() throws {
        let names = try DirectoryContents(database.directory.path).names
        do {
            let directory = try WorkDirectory(beside: database.path)
            let parent = URL(fileURLWithPath: directory.database).deletingLastPathComponent()
            #expect(parent.deletingLastPathComponent().path == database.directory.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: parent.path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            try DataFile(path: directory.database, options: .init(access: .create)).close()
        }
        #expect(try DirectoryContents(database.directory.path).names == names)
    }
}
