import Foundation

/// The cost of a call.
struct Effort {
    /// The thread's CPU time in seconds, regardless of the load of the machine.
    let seconds: Double
    /// The temporary growth of the process in bytes; nil where it is not reported.
    let bytes: Int?

    /// Memory is that of the process, so that nothing else may run in it.
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

    /// Linux reports the peak memory of a process, and can reset it.
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
