internal import FleeceLite
internal import Synchronization

/// How far a long task has come, on standard error: a bar with the rate and the time left where
/// that is a terminal, JSON objects for other programs.
struct Progress {
    /// What is counted: "document", "row", "page".
    let noun: String
    /// How much there is to do, in any unit; 0 if it is not known.
    var total: Int

    private let began = System.nanoseconds
    private var shown: UInt64 = 0

    private static let barWidth = 24
    private static let interval: UInt64 = 100_000_000
    private static let chosen = Mutex(ProgressStyle.auto)

    /// How it is told.
    static var style: ProgressStyle {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    init(_ noun: String, total: Int = 0) {
        self.noun = noun
        self.total = total
    }

    /// Whether anybody is told.
    var isShown: Bool {
        switch Self.style {
        case .auto: StandardError.isTerminal
        case .json: true
        case .none: false
        }
    }

    /// Tells at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: how much is done, in the unit of `total`.
    ///   - count: how many of what is counted; nil if that is the unit.
    mutating func update(_ done: Int, count: Int? = nil) {
        let now = System.nanoseconds
        guard now - shown >= Self.interval, isShown else { return }
        shown = now
        let seconds = Double(now - began) / 1e9
        if Self.style == .json {
            tell(done, count ?? done, seconds)
        } else {
            show(done, count ?? done, seconds)
        }
    }

    /// Clears the line.
    func finish() {
        if isShown, Self.style == .auto, shown > 0 { StandardError.showProgress("") }
    }

    private func tell(_ done: Int, _ count: Int, _ seconds: Double) {
        var object = JSONObject()
        object.add("progress", done)
        object.add("total", total > 0 ? total : nil)
        object.add("\(noun)s", count)
        object.add("seconds", (seconds * 10).rounded() / 10)
        StandardError.writeUnprefixed(object.finished().string)
    }

    private func show(_ done: Int, _ count: Int, _ seconds: Double) {
        let rate = seconds > 0 ? Int(Double(count) / seconds) : 0
        let share = total > 0 ? min(1, Double(done) / Double(total)) : nil
        var parts = ["\(Text.count(count, noun)), \(rate)/s"]
        if let share, share > 0, share < 1 {
            parts.append("\(Text.duration(seconds: seconds * (1 - share) / share)) left")
        }
        let bar = share.map { Self.bar($0) } ?? ""
        let columns = System.terminalSize(System.standardError)?.columns ?? 80
        let text = bar + parts.joined(separator: ", ")
        // One line, or it could not be written over.
        StandardError.showProgress(DisplayWidth.fitted(text, columns - 1))
    }

    static func bar(_ share: Double) -> String {
        let full = Int(share * Double(barWidth))
        let empty = String(repeating: " ", count: barWidth - full)
        return "[\(String(repeating: "=", count: full))\(empty)] \(Int(share * 100)) % "
    }
}
