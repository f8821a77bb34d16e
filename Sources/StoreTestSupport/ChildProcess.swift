internal import Foundation

/// Runs other programs, for effects that need another process: locks, crashes, a second opinion.
public enum ChildProcess {
    /// Runs a program found in `PATH` and waits for its exit.
    ///
    /// - Returns: its exit status, and its output on standard output and standard error.
    public static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// Whether a program exists; if not, prints so on standard error.
    public static func exists(_ program: String) -> Bool {
        if (try? run(["which", program]).status) == 0 { return true }
        FileHandle.standardError.write(Data("SKIPPED: there is no \(program)\n".utf8))
        return false
    }

    /// The bytes of a file, read by another process.
    ///
    /// A process that opens and closes a database file releases the locks that SQLite holds on it.
    public static func hexadecimalBytes(ofFile path: String) throws -> String {
        try run(["od", "-An", "-v", "-tx1", path]).output
    }
}
