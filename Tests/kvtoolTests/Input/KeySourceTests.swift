import DocumentStore
import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("The key of a database")
struct KeySourceTests {
    private let sample: EncryptedDatabase

    init() throws { sample = try EncryptedDatabase() }

    private func list(
        _ rest: String..., environment: [String: String] = [:]
    ) throws -> Command.Outcome {
        try Kvtool.run(["ls", sample.path] + rest, environment: environment)
    }

    private func keyFile(_ text: String, _ name: String) throws -> String {
        try EncryptedDatabase.newKeyFile(in: sample.database, Data(text.utf8), name: name)
    }

    @Test("is taken from an option, a file or the environment, in this order")
    func places() throws {
        let key = EncryptedDatabase.key
        let right = ["KVTOOL_KEY": key]
        let wrong = ["KVTOOL_KEY": "wrong"]
        #expect(try list("--key", key).success().ids == ["a", "doc"])
        #expect(try list("--key=\(key)").success().ids == ["a", "doc"])
        #expect(try list("--key-file", sample.keyFile).success().ids == ["a", "doc"])
        #expect(try list(environment: right).success().ids == ["a", "doc"])
        #expect(try list("--key", key, environment: wrong).success().ids == ["a", "doc"])
        #expect(
            try list("--key-file", sample.keyFile, environment: wrong).success().ids == [
                "a", "doc",
            ])
        try list("--key", "wrong", environment: right).refusal(status: 4)
        #expect(
            try Kvtool.run(["--key", key, "ls", sample.path]).refusal(status: 2)
                == "options come after the command: kvtool ls DATABASE OPTIONS")
        #expect(
            try list("--key", key, "--key-file", sample.keyFile).refusal(status: 2)
                == "--key and --key-file exclude each other; see kvtool ls --help")
    }

    @Test("in a file is read without one line ending")
    func files() throws {
        let key = EncryptedDatabase.key
        #expect(try list("--key-file", keyFile(key + "\n", "k1")).success().ids == ["a", "doc"])
        #expect(try list("--key-file", keyFile(key + "\r\n", "k0")).success().ids == ["a", "doc"])
        try list("--key-file", keyFile(key + "\n\n", "k2")).refusal(status: 4)
        try list("--key-file", keyFile(key + "\r", "k6")).refusal(status: 4)
        try list("--key-file", keyFile(key + " ", "k3")).refusal(status: 4)
        #expect(
            try list("--key-file", "-").refusal(status: 2)
                == "--key-file takes a file, not standard input; see kvtool ls --help")
        #expect(
            try list("--key-file", "/nowhere/key").refusal(status: 3)
                == "/nowhere/key does not exist")
        let empty = try keyFile("\n", "k4")
        #expect(
            try list("--key-file", empty).refusal(status: 2)
                == "\(empty): the key is empty; specify a key, or none for a plaintext database")
        let large = try keyFile(String(repeating: "k", count: 70_000), "k5")
        try list("--key-file", large).refusal(status: 1)
    }

    @Test("in a file that other users can read is used, with a warning")
    func permissions() throws {
        for (mode, isOpen) in [(0o600, false), (0o640, true), (0o604, true), (0o400, false)] {
            try sample.database.setPermissions(mode, of: sample.keyFile)
            let outcome = try list("--key-file", sample.keyFile)
            #expect(outcome.status == 0 && outcome.ids == ["a", "doc"], "\(outcome)")
            let note =
                "kvtool: note: other users can read the key in \(sample.keyFile); restrict it with "
            #expect(outcome.stderr == (isOpen ? note + "chmod 600\n" : ""))
        }
    }

    @Test("can be raw, or bytes that are not text")
    func rawKeys() throws {
        let raw = "x'\(String(repeating: "0a", count: 32))'"
        let database = try EncryptedDatabase.plain()
        try database.run("encrypt", "--new-key", raw).success()
        #expect(try database.run("ls", "--key", raw.uppercased()).success().ids == ["a", "doc"])
        let complaint = try database.run("ls", "--key", "x'0a0b'").refusal(status: 2)
        #expect(
            complaint
                == "a raw key has 32 bytes (64 hexadecimal digits), or 48 bytes (96) with a salt")
        let bytes = try EncryptedDatabase.newKeyFile(in: database, Data([0xFF, 0x00, 0xFE]))
        try database.run("rekey", "--key", raw, "--new-key-file", bytes).success()
        #expect(try database.run("ls", "--key-file", bytes).success().ids == ["a", "doc"])
    }

    @Test("that is missing or wrong ends with 4, and a hint how to specify it")
    func refused() throws {
        let missing = "specify its key with --key-file FILE"
        let wrong =
            ": the key is wrong, or this is not an encrypted database (SQLCipher 4, its own "
            + "settings); "
            + "specify another key with --key-file FILE. Databases encrypted by Couchbase Lite "
            + "Enterprise Edition are not supported"
        let before = try sample.database.contents
        for command in [["ls"], ["put", "x", "{}"], ["verify"], ["info"], ["decrypt"], ["shell"]] {
            let words = [command[0], sample.path] + command.dropFirst()
            let complaint = try Kvtool.run(words).refusal(status: 4)
            #expect(complaint.hasPrefix(sample.path), "\(complaint)")
            #expect(complaint.hasSuffix(missing), "\(complaint)")
            let other = try Kvtool.run(words + ["--key", "wrong"]).refusal(status: 4)
            #expect(other.hasPrefix(sample.path) && other.hasSuffix(wrong), "\(other)")
        }
        let plain = try EncryptedDatabase.plain()
        #expect(
            try Kvtool.run(["encrypt", plain.path]).refusal(status: 2)
                == "a new key is required; use --new-key-file FILE")
        #expect(try sample.database.contents == before)
    }

    @Test("that is specified for an unencrypted database leads to a note on writing or copying")
    func plainWithKey() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        let written = try database.run("put", "b", "{}", "--key", "k")
        #expect(written.status == 0)
        #expect(
            written.stderr
                == "kvtool: note: \(database.path) is not encrypted, so data is written to it "
                + "unencrypted; use kvtool encrypt to encrypt it\n")
        #expect(
            try Kvtool.run(["put", database.path, "c", "{}"], environment: ["KVTOOL_KEY": "k"])
                .stderr == "")
        let copy = database.directory("copy.cblite2")
        for command in ["cp", "snapshot"] {
            #expect(
                try database.run(command, copy, "--key", "k").refusal(status: 2)
                    == "\(database.path) is not encrypted, and neither would be the copy; omit "
                    + "the key, then encrypt the copy with kvtool encrypt")
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try database.run("ls").success().ids == ["a", "b", "c"])
    }

    @Test("is not used for an unencrypted database that the shell has open")
    func plainInShell() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        let lines = "ls --key k\nput b {} --key k\nput c {} --key k\nls --key k\n"
        let shell = try Kvtool.run([database.path, "-w"], stdin: Data(lines.utf8))
        #expect(shell.status == 0, "\(shell)")
        #expect(shell.lines.suffix(3).map { $0.prefix { $0 != " " } } == ["a", "b", "c"])
        #expect(
            shell.stderr
                == "kvtool: note: \(database.path) is not encrypted, so data is written to it "
                + "unencrypted; use kvtool encrypt to encrypt it\n")
    }

    @Test("is compared with that of a database that is already open")
    func openAlready() throws {
        let plain = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        func failure(_ path: String, _ key: EncryptionKey?) throws -> EncryptionError? {
            var options = DataFileOptions(access: .readOnly)
            options.encryption = key
            do {
                try DataFile(path: path, options: options).close()
                return nil
            } catch let error as StoreError {
                #expect(error.has(.notADatabaseFile))
                return error.underlying as? EncryptionError
            }
        }
        let key = try EncryptionKey(EncryptedDatabase.key)
        let openPlain = try DataFile(path: plain.path, options: .init(access: .readOnly))
        defer { openPlain.close() }
        #expect(try failure(plain.path, key) == .notEncrypted)
        #expect(try failure(plain.path, nil) == nil)
        var options = DataFileOptions(access: .readOnly)
        options.encryption = key
        let open = try DataFile(path: sample.path, options: options)
        defer { open.close() }
        #expect(try failure(sample.path, nil) == .keyRequired)
        #expect(try failure(sample.path, EncryptionKey("other")) == .wrongKeyOrNotADatabase)
        #expect(try failure(sample.path, key) == nil)
    }

    @Test("that is invalid in a variable affects only commands that need it")
    func malformed() throws {
        let environment = ["KVTOOL_KEY": "x'zz'"]
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        #expect(
            try Kvtool.run(["ls", database.path], environment: environment).success().ids == ["a"])
        try Kvtool.run(["put", database.path, "b", "{}"], environment: environment).success()
        let complaint =
            "KVTOOL_KEY: a raw key has 32 bytes (64 hexadecimal digits), or 48 bytes (96) with a "
            + "salt"
        #expect(try list(environment: environment).refusal(status: 2) == complaint)
        let new = database.directory("new.cblite2")
        let lines = try database.newFile("new.ndjson", Data("{}\n".utf8))
        #expect(
            try Kvtool.run(["import", new, lines], environment: environment).refusal(status: 2)
                == complaint)
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test("of one database that does not fit the other is reported as one for both")
    func two() throws {
        let other = try EncryptedDatabase()
        try other.run("rekey", "--new-key", "k2").success()
        let environment = ["KVTOOL_KEY": EncryptedDatabase.key]
        for outcome in [
            try sample.run("diff", other.path),
            try Kvtool.run(["diff", sample.path, other.path], environment: environment),
            try sample.run("cp", other.path, "--existing"),
        ] {
            let complaint = outcome.refusal(status: 4)
            #expect(complaint.contains(other.path), "\(complaint)")
            #expect(
                complaint.hasSuffix(
                    "; --key, --key-file and KVTOOL_KEY specify one key for both databases, which "
                        + "is the key of \(sample.path)"), "\(complaint)")
        }
    }

    @Test("is not used for an unencrypted database, where cat has an option of that name")
    func plain() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        let environment = ["KVTOOL_KEY": "k"]
        #expect(try database.run("ls", "--key", "k").success().ids == ["a"])
        #expect(
            try Kvtool.run(["cat", database.path, "a", "--raw"], environment: environment)
                .success().stdout == #"{"_id":"a","n":1}"# + "\n")
        let shell = try Kvtool.run(
            [database.path, "-w"], stdin: Data("put b {}\nls\n".utf8), environment: environment)
        #expect(shell.success().ids == ["a", "b"])
        #expect(
            try database.run("cat", "a", "--key", "n").refusal(status: 2)
                == "--key is for encrypted databases, and \(database.path) is not encrypted; "
                + "--property chooses properties")
    }
}
