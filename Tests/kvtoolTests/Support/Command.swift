import Foundation
import StoreTestSupport

/// Another program, run to its end.
enum Command {
    /// What a program said and how it ended.
    struct Outcome: CustomStringConvertible {
        /// The exit status; for a signal, its number.
        let status: Int32
        /// Whether a signal ended it: a trap is one.
        let isSignalled: Bool
        let standardOutput: Data
        let standardError: Data

        var stdout: String { String(decoding: standardOutput, as: UTF8.self) }
        var stderr: String { String(decoding: standardError, as: UTF8.self) }
        /// The lines of standard output.
        var lines: [String] { stdout.split(separator: "\n").map(String.init) }

        var description: String {
            "\(isSignalled ? "signal" : "status") \(status)\nstdout: \(stdout.prefix(2000))\n"
                + "stderr: \(stderr.prefix(2000))"
        }
    }

    /// Runs a program whose output goes to files, so that no pipe can fill up.
    static func run(
        _ program: String, _ arguments: [String], stdin: Data? = nil,
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let own = try TemporaryDirectory()
        try (stdin ?? Data()).write(to: URL(fileURLWithPath: own("stdin")))
        let streams = Child.Streams(
            input: try Child.open(own("stdin"), O_RDONLY),
            output: try Child.open(own("stdout"), O_WRONLY | O_CREAT),
            errors: try Child.open(own("stderr"), O_WRONLY | O_CREAT))
        defer { for file in [streams.input, streams.output, streams.errors] { close(file) } }
        let end = try Child([program] + arguments, streams, environment: environment).wait()
        return Outcome(
            status: end.status, isSignalled: end.isSignalled,
            standardOutput: try Data(contentsOf: URL(fileURLWithPath: own("stdout"))),
            standardError: try Data(contentsOf: URL(fileURLWithPath: own("stderr"))))
    }

    /// The path of a program, nil if there is none of this name.
    static func path(of name: String) -> String? {
        let directories = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return directories.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Says on standard error that a program is missing, and so some tests are skipped.
    static func reportMissing(_ what: String) {
        FileHandle.standardError.write(Data("SKIPPED: \(what)\n".utf8))
    }
}
