internal import NIOConcurrencyHelpers
internal import NIOCore

/// Ends connections beyond a maximum.
final class ConnectionCount: Sendable {
    private let maximum: Int
    private let count = NIOLockedValueBox(0)

    init(_ maximum: Int) {
        self.maximum = maximum
    }

    func add(_ channel: any Channel) {
        let isFull = count.withLockedValue { count in
            count += 1
            return count > maximum
        }
        channel.closeFuture.whenComplete { [count] _ in
            count.withLockedValue { $0 -= 1 }
        }
        if isFull { channel.close(promise: nil) }
    }
}

/// What answers requests for WebSockets, as soon as the server runs.
final class NIOLockedAnswer: Sendable {
    typealias Answer = @Sendable (BLIPUpgrade) async -> BLIPUpgradeAnswer

    private let answer = NIOLockedValueBox<Answer?>(nil)

    func set(_ answer: @escaping Answer) { self.answer.withLockedValue { $0 = answer } }

    func callAsFunction(_ upgrade: BLIPUpgrade) async -> BLIPUpgradeAnswer {
        guard let answer = answer.withLockedValue({ $0 }) else {
            return .refuse(status: 503, reason: "the server is starting")
        }
        return await answer(upgrade)
    }
}
