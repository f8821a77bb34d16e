import Foundation

/// Runs other processes, mostly this program again, with nothing in its memory.
enum ChildProcess {
    /// Runs this program and waits for its exit; returns its output.
    static func runThisProgram(_ arguments: [String]) throws -> String {
        guard let path = thisProgram else {
            throw BenchmarkError(message: "the path of this program is unknown")
        }
        return try run(path, arguments)
    }

    /// The path of this program.
    static var thisProgram: String? { Bundle.main.executablePath }

    /// Runs a program and waits for its exit; returns its output. Throws if it fails.
    static func run(
        _ path: String, _ arguments: [String], isQuiet: Bool = false
    ) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        let name = ([path] + arguments).joined(separator: " ")
        do {
            try process.run()
        } catch {
            throw BenchmarkError(message: "\(name) cannot be run: \(error.localizedDescription)")
        }
        Interruption.setChild(process.processIdentifier)
        defer { Interruption.setChild(nil) }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchmarkError(message: "\(name) failed")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
