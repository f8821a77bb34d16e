internal import Dispatch

/// Wakes a thread that waits.
final class Condition: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }

    /// Waits for a signal; false at the deadline.
    func wait(until deadline: ContinuousClock.Instant) -> Bool {
        let seconds = max((deadline - .now) / .seconds(1), 0)
        return semaphore.wait(timeout: .now() + seconds) == .success
    }
}
