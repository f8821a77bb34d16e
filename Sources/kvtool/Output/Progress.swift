internal import Foundation

/// A progress bar on standard error, where that is a terminal.
struct Progress {
    private let total: Int
    private let began = Date()
    private var shown = Date.distantPast
    private let isShown = StandardError.isTerminal

    private static let width = 30
    private static let interval = 0.1

    /// `total` is the amount of work in any unit, 0 if it is not known.
    init(total: Int) {
        self.total = total
    }

    /// Shows how much is done, at most ten times a second.
    mutating func update(done: Int, documents: Int) {
        guard isShown, Date().timeIntervalSince(shown) >= Self.interval else { return }
        shown = Date()
        let seconds = shown.timeIntervalSince(began)
        let rate = seconds > 0 ? Int(Double(documents) / seconds) : 0
        StandardError.writeRaw("\r\(bar(done))\(documents) documents, \(rate)/s\u{1B}[K")
    }

    /// Clears the line.
    func finish() {
        if isShown { StandardError.writeRaw("\r\u{1B}[K") }
    }

    private func bar(_ done: Int) -> String {
        guard total > 0 else { return "" }
        let share = min(1, Double(done) / Double(total))
        let full = Int(share * Double(Self.width))
        let bar =
            String(repeating: "=", count: full)
            + String(repeating: " ", count: Self.width - full)
        return "[\(bar)] \(Int(share * 100)) % "
    }
}
