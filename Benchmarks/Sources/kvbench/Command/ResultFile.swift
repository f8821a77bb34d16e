import BenchmarkReport
import Foundation

/// A file of results, written under another name until it is complete.
struct ResultFile {
    let path: String

    /// The file that an interrupted run leaves.
    private var partial: String { path + ".partial" }

    /// Throws if the file cannot be written.
    init(_ path: String) throws {
        self.path = path
        try OutputPath.check(path)
        guard FileManager.default.createFile(atPath: partial, contents: nil) else {
            throw OutputPath.failure(partial)
        }
    }

    /// Writes the results so far.
    func note(_ run: BenchmarkRun) throws {
        do {
            try run.write(to: partial)
        } catch {
            throw OutputPath.failure(partial)
        }
    }

    /// Writes all results, replacing the previous contents.
    func finish(_ run: BenchmarkRun) throws {
        try note(run)
        guard rename(partial, path) == 0 else { throw OutputPath.failure(path) }
    }
}

/// The path of a command's output.
enum OutputPath {
    /// Throws if the directory does not exist, or the path is a directory.
    static func check(_ path: String) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard isDirectory(directory) else {
            throw BenchmarkError(
                message: "\(path): there is no directory \(directory); create it first")
        }
        guard !isDirectory(path) else {
            throw BenchmarkError(message: "\(path): this is a directory; give the name of a file")
        }
    }

    static func write(_ text: String, to path: String) throws {
        try check(path)
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw failure(path)
        }
    }

    /// Creates a directory.
    static func createDirectory(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError(
                message: "\(path): cannot create this directory; check its parent's permissions")
        }
    }

    static func failure(_ path: String) -> BenchmarkError {
        BenchmarkError(
            message: "\(path): cannot write the file; check the permissions and the free space")
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }
}
