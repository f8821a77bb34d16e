import BenchmarkReport
import Foundation

/// A file that results are written to: under another name until all of them are there.
struct ResultFile {
    let path: String

    /// What a run that is interrupted leaves.
    private var partial: String { path + ".partial" }

    /// Throws if nothing can be written there.
    init(_ path: String) throws {
        self.path = path
        try OutputPath.check(path)
        guard FileManager.default.createFile(atPath: partial, contents: nil) else {
            throw OutputPath.failure(partial)
        }
    }

    /// Notes what there is so far.
    func note(_ run: BenchmarkRun) throws {
        do {
            try run.write(to: partial)
        } catch {
            throw OutputPath.failure(partial)
        }
    }

    /// Writes all of it, in place of what the file may have held.
    func finish(_ run: BenchmarkRun) throws {
        try note(run)
        guard rename(partial, path) == 0 else { throw OutputPath.failure(path) }
    }
}

/// Where a command writes to.
enum OutputPath {
    /// Throws if the directory is missing, or the path leads to one.
    static func check(_ path: String) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard isDirectory(directory) else {
            throw BenchmarkError(message: "\(path): there is no directory \(directory); make it first")
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

    /// Makes a directory.
    static func createDirectory(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError(
                message: "\(path): this directory cannot be made; is its parent yours to write to?")
        }
    }

    static func failure(_ path: String) -> BenchmarkError {
        BenchmarkError(
            message: "\(path): it cannot be written; is the directory yours, and is there room?")
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }
}
