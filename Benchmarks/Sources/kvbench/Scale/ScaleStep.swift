import BenchmarkReport
import Foundation

/// One step of measuring a large file.
struct ScaleStep: CustomStringConvertible {
    let name: String
    /// The number of items handled by the step.
    let items: Int
    /// Wall-clock seconds.
    let seconds: Double
    /// The peak memory of the process above that before the step, in bytes: for insertions it
    /// includes the people that are inserted next.
    let memory: Int
    /// The size of the file without its WAL, after the step, in bytes.
    let fileSize: Int
    /// The largest size of the WAL after a transaction of the step, in bytes.
    let walSize: Int

    /// The name of a tenth of the insertions.
    static func insertion(_ part: Int) -> String { "insert, part \(part) of 10" }

    /// Microseconds per item.
    var each: Double { seconds / Double(max(items, 1)) * 1e6 }

    var description: String {
        name.padding(to: 44)
            + String(
                format: "%10d  %9.2f s  %11.2f µs each  %6d MB memory  %7d MB file  %5d MB WAL",
                items, seconds, each, memory >> 20, fileSize >> 20, walSize >> 20)
    }

    var figures: [Figure] {
        [
            Figure(name: "scale: " + name, unit: "µs", rounds: [each]),
            Figure(name: "scale: \(name), memory", unit: "bytes", rounds: [Double(memory)]),
            Figure(name: "scale: \(name), file", unit: "bytes", rounds: [Double(fileSize)]),
            Figure(name: "scale: \(name), WAL", unit: "bytes", rounds: [Double(walSize)]),
        ]
    }

    /// The figures of all steps, and the growth of the cost of insertions.
    static func figures(_ steps: [ScaleStep]) -> [Figure] {
        let names = (1...10).map(insertion)
        let parts = steps.filter { names.contains($0.name) }.map(\.each)
        guard parts.count == names.count, parts[0] > 0 else { return steps.flatMap(\.figures) }
        return [
            Figure(name: "scale: insert", unit: "µs", rounds: parts),
            Figure(
                name: "scale: insert, the last tenth against the first", unit: "times",
                rounds: [parts[9] / parts[0]]),
        ] + steps.flatMap(\.figures)
    }
}
