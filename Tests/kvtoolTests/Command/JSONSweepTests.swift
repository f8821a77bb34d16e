import Foundation
import Testing

/// What is promised of the forms for programs holds for every command there is.
@Suite("Every command in the formats for programs", .sweptFiles)
struct JSONSweepTests {
    private func run(_ words: [String]) throws -> Command.Outcome {
        try #require(SweptFixture.files).run(words)
    }

    private func object(_ bytes: Data) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    }

    /// The names of all commands, those inside of others too.
    private func names(_ entry: CommandReference.Entry, _ prefix: String = "") -> Set<String> {
        let inner = (entry.subcommands ?? []).filter { $0.commandName != "help" }
        guard !inner.isEmpty else { return [prefix] }
        return inner.reduce(into: []) { result, command in
            let name = prefix.isEmpty ? command.commandName : "\(prefix) \(command.commandName)"
            result.formUnion(names(command, name))
        }
    }

    @Test("no command is omitted, except those with a reason")
    func complete() throws {
        let all = names(try CommandReference.read().command)
        let known = Set(SweptCommand.all.map(\.name)).union(SweptCommand.exceptions.keys)
        #expect(all.subtracting(known) == [], "without an example in SweptCommand")
        #expect(known.subtracting(all) == [], "no command any more")
        #expect(Set(SweptCommand.all.map(\.name)).isDisjoint(with: SweptCommand.exceptions.keys))
    }

    @Test("--json writes one object with the schema's name", arguments: SweptCommand.all)
    func json(_ command: SweptCommand) throws {
        let outcome = try run(command.words(command.arguments + ["--json"]))
        #expect(outcome.status == 0 && !outcome.isSignalled, "\(outcome)")
        let answer = try #require(object(outcome.standardOutput), "\(outcome)")
        let renamed: Set = ["compact", "index.ls", "index.show", "info", "stat"]
        let number = renamed.contains(command.schema) ? 2 : 1
        #expect(answer["schema"] as? String == "kvtool.\(command.schema)/\(number)")
        #expect(outcome.stdout.hasSuffix("}\n"))
    }

    @Test("--ndjson writes an object per line", arguments: SweptCommand.all)
    func ndjson(_ command: SweptCommand) throws {
        let outcome = try run(command.words(command.arguments + ["--ndjson"]))
        #expect(outcome.status == 0 && !outcome.isSignalled, "\(outcome)")
        for line in outcome.lines {
            #expect(object(Data(line.utf8)) != nil, "\(line)")
        }
        #expect(outcome.stdout.isEmpty || outcome.stdout.hasSuffix("}\n"))
    }

    @Test("--csv writes as many values in each line as in the first", arguments: SweptCommand.all)
    func csv(_ command: SweptCommand) throws {
        let outcome = try run(command.words(command.arguments + ["--csv"]))
        #expect(outcome.status == 0 && !outcome.isSignalled, "\(outcome)")
        let rows = try CSVRows.read(outcome.standardOutput)
        let headings = try #require(rows.first, "\(outcome)")
        #expect(!headings.contains(""))
        #expect(Set(headings).count == headings.count)
        #expect(rows.allSatisfy { $0.count == headings.count }, "\(outcome)")
    }

    @Test("a failure is an object on standard error", arguments: SweptCommand.all)
    func failure(_ command: SweptCommand) throws {
        let outcome = try run(command.words(command.failing + ["--json"]))
        #expect(outcome.status != 0 && !outcome.isSignalled, "\(outcome)")
        #expect(outcome.stdout == "")
        let lines = outcome.stderr.split(separator: "\n")
        for line in lines { #expect(object(Data(line.utf8)) != nil, "\(line)") }
        let last = lines.last.flatMap { object(Data($0.utf8)) }
        let error = try #require(last?["error"] as? [String: Any], "\(outcome)")
        #expect(error["status"] as? Int == Int(outcome.status))
        #expect((error["message"] as? String)?.isEmpty == false)
        if command.failing.contains("MISSING") || command.failing.contains("NOTHING") {
            #expect(outcome.status == 3, "\(outcome)")
        }
    }
}

extension JSONSweepTests {
    @Test("the CSV reader conforms to RFC 4180")
    func reader() throws {
        func read(_ text: String) throws -> [[String]] { try CSVRows.read(Data(text.utf8)) }
        #expect(
            try read("a,b\n\"1,\"\"2\",\"x\ny\"\r\n,") == [
                ["a", "b"], ["1,\"2", "x\ny"], ["", ""],
            ])
        #expect(try read("") == [])
        for text in ["\"a", "\"a\"b\n", "a\"b\n"] {
            #expect(throws: CSVRows.Failure.self) { try read(text) }
        }
    }
}
