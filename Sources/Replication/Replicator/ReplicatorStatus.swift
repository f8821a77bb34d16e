/// What a ``Replicator`` is doing.
public struct ReplicatorStatus: Sendable {
    /// The phases.
    public enum Phase: Sendable, Equatable {
        /// Connecting.
        case connecting
        /// Transferring changes.
        case busy
        /// Comparing the file's documents with those of the remote, which no longer has all of its
        /// deletions since the last replication.
        case comparing
        /// Waiting for changes on either side.
        case idle
        /// Waiting to try again after an error, for that many seconds.
        case waiting(seconds: Double)
        /// Ended.
        case stopped
    }

    /// The phase.
    public var phase = Phase.connecting
    /// What was done since the start.
    public var report = ReplicationReport()
    /// The number of changes of the current collection that are yet to be pulled or pushed, at
    /// most; nil if it is unknown.
    public var remaining: Int?
    /// The error of the last attempt; nil after a success.
    public var lastError: (any Error)?

    /// Creates the status of a replicator that starts.
    public init() {}
}

/// What a replication did.
public struct ReplicationReport: Sendable {
    /// A document that one side did not accept.
    public struct Rejection: Sendable {
        /// The collection, and the document's ID.
        public let collection: String, id: String
        /// Why, and what to do about it.
        public let reason: String
        /// Whether the remote did not accept it; otherwise the file did not.
        public let isPush: Bool
    }

    /// A document that both sides had changed.
    public struct Conflict: Sendable {
        /// The collection, and the document's ID.
        public let collection: String, id: String
        /// Whether the resolver decided it; otherwise both revisions are kept.
        public let isResolved: Bool
    }

    /// The number of documents that the remote accepted.
    public var pushed = 0
    /// The number of documents of the file that the remote's changes changed.
    public var pulled = 0
    /// The collections of which all documents were compared again, because the checkpoint at the
    /// remote is not one that this file wrote.
    ///
    /// The file or the remote was restored from a backup; or another file has the same UUIDs, as
    /// after `cp -r`. If that one is used, too, assign new UUIDs by copying it with `kvtool cp` or
    /// `DataFile.copy(to:newUUIDs:)`: changes that both make of one document are not recognized as
    /// conflicts otherwise, and the later one wins.
    public internal(set) var collectionsComparedAgain: [String] = []
    /// The number of documents of the file that were compared with those of the remote, because
    /// it no longer has all of its deletions since the last replication.
    public var compared = 0
    /// How many of them were removed from the file, because the remote does not have them any more.
    public var removed = 0
    /// The conflicts, the last 1,000.
    public private(set) var conflicts: [Conflict] = []
    /// How many conflicts there were.
    public private(set) var conflictCount = 0
    /// How many of them are kept, those from before included: the documents are not pushed.
    public private(set) var keptConflictCount = 0
    /// The documents that were not accepted, the last 1,000. Each run tries them again, 10,000 at
    /// most; further ones are tried when they change.
    public private(set) var rejections: [Rejection] = []
    /// How many documents were not accepted.
    public private(set) var rejectionCount = 0

    /// Creates an empty report.
    public init() {}

    private static let listed = 1000

    mutating func add(_ conflict: Conflict) {
        conflictCount += 1
        if !conflict.isResolved { keptConflictCount += 1 }
        conflicts.append(conflict)
        if conflicts.count > 2 * Self.listed { conflicts.removeFirst(Self.listed) }
    }

    mutating func add(_ rejection: Rejection) {
        rejectionCount += 1
        rejections.append(rejection)
        if rejections.count > 2 * Self.listed { rejections.removeFirst(Self.listed) }
    }
}
