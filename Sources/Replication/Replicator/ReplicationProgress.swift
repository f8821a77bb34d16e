internal import StorePlatform

/// The status of a replicator, which its parts update.
final class ReplicationProgress: Sendable {
    private let status = Locked(ReplicatorStatus())
    /// What was reported, so that it is not again when it is tried again.
    private let reported = Locked<Set<String>>([])
    private static let maximumReported = 20_000
    private let observe: @Sendable (ReplicatorStatus) -> Void

    init(_ observe: @escaping @Sendable (ReplicatorStatus) -> Void) {
        self.observe = observe
    }

    var current: ReplicatorStatus { status.withLock { $0 } }

    /// Remembers a problem of a document; whether it is new.
    func isNew(_ problem: String, _ collection: String, _ id: String) -> Bool {
        reported.withLock { reported in
            guard reported.count < Self.maximumReported else { return true }
            return reported.insert("\(problem)\0\(collection)\0\(id)").inserted
        }
    }

    func update(_ change: (inout ReplicatorStatus) -> Void) {
        observe(
            status.withLock { status in
                change(&status)
                return status
            })
    }
}
