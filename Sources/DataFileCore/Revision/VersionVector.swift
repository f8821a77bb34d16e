/// Who changed a document last, and when each other peer did: the revision of Couchbase Lite 4.
///
/// Stored as a zero byte and then, for each version, its time and its source; see
/// `docs/file-format.md`. No source stands in it twice, and at least one version is current.
public struct VersionVector: Hashable, Sendable {
    /// One peer's latest change.
    public struct Version: Hashable, Sendable {
        /// When it was made.
        public let time: LogicalTime
        /// Who made it.
        public let source: Source
        /// Whether it belongs to the current version and the ones merged into it.
        public let isCurrent: Bool

        init(time: LogicalTime, source: Source, isCurrent: Bool = false) {
            self.time = time
            self.source = source
            self.isCurrent = isCurrent
        }
    }

    /// The version of the latest change.
    public let first: Version
    /// The other peers' versions, the merged ones first; mostly there are none.
    public let others: [Version]

    /// The most versions in a vector that is read.
    public static let maximumVersions = 10_000

    /// A vector of these versions, in which no source may stand twice.
    ///
    /// If no version is marked as current the first one is: a vector is always of something.
    init(first: Version, others: [Version] = []) {
        let isMarked = first.isCurrent || others.contains { $0.isCurrent }
        self.first = isMarked ? first : first.marked(true)
        self.others = others
    }

    /// The vector of a document that this database has made.
    init(localTime time: LogicalTime) {
        first = Version(time: time, source: .local, isCurrent: true)
        others = []
    }

    /// All versions, the latest change first.
    public var versions: [Version] { [first] + others }

    /// How many versions there are.
    public var count: Int { others.count + 1 }
}

extension VersionVector {
    /// The latest time in it.
    public var latestTime: LogicalTime {
        var latest = first.time
        for version in others where version.time > latest { latest = version.time }
        return latest
    }

    /// How many of the first versions are the current one and those merged into it.
    var currentCount: Int {
        (others.lastIndex { $0.isCurrent } ?? -1) + 2
    }

    /// The time of a source's version, nil if it has none.
    public func time(of source: Source) -> LogicalTime? {
        if first.source == source { return first.time }
        for version in others where version.source == source { return version.time }
        return nil
    }

    /// The vector after a change by this database: its new version first, the others' after it,
    /// none of which is current any more.
    func adding(localTime time: LogicalTime) -> VersionVector {
        if others.isEmpty, first.source == .local { return VersionVector(localTime: time) }
        var rest: [Version] = []
        rest.reserveCapacity(count)
        if first.source != .local { rest.append(first.marked(false)) }
        for version in others where version.source != .local { rest.append(version.marked(false)) }
        let new = Version(time: time, source: .local, isCurrent: true)
        return VersionVector(first: new, others: rest)
    }
}

extension VersionVector.Version {
    /// The same version, current or not.
    func marked(_ isCurrent: Bool) -> Self {
        Self(time: time, source: source, isCurrent: isCurrent)
    }
}
