import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool encrypt, decrypt and rekey")
struct EncryptionCommandTests {
    private typealias Sample = EncryptedDatabase

    /// Whether any file of a database contains a text.
    private func holds(_ database: SampleDatabase, _ text: String) throws -> Bool {
        let contents = try database.contents
        return contents.names.contains { contents[$0]?.range(of: Data(text.utf8)) != nil }
    }

    @Test("the database is encrypted with its blobs, valid, and the same once decrypted")
    func roundTrip() throws {
        let database = try Sample.plain()
        let documents = try database.exported()
        #expect(try holds(database, "plain words") && holds(database, "hello"))
        let key = try Sample.newKeyFile(in: database, Data(Sample.key.utf8))
        let encrypted = try database.run("encrypt", "--new-key-file", key).success()
        #expect(encrypted.stdout == "Encrypted \(database.path)\n")
        #expect(try !holds(database, "SQLite format 3") && !holds(database, "plain words"))
        #expect(try !holds(database, "hello"))
        // The file name of the blob reveals nothing either.
        #expect(try !database.contents.names.contains { $0.contains(Sample.fileName) })

        let verified = try database.run("verify", "--key-file", key).success()
        #expect(verified.stdout.hasPrefix("no errors"))
        #expect(try database.run("export", "--key-file", key).success().lines == documents)
        let blob = try Kvtool.run(
            ["blob", "get", database.path, Sample.digest, "--key-file", key]
        ).success()
        #expect(blob.stdout == "hello")

        let decrypted = try database.run("decrypt", "--key-file", key).success()
        #expect(decrypted.stdout == "Decrypted \(database.path)\n")
        #expect(try database.exported() == documents)
        #expect(
            try Kvtool.run(["blob", "get", database.path, Sample.digest]).success().stdout
                == "hello")
        #expect(try database.run("verify").success().stdout.hasPrefix("no errors"))
    }

    @Test("--blob-names digests keeps the names of the blobs' files")
    func namesOfBlobs() throws {
        let database = try Sample.plain()
        try database.run("encrypt", "--new-key", "k", "--blob-names", "digests").success()
        let names = try database.contents.names
        #expect(names.contains { $0.contains(Sample.fileName) })
        #expect(try !holds(database, "hello"))
        try database.run("encrypt", "--blob-names", "none").refusal(status: 2)
    }

    @Test("rekey changes the key, and blobs can be read as before")
    func rekey() throws {
        let sample = try Sample()
        let done = try sample.run("rekey", "--new-key", "another one").success()
        #expect(done.stdout == "Changed the key of \(sample.path)\n")
        try sample.run("ls").refusal(status: 4)
        let list = try sample.database.run("ls", "--key", "another one").success()
        #expect(list.ids == ["a", "doc"])
        let blob = try Kvtool.run(
            ["blob", "get", sample.path, Sample.digest, "--key", "another one"])
        #expect(blob.success().stdout == "hello")
    }

    @Test("the report for programs does not contain the key")
    func json() throws {
        let sample = try Sample()
        func answer(_ command: String, _ action: String, _ rest: String...) throws {
            let outcome = try Kvtool.run([command, sample.path, "--json"] + rest).success()
            let expected: NSDictionary = [
                "schema": "kvtool.\(command)/1", "database": sample.path, "action": action,
            ]
            #expect(try outcome.answer() as NSDictionary == expected)
        }
        try answer("rekey", "rekeyed", "--key", Sample.key, "--new-key", "k")
        try answer("decrypt", "decrypted", "--key", "k")
        try answer("encrypt", "encrypted", "--new-key", "k")
    }

    @Test("a database without a key, or with one, is a conflict (6) and stays unchanged")
    func state() throws {
        let sample = try Sample()
        let encrypted = try sample.database.contents
        #expect(
            try sample.database.run("encrypt", "--new-key", "k").refusal(status: 6)
                == "\(sample.path) is encrypted already; rekey changes its key")
        #expect(
            try sample.run("rekey", "--new-key", Sample.key).refusal(status: 2)
                == "the new key is the current key of \(sample.path)")
        // The variable may be meant for other databases.
        for key in ["wrong", "x'zz'", Sample.key] {
            #expect(
                try Kvtool.run(
                    ["encrypt", sample.path, "--new-key", "k"], environment: ["KVTOOL_KEY": key]
                ).refusal(status: 6)
                    == "\(sample.path) is encrypted already; rekey changes its key")
        }
        let salted = "x'\(String(repeating: "0a", count: 48))'"
        #expect(
            try sample.run("rekey", "--new-key", salted).refusal(status: 2).hasSuffix(
                "the new key contains a salt, but the salt of a file cannot be changed"))
        #expect(try sample.database.contents == encrypted)
        let plain = try Sample.plain()
        for command in ["decrypt", "rekey"] {
            let complaint = try plain.run(command, "--key", "k").refusal(status: 6)
            #expect(complaint == "\(plain.path) is not encrypted")
        }
        #expect(try plain.run("ls").success().ids == ["a", "doc"])
        #expect(
            try plain.run("encrypt", "--key", "k").refusal(status: 2).hasPrefix(
                "--key is for an encrypted database; --new-key-file FILE gives"))
    }

    @Test("nothing is done while another process has the database open")
    func busy() throws {
        let database = try Sample.plain()
        let pipe = Child.pipe()
        defer { for end in [pipe.reading, pipe.writing] { close(end) } }
        let shell = try RunningTool([database.path], input: pipe.reading)
        _ = "lscoll --csv\n".utf8CString.withUnsafeBytes {
            write(pipe.writing, $0.baseAddress, $0.count - 1)
        }
        #expect(shell.line() != nil)
        try database.run("encrypt", "--new-key", "k", "--timeout", "0").refusal(status: 4)
        shell.crash()
        #expect(try database.run("ls").success().ids == ["a", "doc"])
    }

    @Test(
        "they wait while another process has the database open; Ctrl-C ends the wait",
        arguments: ["encrypt", "decrypt", "rekey"], [false, true])
    func waiting(_ command: String, _ isInterrupted: Bool) throws {
        let sample = command == "encrypt" ? nil : try Sample()
        let database = try sample?.database ?? Sample.plain()
        let key = sample.map { ["--key-file", $0.keyFile] } ?? []
        let newKey = command == "decrypt" ? [] : ["--new-key", "k"]
        let pipe = Child.pipe()
        defer { for end in [pipe.reading, pipe.writing] { close(end) } }
        let shell = try RunningTool([database.path] + key, input: pipe.reading)
        _ = "lscoll --csv\n".utf8CString.withUnsafeBytes {
            write(pipe.writing, $0.baseAddress, $0.count - 1)
        }
        #expect(shell.line() != nil)
        let tool = try RunningTool(
            [command, database.path, "--timeout", "60", "--progress", "json"] + key + newKey,
            readsErrors: true)
        // It has started, and cannot end.
        #expect(tool.line()?.contains("\"task\":\"\(command)\"") == true)
        if isInterrupted {
            let end = tool.interrupt()
            #expect(!end.isSignalled && end.status == 130, "\(end)")
            #expect(end.lines.last == "kvtool: interrupted: nothing was changed")
            shell.crash()
            #expect(try Kvtool.run(["ls", database.path] + key).success().ids == ["a", "doc"])
        } else {
            shell.crash()
            #expect(tool.lines(upTo: " \(database.path)") != nil)
            let key = command == "decrypt" ? [] : ["--key", "k"]
            #expect(try Kvtool.run(["ls", database.path] + key).success().ids == ["a", "doc"])
        }
    }

    @Test("the shell opens with the key, and refuses commands that need exclusive access")
    func shell() throws {
        let sample = try Sample()
        func run(_ lines: String) throws -> Command.Outcome {
            try Kvtool.run(
                [sample.path, "-w", "--key-file", sample.keyFile], stdin: Data(lines.utf8))
        }
        #expect(
            try run("put b {}\nSELECT COUNT(*) AS n FROM _ --csv\n").success().lines.last == "3")
        #expect(
            try run("begin\nput c {}\ncommit\nls\n").success().ids == ["a", "b", "c", "doc"])
        for command in ["encrypt", "decrypt", "rekey"] {
            let complaint = try run("\(command)\n").refusal(status: 6)
            #expect(
                complaint
                    == "\(command) needs exclusive access to the database, which the shell has "
                    + "open; quit, then run kvtool \(command)")
        }
    }
}

extension EncryptionCommandTests {
    @Test("a copy has the original's key, a new database the given one")
    func copies() throws {
        let sample = try Sample()
        func isPlain(_ path: String) throws -> Bool {
            try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "/db.sqlite3"))
                .read(upToCount: 16) == Data("SQLite format 3\0".utf8)
        }
        let (copy, some) = (
            sample.database.directory("copy.cblite2"), sample.database.directory("some.cblite2")
        )
        try sample.run("cp", copy).success()
        try sample.run("cp", some, "--limit", "1").success()
        let saved = sample.database.directory("saved.cblite2")
        #expect(try sample.run("recover", saved).status == 0)
        #expect(try !isPlain(copy) && !isPlain(some) && !isPlain(saved))
        let dump = sample.database.directory("all.dump")
        try sample.run("dump", dump).success()
        let loaded = sample.database.directory("loaded.cblite2")
        try Kvtool.run(["load", loaded, dump, "--key-file", sample.keyFile]).success()
        #expect(try !isPlain(loaded))
        let plain = sample.database.directory("plain.cblite2")
        try Kvtool.run(["load", plain, dump]).success()
        #expect(try isPlain(plain))
        // One key serves both: the plain one does not need it.
        let same = "(no differences)\n"
        let difference = try sample.run("diff", plain)
        #expect(difference.status == 0 && difference.stderr == same, "\(difference)")
        let other = try Kvtool.run(["diff", plain, loaded, "--key-file", sample.keyFile])
        #expect(other.status == 0 && other.stderr == same, "\(other)")
    }

    @Test("Fleece is read with the shared keys of an encrypted database")
    func fleece() throws {
        let sample = try Sample()
        let decoded = try Kvtool.run([
            "fleece", "decode", "\(sample.path)//_default/a", "--raw", "--key-file", sample.keyFile,
        ]).success()
        #expect(decoded.stdout == #"{"text":"plain words"}"# + "\n")
    }

    @Test("a dump contains the blobs without their key, and omits damaged ones")
    func dump() throws {
        let sample = try Sample()
        let lines = try sample.run("dump").success().lines
        #expect(lines.contains { $0.contains(#""blob":"\#(Sample.digest)""#) })
        #expect(lines.contains { $0.contains(#""k":"publicUUID""#) })
        #expect(!lines.contains { $0.contains("blobKey") })
        let name = try #require(
            try sample.database.contents.names.first { $0.hasSuffix(".encrypted") })
        let blob = URL(fileURLWithPath: sample.path).appending(path: name)
        var bytes = try Data(contentsOf: blob)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: blob)
        let rest = try sample.run("dump")
        #expect(rest.status == 7 && !rest.stdout.contains(Sample.digest))
        #expect(
            rest.stderr
                == "kvtool: \(sample.path): note: the blob \(Sample.digest) is damaged and was "
                + "left out\n")
    }

    @Test("info shows whether a database is encrypted")
    func info() throws {
        let sample = try Sample()
        #expect(
            try sample.run("info").success().lines.contains {
                $0 == "Encryption:   SQLCipher 4, and blobs with AES-GCM"
            })
        #expect(try sample.run("info", "--json").success().answer()["encrypted"] as? Bool == true)
    }

    @Test("recover without the key of an encrypted database fails, and creates nothing")
    func repairWithoutKey() throws {
        let sample = try Sample()
        let saved = sample.database.directory("saved.cblite2")
        let complaint = try Kvtool.run(["recover", sample.path, saved]).refusal(status: 4)
        #expect(
            complaint == "nothing was found in \(sample.database.file), which is encrypted or "
                + "not a database; specify its key with --key-file FILE")
        #expect(!FileManager.default.fileExists(atPath: saved))
    }
}
