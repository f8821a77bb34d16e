import Foundation
import StoreTestSupport

/// The `sqlite3` command: an opinion on our files that is not our own, and another process that
/// keeps locks.
enum SQLiteShell {
    struct Failure: Error {
        let message: String
    }

    /// Whether there is such a command here.
    static let isPresent: Bool = {
        if path != nil { return true }
        Command.reportMissing("there is no sqlite3 command")
        return false
    }()

    /// Runs statements; returns the lines of their rows, columns with `|` between them.
    @discardableResult
    static func rows(_ file: String, _ sql: String) throws -> [String] {
        let outcome = try Command.run(
            path ?? "sqlite3", options + [file], stdin: Data(sql.utf8))
        guard outcome.status == 0, outcome.stderr.isEmpty else {
            throw Failure(message: "sqlite3 \(file): \(outcome)")
        }
        return outcome.lines
    }

    fileprivate static let path = Command.path(of: "sqlite3")
    fileprivate static let options = ["-batch", "-bail", "-init", "/dev/null"]
}

/// A process that has run statements on a file and keeps its connection open.
final class OtherProcess {
    private let child: Child
    /// The number of the process.
    var id: pid_t { child.id }
    /// Its standard input, at whose end it ends.
    private let input: Int32
    /// What it says; open to the end, or what it says later would end it.
    private let output: Int32
    private var isRunning = true

    /// Returns when the statements have been run.
    init(_ file: String, _ sql: String) throws {
        let (inputEnd, input) = Child.pipe()
        let (output, outputEnd) = Child.pipe()
        self.input = input
        self.output = output
        // The shell that it starts writes at once, unlike its own buffered output.
        let started = Result {
            try Child(
                [SQLiteShell.path ?? "sqlite3"] + SQLiteShell.options
                    + ["-cmd", sql, "-cmd", ".shell echo ready", file],
                Child.Streams(input: inputEnd, output: outputEnd, errors: STDERR_FILENO))
        }
        close(inputEnd)
        close(outputEnd)
        child = try started.get()
        try Self.waitForReady(output)
    }

    deinit {
        if isRunning { crash() }
    }

    /// Ends it in order: its transaction is rolled back, its connection closed.
    func finish() {
        isRunning = false
        close(input)
        _ = child.wait()
        close(output)
    }

    /// Ends it as a power failure would: what it had open stays as it was.
    func crash() {
        isRunning = false
        kill(child.id, SIGKILL)
        _ = child.wait()
        close(input)
        close(output)
    }

    private static func waitForReady(_ output: Int32) throws {
        var said: [UInt8] = []
        var byte: UInt8 = 0
        while !String(decoding: said, as: UTF8.self).contains("ready") {
            guard read(output, &byte, 1) == 1 else {
                throw SQLiteShell.Failure(
                    message: "sqlite3 ended early: \(String(decoding: said, as: UTF8.self))")
            }
            said.append(byte)
        }
    }
}
