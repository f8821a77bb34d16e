import BenchmarkReport
import Foundation

/// One step of the measuring of a large file.
struct ScaleStep: CustomStringConvertible {
    let name: String
    /// How many items the step handled.
    let items: Int
    /// Seconds of the clock.
    let seconds: Double
    /// The most memory that the process had more than before the step, in bytes.
    let memory: Int
    /// The file with its WAL, and the WAL alone, after the step, in bytes.
    let fileSize: Int
    let walSize: Int

    var description: String {
        let each = seconds / Double(max(items, 1)) * 1e6
        return name.padding(to: 44)
            + String(
                format: "%10d  %9.2f s  %11.2f µs each  %6d MB memory  %7d MB file  %5d MB WAL",
                items, seconds, each, memory >> 20, fileSize >> 20, walSize >> 20)
    }

    var figures: [Figure] {
        [
            Figure(
                name: "scale: " + name, unit: "µs",
                rounds: [seconds / Double(max(items, 1)) * 1e6]),
            Figure(name: "scale: \(name), memory", unit: "bytes", rounds: [Double(memory)]),
            Figure(name: "scale: \(name), file", unit: "bytes", rounds: [Double(fileSize)]),
        ]
    }
}
