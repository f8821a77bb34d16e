internal import Dispatch
internal import KVToolCore
internal import StorePlatform

/// The queue of work in a transaction, which its thread executes one piece at a time.
final class WorkQueue: Sendable {
    /// A piece of work; exactly one of the closures is called, once.
    struct Work: Sendable {
        let run: @Sendable () -> Void
        /// Called if the transaction has ended.
        let fail: @Sendable (any Error) -> Void
    }

    /// How the transaction ends.
    enum Ending {
        case commit, rollBack
    }

    private enum Step: Sendable {
        case work(Work)
        case ending(Ending)
    }

    private struct State {
        var steps: [Step] = []
        /// Whether the transaction is about to end.
        var isEnding = false
        /// The error for further work after the end.
        var end: (any Error)?
    }

    /// The error that rolls a transaction back, and that later work gets.
    static var over: ToolError { ToolError("the transaction is over", status: .conflict) }

    private let state = Locked(State())
    /// Counts the queued steps.
    private let steps = DispatchSemaphore(value: 0)

    /// Whether the transaction has ended.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Whether the transaction has ended or is about to.
    var isEnding: Bool { state.withLock(\.isEnding) }

    /// Adds a piece of work.
    func add(_ work: Work) {
        if let error = add(.work(work)) { work.fail(error) }
    }

    /// Ends the transaction after the queued work.
    func add(_ ending: Ending) {
        state.withLock { $0.isEnding = true }
        _ = add(.ending(ending))
    }

    /// Adds a step; returns the error if the transaction has ended.
    private func add(_ step: Step) -> (any Error)? {
        let end = state.withLock { state -> (any Error)? in
            if state.end == nil { state.steps.append(step) }
            return state.end
        }
        if end == nil { steps.signal() }
        return end
    }

    /// Executes the queued work until the transaction is committed.
    ///
    /// Throws if it is rolled back.
    func serve() throws {
        while true {
            steps.wait()
            let step = state.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
            switch step {
            case .work(let work): work.run()
            case .ending(.commit): return
            case .ending(.rollBack): throw Self.over
            case nil: break
            }
        }
    }

    /// Marks the transaction as ended; queued work fails.
    func end(with error: any Error) {
        let left = state.withLock { state in
            defer { (state.steps, state.isEnding, state.end) = ([], true, error) }
            return state.steps
        }
        for case .work(let work) in left { work.fail(error) }
    }
}

/// The effect of the Tab key on a line.
struct LineCompletion: Equatable {
    /// The number of characters before the cursor that the insertion replaces.
    var replaced = 0
    var insertion = ""
    /// The candidates to show if there are several.
    var list: [String] = []

    /// Completes `typed`, the text before the cursor, to the common prefix of all candidates.
    ///
    /// - Parameter quoted: quotes a candidate for the line.
    init(
        typed: some StringProtocol, candidates: [String],
        quoted: (String) -> String = { $0 }
    ) {
        guard let first = candidates.first else { return }
        replaced = typed.unicodeScalars.count
        if candidates.count == 1 {
            insertion = quoted(first) + (first.hasSuffix("/") || first.hasSuffix("(") ? "" : " ")
            return
        }
        let common = candidates.dropFirst().reduce(first) { Self.common($0, $1) }
        let whole = quoted(common)
        // The typed text stays if the prefix adds nothing.
        insertion = whole.utf8.count > typed.utf8.count ? whole : String(typed)
        if whole.utf8.count <= typed.utf8.count { list = candidates }
    }

    private static func common(_ one: String, _ other: String) -> String {
        var result = String.UnicodeScalarView()
        for (first, second) in zip(one.unicodeScalars, other.unicodeScalars) {
            guard first == second else { break }
            result.append(first)
        }
        return String(result)
    }

    /// The list in as many columns as fit; at most ``maximum`` candidates.
    func listText(columns: Int) -> String {
        let shown = list.prefix(Self.maximum).map { Text.line($0) }
        let width = (shown.map { DisplayWidth.cells($0) }.max() ?? 0) + 2
        let perLine = max(1, columns / width)
        var text = ""
        for start in stride(from: 0, to: shown.count, by: perLine) {
            let names = shown[start..<min(start + perLine, shown.count)]
            var line = names.dropLast().map { DisplayWidth.padded($0, width) }.joined()
            line += names.last ?? ""
            text += DisplayWidth.fitted(line, columns) + "\n"
        }
        return text + (list.count > Self.maximum ? "…\n" : "")
    }

    private static let maximum = 200
}
