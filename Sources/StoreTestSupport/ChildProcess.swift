internal import Foundation

/// Other programs, for what only another process can show: locks, crashes, a second opinion.
public enum ChildProcess {
    /// Runs a program that is found in `PATH`, to its end.
    ///
    /// - Returns: its exit status, and what it wrote to standard output and standard error.
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

    /// Whether a program is there; says so on standard error if not.
    public static func exists(_ program: String) -> Bool {
        if (try? run(["which", program]).status) == 0 { return true }
        FileHandle.standardError.write(Data("SKIPPED: there is no \(program)\n".utf8))
        return false
    }

    /// The bytes of a file, read by another process.
    ///
    /// A process that opens a database file and closes it drops the locks that SQLite has on it.
    public static func hexadecimalBytes(ofFile path: String) throws -> String {
        try run(["od", "-An", "-v", "-tx1", path]).output
    }
}
