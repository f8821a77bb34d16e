internal import Synchronization

/// Counts connections.
final class OpenConnections: Sendable {
    private let count = Mutex(0)

    /// Whether there may be one more.
    func enter(_ maximum: Int) -> Bool {
        count.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
