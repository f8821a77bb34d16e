import Foundation
import StoreTestSupport
import Testing

@Suite("An invalid argument")
struct WrongArgumentTests {
    private static let wrong: [(arguments: [String], message: String)] = [
        (["mkcoll", "DB", "_x"], "\"_x\" is not a scope or collection name: "),
        (["mkcoll", "DB", ""], "\"\" is not a scope or collection name: "),
        (["rmcoll", "DB", "a.b.c"], "\"a.b.c\" is not a collection: use NAME or SCOPE.NAME"),
        (["rmcoll", "DB", "_default"], "the default collection cannot be removed; "),
        (["watch", "DB", "--collection", "_x"], "\"_x\" is not a scope or collection name: "),
        (["diff", "DB", "DB", "--collection", "_x"], "\"_x\" is not a scope or "),
        (["fleece", "dump", "DB//_x/a"], "\"_x\" is not a scope or collection name: "),
        (["mv", "DB", "a", "_x"], "\"_x\" is not a scope or collection name: "),
        (
            ["mv", "DB", "a", "x", "--rename", "_y"],
            "the document ID \"_y\" is not allowed: IDs that start with '_' are reserved"
        ),
        (["put", "DB", "_x", "{}"], "the document ID \"_x\" is not allowed: "),
        (["edit", "DB", "_x", "--create"], "the document ID \"_x\" is not allowed: "),
        (["query", "DB", ""], "the statement is empty; "),
        (["select", "DB", " "], "the statement is empty; "),
        (["explain", "DB", ""], "the statement is empty; "), (["sql", "DB", ""], "the statement "),
        (["query", "DB", "SELECT $x", "-p", "x"], "--param takes NAME=VALUE, not \"x\""),
        (["blob", "get", "DB", "nope"], "\"nope\" is not the digest of a blob: "),
        (["blob", "check", "DB", "nope"], "\"nope\" is not the digest of a blob: "),
        (["diff", "DB", ""], "the database's path is empty"),
        (["snapshot", "DB", ""], "the new database's path is empty"),
        (["recover", "DB", ""], "the path of a database is empty"),
        (["export", "DB", ""], "the file's path is empty"),
        (["dump", "DB", ""], "the file's path is empty"),
        (["import", "DB", ""], "the file's path is empty"),
        (["load", "NEW", ""], "the file's path is empty"),
        (["generate", "--database", "NEW", "--collection", "_x"], "\"_x\" is not a "),
    ]

    @Test("ends with 2, reports why, and changes nothing")
    func refused() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let before = try DirectoryContents(database.directory.path)
        let paths = ["DB": database.path, "NEW": database.directory("new.cblite2")]
        for (arguments, message) in Self.wrong {
            let words = arguments.map { word in
                paths.first { word == $0.key || word.hasPrefix("\($0.key)//") }
                    .map { $0.value + word.dropFirst($0.key.count) } ?? word
            }
            let complaint = try Kvtool.run(words).refusal(status: 2)
            #expect(complaint.hasPrefix(message), "\(arguments): \(complaint)")
        }
        #expect(try DirectoryContents(database.directory.path) == before)
    }

    @Test("may begin with a dash after its option")
    func dashes() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"-3aW8Ve","n":-1}"#, #"{"_id":"b"}"#])
        let exported = #"{"_id":"-3aW8Ve","n":-1}"# + "\n"
        #expect(try database.run("export", "--id", "-3aW8Ve").success().stdout == exported)
        #expect(
            try database.run("cat", "--raw", "--where", "-n = 1").success().stdout == exported)
        try database.run("export", "--since", "-1").refusal(status: 2)
    }
}
