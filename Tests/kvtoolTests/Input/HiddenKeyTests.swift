import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("A key on the command line")
struct HiddenKeyTests {
    private static let secret = "Sesame42"

    @Test(
        "is found after its option, whatever it looks like, and nowhere else",
        arguments: [
            (["ls", "--key", "a"], [HiddenKeys.Location(argument: 2, offset: 0)]),
            (["ls", "--key=a"], [HiddenKeys.Location(argument: 1, offset: 6)]),
            (["--new-key", "--key"], [HiddenKeys.Location(argument: 1, offset: 0)]),
            (["--new-key="], [HiddenKeys.Location(argument: 0, offset: 10)]),
            (["--key=\u{338}a"], [HiddenKeys.Location(argument: 0, offset: 6)]),
            (["ls", "--key"], []), (["ls", "--keys", "a"], []), (["ls", "--key-file", "a"], []),
            (["--new-k", "a"], [HiddenKeys.Location(argument: 1, offset: 0)]),
            (["--ke=a"], [HiddenKeys.Location(argument: 0, offset: 5)]),
            (["--k", "a"], [HiddenKeys.Location(argument: 1, offset: 0)]),
            (["--k=a"], [HiddenKeys.Location(argument: 0, offset: 4)]),
            (["--key:a=b"], [HiddenKeys.Location(argument: 0, offset: 5)]),
            (["--new-key a"], [HiddenKeys.Location(argument: 0, offset: 9)]),
            (["--key\u{E9}"], [HiddenKeys.Location(argument: 0, offset: 5)]),
            (["put", "--", "--key", "a"], []), (["cat", "-k", "a"], []), (["--keys:a"], []),
            (["--key-file:a"], []), ([], []),
        ])
    func locations(_ arguments: [String], _ locations: [HiddenKeys.Location]) {
        #expect(HiddenKeys.locations(in: arguments) == locations)
    }

    @Test(
        "is found in the words of a command line to complete",
        arguments: [
            (["--key", "a", "m"], HiddenKeys.Location(argument: 9, offset: 0)),
            (["--key=a", "m"], HiddenKeys.Location(argument: 8, offset: 6)),
            (["--key", "=", "a", "m"], HiddenKeys.Location(argument: 10, offset: 0)),
        ])
    func completion(_ words: [String], _ location: HiddenKeys.Location) {
        let start = ["---completion", "cat", "--", "positional@1", "4", "1", "kvtool", "cat"]
        let arguments = start + words
        #expect(HiddenKeys.locations(in: arguments) == [location])
        #expect(HiddenKeys.locations(in: arguments + ["--", "--key", "b"]) == [location])
        // The numbers refer to the positions of the words.
        #expect(HiddenKeys.hidden(arguments) == arguments)
        #expect(HiddenKeys.locations(in: ["---completion"]) == [])
    }

    @Test("is replaced by a placeholder")
    func marks() throws {
        let hidden = HiddenKeys.hidden(["ls", "--key", "a b", "x", "--new-key=c", "--", "--key=d"])
        let marks = [hidden[1].dropFirst(6), hidden[3].dropFirst(10)]
            .map { HiddenKey(mark: String($0))?.text }
        #expect(marks == ["a b", "c"])
        #expect(hidden[0] == "ls" && hidden[2] == "x" && hidden[4...] == ["--", "--key=d"])
        #expect(HiddenKeys.areIn(hidden) && !HiddenKeys.areIn(["ls", "x"]))
        #expect(HiddenKey(mark: "a b") == nil)
        #expect(HiddenKey(mark: "(key 1000000)")?.text == "")
    }

    private static let wrong = [
        ["ls", "DB", "--key", "KEY", "--frob"], ["ls", "DB", "--frob", "--key", "KEY"],
        ["ls", "DB", "--key", "KEY", "--key=KEY", "--limit", "x"],
        ["version", "--key", "KEY"], ["frobnicate", "--key", "KEY"], ["--key", "KEY"],
        ["ls", "DB", "--key=KEY", "--key-file", "x"], ["info", "DB", "--key", "two", "KEY", "KEY"],
        ["keys", "DB", "--key", "two", "KEY"], ["encrypt", "DB", "--key", "KEY"],
        ["rekey", "DB", "--key", "KEY", "--new-key", "KEY", "--new-key-file", "x"],
        ["generate", "--key", "KEY"], ["ls", "DB", "--key", "x'KEY'"],
        ["ls", "DB", "--ke", "KEY"], ["encrypt", "DB", "--new-k=KEY"], ["ls", "DB", "--k", "KEY"],
        ["ls", "DB", "--key:KEY"], ["ls", "DB", "--key KEY"], ["encrypt", "DB", "--new-key:KEY"],
    ]

    @Test("is not in any message about wrong usage", arguments: wrong, [[], ["--json"]])
    func usage(_ arguments: [String], _ form: [String]) throws {
        let database = try SampleDatabase(people: 1)
        let words = arguments.map {
            $0.replacing("DB", with: database.path).replacing("KEY", with: Self.secret)
        }
        let outcome = try Kvtool.run(words + form)
        outcome.refusal(status: 2)
        #expect(!outcome.stderr.contains(Self.secret), "\(outcome)")
    }

    @Test("with spaces and without quotes is reported without its words")
    func spaces() throws {
        let database = try SampleDatabase(people: 1)
        #expect(
            try database.run("keys", "--key", "correct", "horse", "battery").refusal(status: 2)
                == "there is an unexpected argument; a key with spaces needs quotes; see kvtool "
                + "keys --help")
    }

    @Test("is not added to the shell's history, however it is quoted")
    func history() {
        for line in [
            "ls --key secret", "ls --key=secret", "rekey --new-key secret", "ls '--key' secret",
            #"ls --k"ey=secret""#, #"ls \--key secret"#, "ls --key=\u{338}x", " ls",
            "SELECT 1 --key secret", "rekey --new-k secret", "ls --ke=secret", "ls --k secret",
            "ls --k=secret", "ls --key:secret", "ls '--key:sec=ret'",
            "sql \"PRAGMA rekey = 'secret'\"", "PRAGMA main.hexkey='73'",
            "sql \"ATTACH 'a.db' AS a KEY 'secret'\"", "!KVTOOL_KEY=secret kvtool ls a",
            "!export KVTOOL_NEW_KEY=secret",
        ] { #expect(!ShellHistory.mayKeep(line), "\(line)") }
        for line in [
            "PRAGMA user_version", "sql \"ATTACH 'a.db' AS a\"", "SELECT key FROM _",
            "ls", "ls --keys", "ls --key-file a", "cat key -k key", "ls -- -key",
        ] {
            #expect(ShellHistory.mayKeep(line), "\(line)")
        }
        #expect(ShellHistory.holdsSecret("query --key\nsecret SELECT 1"))
    }
}

extension HiddenKeyTests {
    private static let canSeeProcesses = FileManager.default.fileExists(
        atPath: "/proc/self/cmdline")

    @Test(
        "is not visible in a process listing",
        .enabled(if: canSeeProcesses, "needs /proc"), arguments: [["--key", "KEY"], ["--key=KEY"]])
    func processes(_ option: [String]) throws {
        let sample = try EncryptedDatabase()
        let pipe = Child.pipe()
        defer { for end in [pipe.reading, pipe.writing] { close(end) } }
        let words = option.map { $0.replacing("KEY", with: EncryptedDatabase.key) }
        let shell = try RunningTool([sample.path] + words, input: pipe.reading)
        let line = Array("cat a --raw\n".utf8)
        #expect(write(pipe.writing, line, line.count) == line.count)
        #expect(shell.line() == #"{"_id":"a","text":"plain words"}"#)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(shell.id)/cmdline"))
        let seen = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let hidden = String(repeating: "x", count: EncryptedDatabase.key.utf8.count)
        #expect(
            Array(seen.dropFirst()) == [sample.path]
                + option.map { $0.replacing("KEY", with: hidden) })
        shell.crash()
    }

    @Test("in the environment is not inherited by other programs")
    func environment() throws {
        let sample = try EncryptedDatabase()
        let outcome = try Kvtool.run(
            [sample.path], stdin: Data("ls\n!env\n".utf8),
            environment: ["KVTOOL_KEY": EncryptedDatabase.key, "KVTOOL_NEW_KEY": "k"])
        #expect(outcome.success().ids.prefix(2) == ["a", "doc"])
        #expect(outcome.lines.contains { $0.hasPrefix("PATH=") })
        #expect(!outcome.stdout.contains("KVTOOL_KEY") && !outcome.stdout.contains("_NEW_KEY"))
    }
}
