internal import Dispatch
internal import KVToolCore
internal import Synchronization

/// What is to be done in a transaction, a piece at a time, on the thread that has it.
final class WorkLine: Sendable {
    /// A piece of work; one of both is called, once.
    struct Work: Sendable {
        let run: @Sendable () -> Void
        /// There is no transaction any more.
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
        /// Whether the transaction has been told to end.
        var isEnding = false
        /// Why nothing more is done.
        var end: (any Error)?
    }

    /// What ends a transaction so that it is undone, and what whoever comes too late gets.
    static var over: ToolError { ToolError("the transaction is over", status: .conflict) }

    private let state = Mutex(State())
    /// Counts the steps.
    private let steps = DispatchSemaphore(value: 0)

    /// Whether the transaction has ended.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Whether it has ended, or was told to.
    var isEnding: Bool { state.withLock(\.isEnding) }

    /// Adds a piece of work.
    func add(_ work: Work) {
        if let error = add(.work(work)) { work.fail(error) }
    }

    /// Lets the transaction end, after the work that waits.
    func add(_ ending: Ending) {
        state.withLock { $0.isEnding = true }
        _ = add(.ending(ending))
    }

    /// Returns the error of a transaction that has ended.
    private func add(_ step: Step) -> (any Error)? {
        let end = state.withLock { state -> (any Error)? in
            if state.end == nil { state.steps.append(step) }
            return state.end
        }
        if end == nil { steps.signal() }
        return end
    }

    /// Does the work that comes, until the transaction is to be committed.
    ///
    /// Throws if it is to be rolled back.
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

    /// The transaction has ended; the work that still waits fails.
    func end(with error: any Error) {
        let left = state.withLock { state in
            defer { (state.steps, state.isEnding, state.end) = ([], true, error) }
            return state.steps
        }
        for case .work(let work) in left { work.fail(error) }
    }
}

/// What the Tab key does with a line.
struct LineCompletion: Equatable {
    /// How many characters before the cursor the insertion replaces.
    var replaced = 0
    var insertion = ""
    /// What is shown, if there are several that it could be.
    var list: [String] = []

    /// Completes `typed`, which stands before the cursor, to what all candidates begin with.
    ///
    /// - Parameter quoted: how a candidate is written in the line.
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
        // What was typed stays if nothing is added to it.
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

    /// The list in as many columns as there is space for; not more lines than anybody would read.
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
