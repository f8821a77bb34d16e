internal import SQLCore
internal import StorePlatform

/// Cancels a task from code that runs within it, as soon as the task is known.
package final class Canceller: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var isWanted = false
    }

    private let state = Locked(State())

    package init() {}

    /// Sets the closure that cancels the task.
    package func set(_ cancel: @escaping @Sendable () -> Void) {
        let isWanted = state.withLock { state in
            state.cancel = cancel
            return state.isWanted
        }
        if isWanted { cancel() }
    }

    /// Cancels the task; a second call does nothing.
    package func cancel() {
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isWanted else { return nil }
            state.isWanted = true
            return state.cancel
        }
        cancel?()
    }

    /// Whether `cancel()` was called.
    package var hasCancelled: Bool { state.withLock { $0.isWanted } }
}
