import Foundation

/// What a call takes.
struct Effort {
    /// Seconds that the thread computed, however busy the machine was.
    let seconds: Double
    /// By how many bytes the process grew for a while; nil where that is not told.
    let bytes: Int?

    /// Memory is that of the process, so that nothing else may be going on in it.
    init(measuringMemory: Bool, _ body: () throws -> Void) rethrows {
        let before = measuringMemory ? Self.resetPeak() : nil
        let start = Self.processorSeconds
        try body()
        seconds = Self.processorSeconds - start
        bytes = before.flatMap { before in Self.memory("VmHWM:").map { $0 - before } }
    }

    static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Linux tells the most memory that a process has had, and can begin to count again.
    private static func resetPeak() -> Int? {
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        return memory("VmRSS:")
    }

    private static func memory(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { return nil }
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
