internal import FleeceLite
internal import StorePlatform

/// The revisions that a client has sent, so that they are not sent back to it.
final class ReceivedRevisionIDs: Sendable {
    private struct State {
        var isSubscribed = false
        var isNeeded = true
        var revisions: [ExactString: String] = [:]
    }

    private let state = Locked(State())
    /// Those of more documents are sent back, which the client answers with not to want them.
    private static let maximumCount = 10_000

    /// The client subscribes to changes; false if it did before.
    func subscribe() async throws -> Bool {
        state.withLock { state in
            defer { state.isSubscribed = true }
            return !state.isSubscribed
        }
    }

    /// Further changes are not announced to the client.
    func unsubscribe() {
        state.withLock { state in
            state.isNeeded = false
            state.revisions = [:]
        }
    }

    func add(_ id: String, _ revision: String) {
        state.withLock { state in
            guard state.isNeeded, state.revisions.count < Self.maximumCount else { return }
            state.revisions[ExactString(id)] = revision
        }
    }

    /// Whether a revision is one of them; it is forgotten.
    func take(_ id: String, _ revision: String) -> Bool {
        state.withLock { state in
            guard state.revisions[ExactString(id)] == revision else { return false }
            state.revisions[ExactString(id)] = nil
            return true
        }
    }
}
