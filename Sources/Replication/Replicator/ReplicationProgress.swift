internal import StorePlatform

/// The status of a replicator, which its parts update.
final class ReplicationProgress: Sendable {
    private let status = Locked(ReplicatorStatus())
    private let observe: @Sendable (ReplicatorStatus) -> Void

    init(_ observe: @escaping @Sendable (ReplicatorStatus) -> Void) {
        self.observe = observe
    }

    var current: ReplicatorStatus { status.withLock { $0 } }

    func update(_ change: (inout ReplicatorStatus) -> Void) {
        observe(
            status.withLock { status in
                change(&status)
                return status
            })
    }
}
