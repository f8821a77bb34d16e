import Foundation
import StoreTestSupport
import Testing

@Suite("A key from a prompt")
struct KeyPromptTests {
    private let key = EncryptedDatabase.key

    /// Responds to a prompt at a terminal.
    private func answer(_ terminal: PseudoTerminal, _ question: String, _ answer: String) throws {
        try terminal.wait(for: question)
        try terminal.wait(for: ": ")
        terminal.enter(answer)
    }

    @Test("is not echoed, and requested once, however many databases need it")
    func once() throws {
        let sample = try EncryptedDatabase()
        let copy = sample.database.directory("copy.cblite2")
        try sample.run("cp", copy).success()
        let terminal = try PseudoTerminal(["diff", sample.path, copy])
        try answer(terminal, "Key of \(sample.path)", key)
        let end = try terminal.end()
        #expect(end.status == 0)
        #expect(end.output.contains("(no differences)"))
        #expect(terminal.transcript.matches(of: /Key of/).count == 1)
        #expect(!terminal.transcript.contains("horse"))
    }

    /// An encrypted database whose key is `two`.
    private func second() throws -> EncryptedDatabase {
        let sample = try EncryptedDatabase()
        try sample.run("rekey", "--new-key", "two").success()
        return sample
    }

    /// The number of prompts for a key at a terminal.
    private func count(_ terminal: PseudoTerminal) -> Int {
        terminal.transcript.matches(of: /Key of/).count
    }

    @Test("is a different one for a database with a different key, also if one is specified")
    func different() throws {
        let (one, two) = (try EncryptedDatabase(), try second())
        for options in [[], ["--key-file", one.keyFile]] {
            let terminal = try PseudoTerminal(["diff", one.path, two.path] + options)
            if options.isEmpty { try answer(terminal, "Key of \(one.path)", key) }
            try answer(terminal, "Key of \(two.path)", "two")
            let end = try terminal.end()
            #expect(end.status == 0 && end.output.contains("(no differences)"), "\(end)")
        }
        try one.run("put", "new", "{}").success()
        let copy = try PseudoTerminal(["cp", "\(one.path)//_default/new", two.path, "--existing"])
        try answer(copy, "Key of \(one.path)", key)
        try answer(copy, "Key of \(two.path)", "two")
        #expect(try copy.end().status == 0)
        #expect(count(copy) == 2)
        #expect(try two.database.run("ls", "--key", "two").success().ids == ["a", "doc", "new"])
    }

    @Test("that does not fit a single database is an error if specified, without a prompt")
    func single() throws {
        let sample = try EncryptedDatabase()
        let wrong = try PseudoTerminal(["ls", sample.path, "--key", "wrong"])
        #expect(try wrong.end().status == 4)
        #expect(count(wrong) == 0)
    }

    @Test("is not used for the unencrypted one of two databases")
    func plainAndEncrypted() throws {
        let sample = try EncryptedDatabase()
        let plain = try SampleDatabase(lines: [#"{"_id":"new"}"#])
        let copy = try PseudoTerminal(["cp", plain.path, sample.path, "--existing"])
        try answer(copy, "Key of \(sample.path)", key)
        #expect(try copy.end().status == 0)
        #expect(count(copy) == 1)
        #expect(try sample.run("ls").success().ids == ["a", "doc", "new"])
    }

    @Test("is requested once in the shell, whatever keys other databases have")
    func severalInShell() throws {
        let (one, two) = (try EncryptedDatabase(), try second())
        let plain = try EncryptedDatabase.plain()
        for path in [one.path, plain.path] {
            let terminal = try PseudoTerminal([path], environment: ["NO_COLOR": "1"])
            if path == one.path { try answer(terminal, "Key of \(path)", key) }
            try terminal.wait(for: "people>")
            terminal.enter("diff \(two.path)")
            try answer(terminal, "Key of \(two.path)", "two")
            try terminal.wait(for: "(no differences)")
            for _ in 0..<2 {
                try terminal.wait(for: "people>")
                terminal.enter("cat a --raw")
                try terminal.wait(for: #"{"_id":"a","text":"plain words"}"#)
                try terminal.wait(for: "people>")
                terminal.enter("diff \(two.path)")
                try terminal.wait(for: "(no differences)")
            }
            try terminal.wait(for: "people>")
            terminal.enter("quit")
            #expect(try terminal.end().status == 0)
            #expect(count(terminal) == (path == one.path ? 2 : 1))
        }
    }

    @Test("that is wrong ends the command with 4, and Ctrl-C with 130")
    func refused() throws {
        let sample = try EncryptedDatabase()
        let wrong = try PseudoTerminal(["ls", sample.path])
        try answer(wrong, "Key of ", "wrong")
        let end = try wrong.end()
        #expect(end.status == 4)
        #expect(end.output.contains("the key is wrong"))
        let interrupted = try PseudoTerminal(["ls", sample.path])
        try interrupted.wait(for: "Key of ")
        interrupted.type(PseudoTerminal.controlC)
        #expect(try interrupted.end().status == 130)
        let ended = try PseudoTerminal(["ls", sample.path])
        try ended.wait(for: "Key of ")
        ended.type(PseudoTerminal.controlD)
        #expect(try ended.end().status == 1)
    }

    @Test("is not requested for an unencrypted database, nor if one is specified")
    func notAsked() throws {
        let sample = try EncryptedDatabase()
        let plain = try EncryptedDatabase.plain()
        #expect(try !PseudoTerminal(["ls", plain.path]).end().output.contains("Key"))
        let given = try PseudoTerminal(["ls", sample.path], environment: ["KVTOOL_KEY": key])
        #expect(try !given.end().output.contains("Key"))
    }

    @Test("opens the shell, whose commands use it")
    func shell() throws {
        let sample = try EncryptedDatabase()
        let terminal = try PseudoTerminal([sample.path], environment: ["NO_COLOR": "1"])
        try answer(terminal, "Key of ", key)
        try terminal.wait(for: "people>")
        terminal.enter("cat a --raw")
        try terminal.wait(for: #"{"_id":"a","text":"plain words"}"#)
        try terminal.wait(for: "people>")
        terminal.enter("quit")
        #expect(try terminal.end().status == 0)
        #expect(!terminal.transcript.contains("horse"))
    }

    @Test("for a new database is typed twice, and must be the same")
    func twice() throws {
        let database = try EncryptedDatabase.plain()
        let different = try PseudoTerminal(["encrypt", database.path])
        try answer(different, "New key", "one")
        try answer(different, "Repeat the key", "two")
        let end = try different.end()
        #expect(end.status == 1)
        #expect(end.output.contains("the keys do not match; nothing was changed"))
        #expect(try database.run("ls").success().ids == ["a", "doc"])
        let same = try PseudoTerminal(["encrypt", database.path])
        try answer(same, "New key", "one two")
        try answer(same, "Repeat the key", "one two")
        #expect(try same.end().status == 0)
        #expect(try database.run("ls", "--key", "one two").success().ids == ["a", "doc"])
        let rekeyed = try PseudoTerminal(["rekey", database.path])
        try answer(rekeyed, "Key of ", "one two")
        try answer(rekeyed, "New key", "three")
        try answer(rekeyed, "Repeat the key", "three")
        #expect(try rekeyed.end().status == 0)
        #expect(try database.run("ls", "--key", "three").success().ids == ["a", "doc"])
    }
}
