import Foundation
import StoreTestSupport

/// A Python that has psycopg, with which other programs use PostgreSQL.
enum Python {
    /// The interpreter; nil without one. `Scripts/bootstrap` installs it in `.build/python`.
    static let interpreter: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let own = root.appending(path: ".build/python/bin/python3").standardized.path
        let paths = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let candidates = [own] + paths.map { "\($0)/python3" }
        return candidates.first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? run([path, "-c", "import psycopg"])) != nil
        }
    }()

    /// A program failed.
    struct Failure: Error {
        let output: String
    }

    /// Runs a program with arguments; returns the lines of its output.
    static func run(_ program: String, _ arguments: [String]) throws -> [String] {
        guard let interpreter else { throw Failure(output: "there is no Python with psycopg") }
        return try run([interpreter, "-c", program] + arguments)
    }

    @discardableResult
    private static func run(_ command: [String]) throws -> [String] {
        let directory = try TemporaryDirectory()
        let input = try Child.open("/dev/null", O_RDONLY)
        let file = try Child.open(directory("output"), O_RDWR | O_CREAT)
        defer {
            close(input)
            close(file)
        }
        let child = try Child(command, Child.Streams(input: input, output: file, errors: file))
        let (status, isSignalled) = child.wait()
        let output = try String(contentsOfFile: directory("output"), encoding: .utf8)
        guard status == 0, !isSignalled else { throw Failure(output: output) }
        return output.split(separator: "\n").map(String.init)
    }
}
