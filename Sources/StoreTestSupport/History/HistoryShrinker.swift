/// Shortens a failing history as long as it still fails.
struct HistoryShrinker {
    /// The number of further histories that may be tried.
    private var attempts: Int
    /// Runs a history; nil if it does not fail.
    private let mismatch: ([HistoryStep]) throws -> HistoryMismatch?
    private var latest: HistoryMismatch?

    init(
        attempts: Int, mismatch: @escaping ([HistoryStep]) throws -> HistoryMismatch?
    ) {
        self.attempts = attempts
        self.mismatch = mismatch
    }

    /// The shortest failing history found, and how it fails.
    mutating func shrink(
        _ history: [HistoryStep], _ found: inout HistoryMismatch
    ) throws -> [HistoryStep] {
        // The steps after the failure are irrelevant.
        var least = history
        if let step = found.step {
            let start = Array(history.prefix(step + 1))
            if try fails(start) { least = start }
        }
        while attempts > 0 {
            let before = least
            least = try reduced(least) { $0 }
            if least == before { break }
        }
        found = latest ?? found
        return least
    }

    private mutating func fails(_ history: [HistoryStep]) throws -> Bool {
        guard attempts > 0 else { return false }
        attempts -= 1
        guard let found = try mismatch(history) else { return false }
        latest = found
        return true
    }

    /// The steps with as many as possible left out or simplified.
    ///
    /// - Parameter whole: puts steps into the position that these have in the history.
    private mutating func reduced(
        _ steps: [HistoryStep], _ whole: ([HistoryStep]) -> [HistoryStep]
    ) throws -> [HistoryStep] {
        var steps = try thinned(steps, whole)
        var index = 0
        while index < steps.count, attempts > 0 {
            let found = steps
            if let inner = found[index].inner {
                // The enclosing transaction or savepoint is removed if its steps fail without it.
                let opened = Array(found[..<index]) + inner + found[(index + 1)...]
                if try fails(whole(opened)) {
                    steps = opened
                    continue
                }
                let least = try reduced(inner) { inner in
                    whole(found.replacing(index, with: found[index].with(inner)))
                }
                steps = found.replacing(index, with: found[index].with(least))
            } else if case .operation(let operation) = found[index] {
                for simpler in operation.simpler {
                    let candidate = found.replacing(index, with: .operation(simpler))
                    if try fails(whole(candidate)) {
                        steps = candidate
                        break
                    }
                }
            }
            index += 1
        }
        return steps
    }

    /// Leaves out steps: halves first, then ever smaller parts, finally single steps.
    private mutating func thinned(
        _ steps: [HistoryStep], _ whole: ([HistoryStep]) -> [HistoryStep]
    ) throws -> [HistoryStep] {
        var steps = steps
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            while start < steps.count, attempts > 0 {
                let end = min(start + size, steps.count)
                let candidate = Array(steps[..<start] + steps[end...])
                if try fails(whole(candidate)) {
                    steps = candidate
                } else {
                    start = end
                }
            }
            if size == 1 { return steps }
            size = max(1, size / 2)
        }
    }
}

extension [HistoryStep] {
    fileprivate func replacing(_ index: Int, with step: HistoryStep) -> [HistoryStep] {
        var copy = self
        copy[index] = step
        return copy
    }
}
