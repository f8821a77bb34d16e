import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("A path that is not a database")
struct BadDatabaseTests {
    /// Every command, with the path as its database.
    private static let commands = reading + writing + [["import", "-"]]
    private static let reading: [[String]] = [
        ["info"], ["ls"], ["cat", "a"], ["export"], ["query", "SELECT * FROM _"],
        ["explain", "SELECT * FROM _"],
    ]
    private static let writing: [[String]] = [
        ["put", "a", "{}"], ["rm", "a"], ["purge", "a"], ["query", "DELETE FROM _"],
        ["mkindex", "byA", "a"],
    ]

    @Test("is refused by every command in one line, and not changed", arguments: NoDatabase.all)
    func refused(_ bad: NoDatabase) throws {
        let directory = try TemporaryDirectory()
        let (path, named) = try bad.make(directory)
        let before = try DirectoryContents(directory.path)
        let commands =
            switch bad.maker {
            case .nobody: Self.commands
            case .importing: Self.reading + Self.writing
            case .writing: Self.reading
            }
        for command in commands {
            let outcome = try Kvtool.run([command[0], path] + command.dropFirst(), stdin: Data())
            let complaint = outcome.refusal(status: bad.status)
            #expect(complaint.hasPrefix("\(named) \(bad.complaint)"), "\(command): \(complaint)")
        }
        #expect(try DirectoryContents(directory.path) == before)
    }

    @Test(
        "is refused with advice, if something else exists there",
        arguments: NoDatabase.all.filter { $0.status == 4 })
    func advice(_ bad: NoDatabase) throws {
        let directory = try TemporaryDirectory()
        let (path, _) = try bad.make(directory)
        let complaint = try Kvtool.run(["info", path]).refusal()
        let parts = complaint.components(separatedBy: "; ")
        #expect(parts.count >= 2 && parts.last != "", "no advice: \(complaint)")
    }

    @Test("is created by import if nothing, an empty directory or an empty file exists")
    func places() throws {
        let directory = try TemporaryDirectory()
        let lines = Data("{\"_id\":\"a\"}\n".utf8)
        for place in ["new.cblite2", "directory", "file"] {
            if place != "new.cblite2" {
                try FileManager.default.createDirectory(
                    atPath: directory(place), withIntermediateDirectories: false)
            }
            if place == "file" {
                try Data().write(to: URL(fileURLWithPath: directory("file/db.sqlite3")))
            }
            try Kvtool.run(["import", directory(place), "-"], stdin: lines).success()
            #expect(try Kvtool.run(["export", directory(place)]).success().standardOutput == lines)
        }
    }

    @Test("is created by a command that writes to an empty file, which a kill leaves")
    func emptyFile() throws {
        let directory = try TemporaryDirectory()
        let path = directory("a.cblite2")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: path + "/db.sqlite3"))
        try Kvtool.run(["put", path, "a", #"{"n":1}"#]).success()
        #expect(try Kvtool.run(["cat", path, "a"]).success().stdout.contains(#""n": 1"#))
        try Data().write(to: URL(fileURLWithPath: path + "/db.sqlite3"))
        try Data().write(to: URL(fileURLWithPath: path + "/notes"))
        let complaint = try Kvtool.run(["put", path, "a", "{}"]).refusal(status: 4)
        #expect(complaint.hasPrefix("\(path)/db.sqlite3 is empty; "))
    }

    @Test("is not created if import finds other files, or cannot create a directory")
    func otherFiles() throws {
        let directory = try TemporaryDirectory()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: directory("notes.txt")))
        let before = try DirectoryContents(directory.path)
        let complaint = try Kvtool.run(["import", directory.path, "-"], stdin: Data()).refusal(
            status: 4)
        #expect(
            complaint
                == "\(directory.path) contains other files; choose another path for the new "
                + "database")
        let deep = directory("no/such/folder.cblite2")
        #expect(
            try Kvtool.run(["import", deep, "-"], stdin: Data()).refusal(status: 4)
                == "the directory \(deep) cannot be created: No such file or directory")
        #expect(try DirectoryContents(directory.path) == before)
    }

    @Test("is not created by an import that cannot start")
    func failedImport() throws {
        let database = try SampleDatabase()
        let lines = Data("{}\n".utf8)
        for arguments in [
            [database.directory("absent.ndjson")], [database.directory.path],
            ["-", "--collection", "a.b.c"],
            ["-", "--collection", "nope"],
        ] {
            let outcome = try Kvtool.run(["import", database.path] + arguments, stdin: lines)
            outcome.refusal()
            #expect(
                !FileManager.default.fileExists(atPath: database.path), "after import \(arguments)")
        }
    }

    @Test("names the input file that cannot be read")
    func documents() throws {
        let database = try SampleDatabase()
        let absent = database.directory("absent.ndjson")
        #expect(
            try database.run("import", absent).refusal(status: 3) == "\(absent) does not exist")
        #expect(
            try database.run("import", database.directory.path).refusal(status: 1)
                == "\(database.directory.path) is a directory without files NAME.json; specify "
                + "another directory or a file")
        #expect(try DirectoryContents(database.directory.path).names == [])
    }

    @Test("a truncated file is damaged, at any length, and not changed")
    func truncated() throws {
        let database = try SampleDatabase(people: 5)
        let whole = try database.bytes
        #expect(whole.count % 4096 == 0 && whole.count > 40_000)
        let cuts = [100, whole.count / 2 + 1]
        for size in cuts + Array(stride(from: 4096, to: whole.count, by: 4096)) {
            let cut = try SampleDatabase(bytes: whole.prefix(size))
            let before = try cut.contents
            for command in [["export"], ["put", "a", "{}"]] + (size < 5000 ? Self.commands : []) {
                let outcome = try Kvtool.run(
                    [command[0], cut.path] + command.dropFirst(), stdin: Data("{}".utf8))
                // It prints what is readable.
                let complaint =
                    command[0] == "info" ? outcome.complaint() : outcome.refusal(status: 5)
                #expect(outcome.status == 5)
                #expect(complaint.hasPrefix("\(cut.path) is damaged ("), "\(size)")
                #expect(
                    complaint.hasSuffix(
                        "); restore it from a backup, or recover it with kvtool recover"),
                    "\(size)")
            }
            #expect(try cut.contents == before, "\(size)")
        }
    }

    @Test(
        "an error is one line without control characters, for any path",
        arguments: [
            "no\nwhere", "no\u{1B}[31mwhere", "no\u{7F}where",
        ])
    func paths(_ name: String) throws {
        let directory = try TemporaryDirectory()
        try Kvtool.run(["info", directory(name)]).refusal(status: 3)
        try Kvtool.run(["import", directory("new"), directory(name)]).refusal(status: 3)
    }

    @Test("an empty path is reported by its name")
    func emptyPath() throws {
        let complaint = try Kvtool.run(["info", ""]).refusal()
        #expect(!complaint.hasPrefix(" "))
    }

    @Test("a directory whose name begins with file: is opened as that directory, not as a URI")
    func uri() throws {
        let mine = try SampleDatabase(lines: [#"{"_id":"mine"}"#])
        let text = Data("{\"_id\":\"theirs\"}\n".utf8)
        func inDirectory(_ command: String) throws -> Command.Outcome {
            let script = #"cd "$1" && "$KVTOOL" \#(command)"#
            return try Kvtool.shell(script, [mine.directory.path], stdin: text)
        }
        try inDirectory("import file:people.cblite2 -").success()
        #expect(try mine.exported() == [#"{"_id":"mine"}"#])
        #expect(try inDirectory("export file:people.cblite2").standardOutput == text)
    }

    @Test("two imports that create the same database at the same time both succeed")
    func race() throws {
        for _ in 0..<5 {
            let directory = try TemporaryDirectory()
            let script = """
                for n in 1 2 3 4; do
                    echo "{\\"_id\\":\\"$n\\"}" | "$KVTOOL" import "$1" - > /dev/null &
                    pids="$pids $!"
                done
                for pid in $pids; do wait $pid || exit 1; done
                "$KVTOOL" export "$1"
                """
            let outcome = try Kvtool.shell(script, [directory("new.cblite2")]).success()
            #expect(outcome.lines == (1...4).map { #"{"_id":"\#($0)"}"# })
        }
    }
}
