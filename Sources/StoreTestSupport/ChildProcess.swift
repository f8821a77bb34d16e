internal import Foundation

/// Runs other programs, for effects that need another process: locks, crashes, a second opinion.
///
/// ```swift
/// let store = try TemporaryStore()
/// let path = store.path + "/db.sqlite3"
/// let checked = try ChildProcess.run(["sqlite3", path, "PRAGMA quick_check"])
/// #expect(checked.status == 0, "\(checked.output)")
/// ```
///
/// To start a program repeatedly and kill it, use ``CrashHarness``.
public enum ChildProcess {
    /// Runs a program found in `PATH` and waits for its exit.
    ///
    /// Its standard input is empty. The calling thread is blocked until the program has closed its
    /// output and exited.
    ///
    /// - Parameter arguments: the name or path of the program, followed by its arguments. No shell
    ///   interprets them.
    /// - Returns: its exit status, and its output on standard output and standard error. A program
    ///   that does not exist has the status 127.
    /// - Throws: an error of Foundation if `/usr/bin/env` cannot be started.
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

    /// Whether a program exists in `PATH`; if not, prints so on standard error.
    ///
    /// ```swift
    /// guard ChildProcess.exists("sqlite3") else { return }
    /// let version = try ChildProcess.run(["sqlite3", "--version"]).output
    /// ```
    ///
    /// - Parameter program: the name of the program.
    /// - Returns: whether `which` finds it.
    public static func exists(_ program: String) -> Bool {
        if (try? run(["which", program]).status) == 0 { return true }
        FileHandle.standardError.write(Data("SKIPPED: there is no \(program)\n".utf8))
        return false
    }

    /// The bytes of a file, read by another process.
    ///
    /// A process that opens and closes a database file releases the locks that SQLite holds on it,
    /// so a test that compares the bytes of an open database must not read them itself.
    ///
    /// ```swift
    /// let store = try TemporaryStore()
    /// let before = try ChildProcess.hexadecimalBytes(ofFile: store.path + "/db.sqlite3")
    /// _ = try store.file.read { try $0.collectionNames() }
    /// let after = try ChildProcess.hexadecimalBytes(ofFile: store.path + "/db.sqlite3")
    /// #expect(before == after)
    /// ```
    ///
    /// - Parameter path: the path of the file.
    /// - Returns: the output of `od`: two hexadecimal digits for each byte, in lines of 16.
    public static func hexadecimalBytes(ofFile path: String) throws -> String {
        try run(["od", "-An", "-v", "-tx1", path]).output
    }
}
