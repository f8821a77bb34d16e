internal import StorePlatform

/// A flag that a task waits for.
///
/// A cancelled wait leaves it usable. The cancelled iteration of an `AsyncStream` would end the
/// stream, and each later wait at once.
final class ChangeSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// Whether a task waits.
    var isAwaited: Bool { state.withLock { $0.waiter != nil } }

    /// Ends the wait, or the next one.
    func set() {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.isSet = true }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits until it is set, and resets it; returns early if the task is cancelled. One task waits
    /// at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !Task.isCancelled else { return false }
                    let mustWait = !state.isSet
                    state.isSet = false
                    if mustWait { state.waiter = continuation }
                    return mustWait
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
