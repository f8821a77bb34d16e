import Foundation

/// The memory of this process.
enum ProcessMemory {
    /// `VmHWM` of Linux; 0 elsewhere.
    static var peakMegabytes: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
    }
}
