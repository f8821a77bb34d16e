/// Who changed a document last, and when each other peer did: the revision of Couchbase Lite 4.
///
/// Stored as a zero byte and then, for each version, its time and its source; see
/// `docs/file-format.md`. Each source has one version, and at least one version is current. Only
/// the source of the first version may have a second one: an older version that is merged into the
/// first, as in `9@*, 4@PEER, 3@*;`, the merge of a local change with one of a peer.
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

    /// A vector of these versions; a source may stand twice only as `isRepeated` allows.
    ///
    /// If no version is marked as current the first one is: a vector is always of something.
    package init(first: Version, others: [Version] = []) {
        let isMarked = first.isCurrent || others.contains { $0.isCurrent }
        self.first = isMarked ? first : first.marked(true)
        self.others = others
    }

    /// The vector of a document that this database has made.
    package init(localTime time: LogicalTime) {
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

    /// The latest time that is not after `limit`; versions that stand for revisions of a tree do
    /// not count, as their times are none.
    package func latestTime(notAfter limit: LogicalTime) -> LogicalTime {
        var latest = LogicalTime.zero
        forEachVersion { version in
            guard version.time > latest, version.time <= limit, !version.isLegacy else { return }
            latest = version.time
        }
        return latest
    }

    /// The versions, in place of those after `limit` what `replacement` gives; versions that stand
    /// for revisions of a tree stay.
    package func replacingTimes(
        after limit: LogicalTime, by replacement: (LogicalTime) -> LogicalTime
    ) -> VersionVector {
        let new = versions.map { version in
            guard version.time > limit, !version.isLegacy else { return version }
            return Version(
                time: replacement(version.time), source: version.source,
                isCurrent: version.isCurrent)
        }
        return VersionVector(first: new[0], others: Array(new.dropFirst()))
    }

    /// The times after `limit`, without those of versions that stand for revisions of a tree.
    package func times(after limit: LogicalTime) -> [LogicalTime] {
        versions.filter { $0.time > limit && !$0.isLegacy }.map(\.time)
    }

    @inline(__always)
    func forEachVersion(_ body: (Version) -> Void) {
        body(first)
        for version in others { body(version) }
    }

    /// Whether a version is the second one of the first version's source: older, and merged into
    /// the first.
    func isRepeated(_ version: Version) -> Bool {
        version.source == first.source && version.isCurrent && version.time < first.time
    }

    /// How many of the first versions are the current one and those merged into it.
    var currentCount: Int {
        (others.lastIndex { $0.isCurrent } ?? -1) + 2
    }

    /// The time of a source's latest version, nil if it has none.
    public func time(of source: Source) -> LogicalTime? {
        if first.source == source { return first.time }
        for version in others where version.source == source { return version.time }
        return nil
    }

    /// The vector after a change by this database: its new version first, the others' after it,
    /// none of which is current any more.
    package func adding(localTime time: LogicalTime) -> VersionVector {
        if others.isEmpty, first.source == .local { return VersionVector(localTime: time) }
        var rest: [Version] = []
        rest.reserveCapacity(count)
        if first.source != .local { rest.append(first.marked(false)) }
        for version in others where version.source != .local && version.source != first.source {
            rest.append(version.marked(false))
        }
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
