import BenchmarkGate
import Foundation

/// Runs other programs.
enum Program {
    /// The path of a program found in `PATH`; nil if it is not installed.
    static func path(of name: String) -> String? {
        let directories = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return directories.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program in a directory, without input.
    ///
    /// - Parameter environment: all of its variables.
    ///
    /// Throws `GateError` with the last lines of its output if it fails.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String], in directory: String
    ) throws {
        let log = "\(directory)/log.txt"
        guard FileManager.default.createFile(atPath: log, contents: nil),
            let output = FileHandle(forWritingAtPath: log)
        else { throw GateError("\(log) cannot be written") }
        defer { try? output.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw GateError("\(path) cannot be run: \(error.localizedDescription)")
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let written = FileManager.default.contents(atPath: log) ?? Data()
            throw GateError(
                "\(path) failed: \(Self.end(of: String(decoding: written, as: UTF8.self)))")
        }
    }

    private static func end(of text: String) -> String {
        let lines = text.split(separator: "\n").suffix(5).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return lines.isEmpty ? "it wrote nothing" : lines.joined(separator: " | ")
    }
}
