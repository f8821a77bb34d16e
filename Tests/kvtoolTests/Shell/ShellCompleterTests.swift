import DocumentStore
import StoreTestSupport
import Testing

@testable import KVToolCommands
import KVToolCore

@Suite("The Tab key of the shell")
struct ShellCompleterTests {
    private let database: SampleDatabase
    private let completer: ShellCompleter

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","contact":{"address":{"city":"x"},"email":[{"kind":"y"}]},"first name":1}"#
        ])
        try database.run("mkindex", "byCity", "contact.address.city").success()
        try database.run("mkcoll", "hr.staff").success()
        try database.run("put", "b", #"{"salary":1}"#, "--collection", "hr.staff").success()
        let place = try ShellLocation(
            DatabaseAddress(database.path), .readOnly, timeoutMilliseconds: 1000)
        completer = ShellCompleter(table: try CommandTable(KVTool.self), location: place)
    }

    private func offered(_ line: String) -> [String] {
        let completion = completer.complete(line)
        return completion.list.isEmpty ? [completion.insertion] : completion.list
    }

    @Test(
        "completes nested properties",
        arguments: [
            ("SELECT contact.", ["address", "email"]), ("SELECT contact.address.c", ["city "]),
            ("SELECT d.contact.a", ["address "]), ("SELECT contact.email[0].", ["kind "]),
            ("SELECT _.contact.em", ["email "]),
            ("SELECT * FROM hr.staff s WHERE s.", ["salary "]),
            ("UPDATE hr.staff SET sal", ["salary "]),
            ("SELECT contact.nothing.", [""]), ("mkindex x cont", ["contact "]),
        ])
    func properties(_ line: String, _ expected: [String]) {
        #expect(offered(line) == expected)
    }

    @Test(
        "completes according to the argument",
        arguments: [
            ("index show ", "byCity "), ("index check ", "byCity "), ("rmindex b", "byCity "),
            ("reindex ", "byCity "), ("cat ", "a "), ("rmcoll hr", "hr.staff "), ("blob get ", ""),
            ("mkcoll ", ""), ("mkindex ", ""), ("lscoll ", ""), (".write o", ""),
            (".wri", ".write "),
        ])
    func arguments(_ line: String, _ expected: String) { #expect(offered(line) == [expected]) }

    @Test("offers IDs that begin with a dash after --, and options before it")
    func dashes() throws {
        try database.run("put", "--", "-dash", "{}").success()
        #expect(offered("cat -- -") == ["-dash "])
        #expect(offered("cat a -- -") == ["-dash "])
        #expect(offered("cat -").contains("--raw"))
    }

    @Test("offers every function and nothing else")
    func functions() throws {
        #expect(Query.functionNames.count >= 140)
        for name in Query.functionNames {
            #expect(offered("SELECT \(name)").contains("\(name)("), "\(name)")
            // The engine knows the function, even if it rejects the arguments.
            do {
                _ = try Query("SELECT \(name)()")
            } catch let error as StoreError {
                #expect(!error.message.contains("unknown function"), "\(error)")
            }
        }
        #expect(offered("SELECT array_un") == [""])
        #expect(Query.keywords.contains("UNNEST") && !Query.keywords.contains("EXPLAIN"))
    }
}
