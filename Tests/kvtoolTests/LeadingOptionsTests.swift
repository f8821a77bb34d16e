import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("Options before the command")
struct LeadingOptionsTests {
    @Test(
        "go behind it, and what a command needs not be told is left out",
        arguments: [
            ("ls a", "ls a"), ("--json ls a", "ls a --json"),
            ("--color ls a", "ls a --color=auto"), ("--color never ls a", "ls a --color never"),
            ("--color=always ls a", "ls a --color=always"), ("ls a --color", "ls a --color=auto"),
            ("ls a --color -l", "ls a --color=auto -l"),
            ("ls a --color always", "ls a --color always"),
            ("cat a -- --color", "cat a -- --color"),
            ("ls a --color sometimes", "ls a --color sometimes"),
            ("--color sometimes ls a", "ls a --color sometimes"),
            ("ls --color a.cblite2", "ls --color=auto a.cblite2"),
            ("--color lss a", "lss a --color=auto"),
            ("index --color ls a", "index --color=auto ls a"),
            ("--collection ls ls a", "ls a --collection ls"),
            ("--collection c lss a", "lss a --collection c"),
            ("--json cat a -- -x", "cat a --json -- -x"),
            ("--timeout 3 ls a", "ls a --timeout 3"), ("--writeable rm a x", "rm a x"),
            ("-w rm a x", "rm a x"), ("-w shell a", "shell a -w"),
            ("--writeable a.cblite2", "--writeable a.cblite2"),
            ("--create a.cblite2", "--create a.cblite2"),
            ("--create import a b", "import a b --create"),
            ("--create mkcoll a b", "mkcoll a b --create"),
            ("--upgrade compact a", "compact a --upgrade"), ("-v", "--version"),
            ("--version", "--version"), ("--version --json", "version --json"),
            ("--json --version", "version --json"), ("--help", "--help"),
            ("--color --help", "--color=auto --help"), ("", ""),
            ("--encrypted a.cblite2", "a.cblite2"), ("--encrypted ls a", "ls a"),
        ])
    func moved(_ typed: String, _ expected: String) throws {
        let words = typed.split(separator: " ").map(String.init)
        #expect(try LeadingOptions.moved(words).joined(separator: " ") == expected)
    }

    @Test(
        "what the original has and this tool has not is refused with what there is",
        arguments: [
            ("--upgrade=vv a.cblite2", "kvtool convert DATABASE --to vectors"),
            ("--create put a x {}", "put makes no database; mkcoll --create"),
        ])
    func refused(_ typed: String, _ hint: String) throws {
        let words = typed.split(separator: " ").map(String.init)
        let error = try #require(throws: ToolError.self) { try LeadingOptions.moved(words) }
        #expect(error.status == .usage)
        #expect(error.message.contains(hint))
    }

    @Test("the tool takes them")
    func running() throws {
        let database = try SampleDatabase(people: 2)
        let list = ["person-0001", "person-0002"]
        let lines = try Kvtool.run(["--color", "ls", database.path, "--columns", "id", "--csv"])
        #expect(lines.success().lines == ["id"] + list)
        try Kvtool.run(["--writeable", "rm", database.path, "person-0001"]).success()
        let refused = try Kvtool.run(["--create", "put", database.path, "x", "{}"])
        #expect(refused.refusal(status: 2).hasPrefix("put makes no database"))
        let shell = try Kvtool.run(
            ["--writeable", database.path], stdin: Data("put x {}\n".utf8))
        #expect(shell.status == 0, "\(shell)")
        #expect(try database.exported().count == 2)
    }
}

@Suite("~/ in the shell")
struct HomeFolderTests {
    @Test(
        "stands for the home folder at the head of a path",
        arguments: [
            ("~/a", "/h/a"), ("~/", "/h/"), ("@~/a.json", "@/h/a.json"), ("~", "~"),
            ("~x/a", "~x/a"),
            ("a/~/b", "a/~/b"), ("", ""),
        ])
    func expanded(_ path: String, _ expected: String) {
        #expect(HomeFolder.expanded(path, home: "/h") == expected)
        #expect(HomeFolder.expanded(path, home: nil) == path)
        #expect(HomeFolder.expanded(path, home: "") == path)
    }

    @Test("paths of the shell's commands are found there, words in quotes are left as they are")
    func shell() throws {
        let database = try SampleDatabase(people: 2)
        _ = try database.newFile("q.sql", Data("SELECT COUNT(*) AS n FROM _".utf8))
        _ = try database.newFile("new.json", Data(#"{"n":1}"#.utf8))
        let lines = [
            ".open ~/people.cblite2", "query @~/q.sql", "put new @~/new.json",
            "export ~/all.ndjson", "ls > ~/list", "put '~/x' {}",
        ]
        let input = Data(lines.map { $0 + "\n" }.joined().utf8)
        let outcome = try Kvtool.run(
            ["shell", "--batch", "-w", database.path], stdin: input,
            environment: ["HOME": database.folder.path])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.lines.prefix(2) == ["n", "2"])
        let exported = try String(
            contentsOfFile: database.folder("all.ndjson"), encoding: .utf8)
        #expect(exported.hasPrefix(#"{"_id":"new","n":1}"#))
        let list = try String(contentsOfFile: database.folder("list"), encoding: .utf8)
        #expect(list.contains("person-0002"))
        #expect(try database.exported().last == #"{"_id":"~/x"}"#)
    }
}
