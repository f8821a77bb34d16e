internal import NIOCore
internal import Synchronization

/// The connections that are open.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let maximum: Int
    private let state = Mutex(State())

    init(_ maximum: Int) { self.maximum = maximum }

    /// Adds one, until it is closed; false if there may not be one more.
    func add(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let isAdded = state.withLock { state in
            guard !state.isClosed, state.channels.count < maximum else { return false }
            state.channels[key] = channel
            return true
        }
        if isAdded {
            channel.closeFuture.whenComplete { _ in
                self.state.withLock { $0.channels[key] = nil }
            }
        }
        return isAdded
    }

    /// Closes all, and those to come.
    func close() {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
