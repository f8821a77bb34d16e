internal import DocumentStore
internal import Synchronization

/// The progress of a long task on standard error: a bar with the rate and the remaining time on a
/// terminal, or JSON objects for other programs.
package struct Progress {
    /// The unit of the count: "document", "row", "page".
    let noun: String
    /// The amount of work in any unit; 0 if unknown.
    var total: Int

    private let began = System.nanoseconds
    private var shown: UInt64 = 0

    private static let barWidth = 24
    private static let pieceWidth = 4
    private static let interval: UInt64 = 100_000_000

    // Captured from the command, because the engine reports progress on its own threads.
    private let style = OutputStyle.current.progress
    private let errors = StandardError.current

    package init(_ noun: String, total: Int = 0) {
        self.noun = noun
        self.total = total
    }

    /// Whether progress is shown.
    var isShown: Bool {
        switch style {
        case .auto: errors.isTerminal
        case .json: true
        case .none: false
        }
    }

    /// Shows progress, at most ten times per second.
    ///
    /// - Parameters:
    ///   - done: the completed work, in the unit of `total`.
    ///   - count: the number of counted items; nil if that is the unit.
    package mutating func update(_ done: Int, count: Int? = nil) {
        guard let seconds = secondsIfDue() else { return }
        let count = count ?? done
        report(done, ["\(noun)s": count], seconds, line(done, count, seconds))
    }

    /// Whether progress is shown and the interval has elapsed.
    var isDue: Bool { System.nanoseconds - shown >= Self.interval && isShown }

    /// Clears the line.
    package func finish() {
        if isShown, style == .auto, shown > 0 { errors.showProgress("") }
    }

    /// Shows the progress of an engine task, which has no items: an object with the number of
    /// SQLite operations, or a moving bar unless the number of bytes to write is known.
    mutating func update(_ task: EngineTask, bytes: Int, operations: Int) {
        guard let seconds = secondsIfDue() else { return }
        let hasBytes = total > 0
        let counts: KeyValuePairs =
            hasBytes ? ["bytes": bytes, "operations": operations] : ["operations": operations]
        report(
            hasBytes ? bytes : operations, counts, seconds,
            line(task, hasBytes ? bytes : nil, seconds), task: task)
    }

    /// Returns the elapsed time and records the update; nil if no update is due.
    private mutating func secondsIfDue() -> Double? {
        guard isDue else { return nil }
        shown = System.nanoseconds
        return Double(shown - began) / 1e9
    }

    private func report(
        _ done: Int, _ counts: KeyValuePairs<String, Int>, _ seconds: Double,
        _ line: @autoclosure () -> String, task: EngineTask? = nil
    ) {
        guard style == .json else { return show(line()) }
        var object = JSONObject()
        object.add("progress", done)
        object.add("total", total > 0 ? total : nil)
        object.add("task", task?.rawValue)
        for (name, count) in counts { object.add(name, count) }
        object.add("seconds", (seconds * 10).rounded() / 10)
        errors.writeUnprefixed(object.finished().string)
    }

    private func line(_ done: Int, _ count: Int, _ seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(count) / seconds) : 0
        let share = total > 0 ? share(done) : nil
        var parts = ["\(Text.count(count, noun)), \(rate)/s"]
        if let share, share > 0, share < 1 {
            parts.append("\(Text.duration(seconds: seconds * (1 - share) / share)) left")
        }
        return (share.map { Self.bar($0) } ?? "") + parts.joined(separator: ", ")
    }

    private func line(_ task: EngineTask, _ bytes: Int?, _ seconds: Double) -> String {
        let time = seconds < 1 ? "" : ", \(Text.duration(seconds: seconds.rounded()))"
        guard let bytes else { return "\(Self.bar(after: seconds))\(task.words)\(time)" }
        let sizes = "\(Text.size(bytes)) of \(Text.size(total))"
        return "\(Self.bar(share(bytes)))\(task.words), \(sizes)\(time)"
    }

    private func share(_ done: Int) -> Double { min(1, Double(done) / Double(max(total, 1))) }

    private func show(_ line: String) {
        let columns = System.terminalSize(errors.descriptor)?.columns ?? 80
        // One line, so that it can be overwritten.
        errors.showProgress(DisplayWidth.fitted(line, columns - 1))
    }

    static func bar(_ share: Double) -> String {
        let full = Int(share * Double(barWidth))
        let empty = String(repeating: " ", count: barWidth - full)
        return "[\(String(repeating: "=", count: full))\(empty)] \(Int(share * 100)) % "
    }

    /// An indeterminate progress bar: a segment moves back and forth, a step each tenth of a
    /// second.
    static func bar(after seconds: Double) -> String {
        let space = barWidth - pieceWidth
        let step = Int(max(0, seconds * 10)) % (2 * space)
        let before = step <= space ? step : 2 * space - step
        let (left, right) = (
            String(repeating: " ", count: before), String(repeating: " ", count: space - before)
        )
        return "[\(left)\(String(repeating: "=", count: pieceWidth))\(right)] "
    }
}

/// Progress that is updated from another thread than the command's.
package final class SharedProgress: Sendable {
    private let progress: Mutex<Progress>

    package init(_ noun: String) { progress = Mutex(Progress(noun)) }

    /// Shows the progress if an update is due. The total is 0 if it is unknown.
    package func update(_ done: Int, of total: Int) {
        progress.withLock { progress in
            progress.total = total
            progress.update(done)
        }
    }

    /// Clears the line.
    package func finish() { progress.withLock { $0.finish() } }
}
