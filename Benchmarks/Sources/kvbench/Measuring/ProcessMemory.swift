import CBaseline
import Foundation

/// The memory and the files of this process, as counted by the system.
enum ProcessMemory {
    /// Resets the peak memory of the process; returns its current memory, in bytes.
    ///
    /// Returns 0, like `peak()`, if the system cannot reset it (only Linux can).
    static func resetPeak() -> Int {
        #if os(Linux)
            guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return 0 }
            defer { try? file.close() }
            guard (try? file.write(contentsOf: Data("5".utf8))) != nil else { return 0 }
            return status("VmRSS:")
        #else
            return 0
        #endif
    }

    /// The peak memory of the process, in bytes.
    static func peak() -> Int {
        #if os(Linux)
            return status("VmHWM:")
        #else
            return 0
        #endif
    }

    /// The peak memory of another process, in bytes.
    static func peak(of process: Int32) -> Int {
        #if os(Linux)
            return status("VmHWM:", "\(process)")
        #else
            return 0
        #endif
    }

    /// The peak memory of the process while `body` runs, minus the memory before it, in bytes; the
    /// system counts in steps of some 100 kB.
    ///
    /// Free memory is returned to the system first: otherwise `body` could use that, and would seem
    /// to need none. Pages of mapped files, such as this program's own code, are not counted.
    static func growth(_ body: () throws -> Void) rethrows -> Int {
        baseline_release_memory()
        let before = resetPeak()
        let files = pagesOfFiles
        try body()
        return max(peak() - before - max(pagesOfFiles - files, 0), 0)
    }

    /// Pages of mapped files, such as this program's own code, in bytes.
    static var pagesOfFiles: Int {
        #if os(Linux)
            return status("RssFile:")
        #else
            return 0
        #endif
    }

    private static func status(_ field: String, _ process: String = "self") -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        else { return 0 }
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        let number = line?.split(whereSeparator: { !$0.isNumber }).first
        return (number.flatMap { Int($0) } ?? 0) * 1024
    }

    /// The total bytes of the files in a directory, and below.
    static func sizeOfDirectory(_ path: String) -> Int {
        let files = FileManager.default.enumerator(atPath: path)
        var size = 0
        while let file = files?.nextObject() as? String { size += self.size(of: path + "/" + file) }
        return size
    }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
