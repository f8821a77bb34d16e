import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool's usage")
struct UsageTests {
    static let wrong = [
        ["ls"], ["info"], ["export"], ["cat", "DB"], ["put", "DB"],
        ["put", "DB", "x"], ["put", "DB", "x", "{}", "--delete"], ["rm", "DB"], ["purge", "DB"],
        ["import", "DB"], ["import", "DB", "file", "--from-line", "0"],
        ["import", "DB", "file", "--from-line", "x"], ["info", ""],
        ["ls", "DB", "--frob"],
        ["ls", "DB", "--limit", "x"], ["ls", "DB", "--limit=-1"], ["ls", "DB", "--limit"],
        ["ls", "DB", "--limit", "-1"], ["ls", "DB", ""], ["cat", "DB", ""], ["rm", "DB", ""],
        ["put", "DB", "", "{}"], ["export", "DB", "--id", ""], ["mv", "DB", "", "x"],
        ["ls", "DB", "--collection="], ["ls", "DB", "--collection", ""],
        ["ls", "DB", "--collection", "_x"], ["ls", "DB", "--scope", "", "--collection", "a"],
        ["mkindex", "DB", "", "a"], ["mkindex", "DB", "sqlite_x", "a"],
        ["ls", "DB", "--limit", "99999999999999999999"], ["ls", "DB", "--timeout=-1"],
        ["ls", "DB", "--timeout", "nan"], ["ls", "DB", "--timeout", "inf"],
        ["ls", "DB", "--timeout", "1e9"], ["generate", "--count=-1"], ["generate", "--seed=-1"],
        ["generate", "--count", "9223372036854775808"], ["query", "DB"], ["explain", "DB"],
        ["query", "DB", "SELECT * FROM _", "-p"],
        ["query", "DB", "SELECT * FROM _", "--watch", "--csv"],
        ["query", "DB", "SELECT * FROM _", "--watch", "--limit", "1"], ["select", "DB"],
        ["sql", "DB"],
        ["query", "DB", "SELECT * FROM _", "--offset=-1"],
        ["query", "DB", "SELECT * FROM _", "--explain", "--raw"],
        ["watch", "DB", "--since", "x"], ["watch", "DB", "--since=-1"], ["watch", "DB", "more"],
        ["schema", "DB", "--sample=-1"],
        ["fleece", "dump", "DB", "--extra"], ["keys", "DB", "more"],
        ["query", "DB", "SELECT * FROM _", "--limit=-1"],
        ["query", "DB", "SELECT * FROM _", "--seconds", "0"],
        ["query", "DB", "SELECT * FROM _", "--seconds", "nan"],
        ["query", "DB", "SELECT * FROM _", "--seconds", "inf"],
        ["query", "DB", "SELECT * FROM _", "--seconds", "1e300"], ["mkindex", "DB", "x"],
        ["mkindex", "DB", "x", "a", "--fts", "--array", "b"],
        ["mkindex", "DB", "x", "a", "--language", "en"],
    ]

    @Test(
        "invalid usage ends with 2, reports the error in one line, and changes nothing",
        arguments: wrong)
    func wrongUsage(_ arguments: [String]) throws {
        let directory = try TemporaryDirectory()
        let path = directory("new.cblite2")
        let outcome = try Kvtool.run(arguments.map { $0 == "DB" ? path : $0 })
        let complaint = outcome.refusal(status: 2)
        #expect(complaint.contains("; see kvtool \(arguments[0])"), "\(complaint)")
        #expect(complaint.hasSuffix(" --help"), "\(complaint)")
        #expect(try DirectoryContents(directory.path).names.isEmpty)
    }

    @Test(
        "an unknown command is reported in one line, with similar names",
        arguments: [
            (["frobnicate"], "there is no command frobnicate; kvtool help lists the commands"),
            (["quer", "x.cblite2"], "there is no command quer; did you mean query?"),
            (["LSCOL"], "there is no command LSCOL; did you mean lscoll?"),
            (["mkidnex"], "there is no command mkidnex; did you mean mkindex?"),
            (["help", "exprot"], "there is no command exprot; did you mean export?"),
            (
                ["a\u{1B}[31mb"],
                #"there is no command a\u{1B}[31mb; kvtool help lists the commands"#
            ),
            (["fleece", "dmup"], "fleece has no command dmup; did you mean dump?"),
            (
                ["fleece", "frobnicate"],
                "fleece has no command frobnicate; kvtool help fleece lists the commands"
            ),
        ])
    func unknownCommand(_ arguments: [String], _ message: String) throws {
        #expect(try Kvtool.run(arguments).refusal(status: 2) == message)
    }

    @Test("a directory that is not a database is reported as one")
    func directory() throws {
        let directory = try TemporaryDirectory()
        for path in [".", directory.path] {
            #expect(
                try Kvtool.run([path]).refusal(status: 2)
                    == "\(path) is a directory, but not a database; specify a directory "
                    + "NAME.cblite2 that contains db.sqlite3")
        }
    }

    @Test(
        "an error shows what is allowed",
        arguments: [
            (["ls", "x", "--limit", "-1"], "--limit takes 0 or more; see kvtool ls --help"),
            (
                ["ls", "x", ""],
                "a document ID must not be empty; see kvtool ls --help"
            ),
            (["ls"], "missing expected argument '<database>'; see kvtool ls --help"),
            (["ls", "x", "--frobnicate"], "unknown option '--frobnicate'; see kvtool ls --help"),
            (
                ["ls", "x", "--limt"],
                "unknown option '--limt'; did you mean '--limit'?; see kvtool ls --help"
            ),
            (
                ["fleece", "dump", "x", "--extra"],
                "--extra is for a document, NAME.cblite2//COLLECTION/ID; see kvtool fleece dump "
                    + "--help"
            ),
            (
                ["convert", "x", "--to", "y"],
                "the value 'y' is invalid for '--to <form>'. Please provide one of 'trees' and "
                    + "'vectors'; see kvtool convert --help"
            ),
            (
                ["ls", "x", "--color", "sometimes"],
                "the value 'sometimes' is invalid for '--color <when>'. Please provide one of "
                    + "'auto', 'always' or 'never'; see kvtool ls --help"
            ),
            (["ls", ""], "the database's path is empty; see kvtool ls --help"),
            (
                ["query", "x", "SELECT 1", "--json", "--csv"],
                "--csv and --json cannot be combined"
            ),
        ])
    func words(_ arguments: [String], _ message: String) throws {
        #expect(try Kvtool.run(arguments).refusal(status: 2) == message)
    }

    @Test(
        "a command with checks of its own checks the collection's name, too",
        arguments: [
            ["import", "DB", "file"], ["revs", "DB", "a"], ["export", "DB"],
            ["mkindex", "DB", "x", "a"], ["put", "DB", "a", "{}"], ["expire", "ls", "DB"],
            ["index", "dump", "DB", "x"], ["compact", "DB"], ["stat", "DB"], ["cat", "DB", "a"],
            ["expire", "set", "DB", "a", "--never"], ["mv", "DB", "a", "x"],
        ])
    func collectionName(_ arguments: [String]) throws {
        let complaint = try Kvtool.run(arguments + ["--collection", "_x"]).refusal(status: 2)
        #expect(complaint.hasPrefix("\"_x\" is not a scope or collection name: "))
        // The check adds the hint about help; later errors do not.
        let command = arguments.prefix { $0 != "DB" }.joined(separator: " ")
        #expect(complaint.hasSuffix("; see kvtool \(command) --help"), "\(complaint)")
    }

    @Test("invalid usage is an error object with --json, without a hint about help")
    func json() throws {
        #expect(
            try Kvtool.run(["ls", "x", "--limit", "-1", "--json"]).stderr
                == #"{"error":{"status":2,"message":"--limit takes 0 or more"}}"# + "\n")
    }

    @Test(
        "help that cannot be written is a failure",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"),
        arguments: ["--help", "help ls"])
    func fullDisk(_ arguments: String) throws {
        let outcome = try Kvtool.shell(#""$KVTOOL" \#(arguments) > /dev/full"#)
        #expect(
            outcome.refusal(status: 1).hasPrefix("standard output cannot be written: "))
        try Kvtool.shell(#""$KVTOOL" \#(arguments) | true"#).success()
    }

    @Test("help of a subcommand, and of help itself, is not an unknown command")
    func helpOfHelp() throws {
        for arguments in [["help", "fleece", "dump"], ["help", "help"], ["help", "fleece"]] {
            #expect(try Kvtool.run(arguments).success().stdout.hasPrefix("OVERVIEW: "))
        }
    }

    @Test(
        "help and the version go to standard output",
        arguments: [
            (["--help"], "OVERVIEW: Inspects and changes databases"),
            (["help"], "OVERVIEW: Inspects and changes databases"),
            (["help", "ls"], "OVERVIEW: Lists documents"),
            (["import", "--help"], "OVERVIEW: Imports documents"), (["--version"], "0.1.0\n"),
        ])
    func help(_ arguments: [String], _ start: String) throws {
        #expect(try Kvtool.run(arguments).success().stdout.hasPrefix(start))
    }

    @Test(
        "every command has help",
        arguments: [
            "info", "ls", "cat", "export", "query", "explain", "mkindex", "import", "put", "rm",
            "purge", "generate",
        ])
    func commands(_ command: String) throws {
        let help = try Kvtool.run([command, "--help"]).success().stdout
        #expect(help.contains("USAGE: kvtool \(command)"))
        // Its name alone, or the first of several.
        let listed = try Regex("\n  \(command)[ ,]")
        #expect(try Kvtool.run(["--help"]).success().stdout.contains(listed))
    }

    @Test(
        "a missing collection ends with 3 and is named",
        arguments: [
            "nope", "hr.nope", "-x", "_default.x", "Default", String(repeating: "n", count: 251),
        ])
    func unknownCollection(_ name: String) throws {
        let database = try SampleDatabase(people: 1)
        let before = try database.contents
        let shown = name == "_default.x" ? "x" : name
        for command in [
            ["ls"], ["export"], ["cat", "a"], ["put", "a", "{}"], ["rm", "a"], ["purge", "a"],
        ] {
            let arguments = [command[0], database.path] + command.dropFirst()
            let outcome = try Kvtool.run(arguments + ["--collection=\(name)"])
            #expect(
                outcome.refusal(status: 3).hasPrefix(
                    "\(database.path) has no collection \(shown); "))
        }
        #expect(try database.contents == before)
    }

    @Test(
        "an invalid collection name is refused",
        arguments: [
            ".", "..", "a.", ".a", "a.b.c", "_x", "%x", "a b", "é", "a/b", "a\\b", "x._default",
            "a\nb", "\u{1B}[31m", "'; DROP TABLE kvmeta; --", String(repeating: "n", count: 252),
        ])
    func badCollection(_ name: String) throws {
        let database = try SampleDatabase(people: 1)
        let before = try database.contents
        for command in [["ls"], ["put", "a", "{}"]] {
            let arguments = [command[0], database.path] + command.dropFirst()
            try Kvtool.run(arguments + ["--collection=\(name)"]).refusal()
        }
        #expect(try database.contents == before)
    }

    @Test(
        "the default collection has three names", arguments: ["_", "_default", "_default._default"])
    func defaultCollection(_ name: String) throws {
        let database = try SampleDatabase(people: 1)
        let outcome = try Kvtool.run(["export", database.path, "--collection", name])
        #expect(outcome.success().lines.count == 1)
    }

    @Test(
        "a closed or full standard error does not trap", arguments: ["2>&-", "2>/dev/full"])
    func noStandardError(_ redirection: String) throws {
        let outcome = try Kvtool.shell(#""$KVTOOL" ls /nowhere.cblite2 "# + redirection)
        #expect(outcome.status == 3, "\(outcome)")
    }

    @Test("closed streams do not block, and are not replaced by another file")
    func noStreams() throws {
        let directory = try TemporaryDirectory()
        let environment = ["DB": directory("a.cblite2")]
        let noInput = try Kvtool.shell(
            #""$KVTOOL" import "$DB" - <&-"#, environment: environment)
        #expect(noInput.refusal(status: 1).contains("standard input cannot be read"))
        let noOutput = try Kvtool.shell(#""$KVTOOL" --help >&-"#, environment: environment)
        #expect(!noOutput.isSignalled)
    }
}
