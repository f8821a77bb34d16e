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

    /// A vector of these versions. Only the source of the first may stand twice: with an older
    /// version that is current, because it was merged into the first.
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

// A revision of a tree (Couchbase Lite 3) stands in a vector as a version of the source `legacy`:
// its time is the generation above 40 bits, and in those the first 40 bits of the digest.
extension VersionVector.Version {
    /// The version that stands for a revision of a tree.
    ///
    /// Nil if the generation is 0 or takes more than 23 bits, so that there is no valid time.
    package init?(legacy generation: UInt64, _ digest: [UInt8], isCurrent: Bool = false) {
        guard (1..<Self.generationLimit).contains(generation) else { return nil }
        var prefix: UInt64 = 0
        for index in 0..<Self.prefixSize {
            prefix = prefix << 8 | UInt64(index < digest.count ? digest[index] : 0)
        }
        self.init(
            time: LogicalTime(rawValue: generation << Self.prefixBits | prefix), source: .legacy,
            isCurrent: isCurrent)
    }

    /// Whether it stands for a revision of a tree.
    public var isLegacy: Bool { source == .legacy }

    /// The generation of the revision that it stands for, and the first 5 bytes of its digest;
    /// nil if it stands for none.
    public var legacyRevision: (generation: UInt64, prefix: [UInt8])? {
        guard isLegacy else { return nil }
        let prefix = BigEndian.bytes(time.rawValue).suffix(Self.prefixSize)
        return (time.rawValue >> Self.prefixBits, [UInt8](prefix))
    }

    private static let prefixSize = 5
    private static let prefixBits: UInt64 = 40
    private static let generationLimit: UInt64 = 1 << 23
}

// A vector says `*` for the database that it is stored in: before vectors of two databases are
// compared, each has to name its own by the 16 bytes that others know it by.
extension VersionVector {
    /// The vector as other databases see it: this one's id for `*`.
    ///
    /// If it has versions of both names, which no engine writes, the latest one stays.
    public func globalised(local id: PeerID) -> VersionVector {
        replacing(.local, by: .peer(id))
    }

    /// The vector of another database as this one stores it: `*` for its own id.
    ///
    /// The other database's `*` must have been `globalised`.
    public func localised(local id: PeerID) -> VersionVector {
        replacing(.peer(id), by: .local)
    }

    private func replacing(_ old: Source, by new: Source) -> VersionVector {
        guard time(of: old) != nil else { return self }
        let renamed = versions.map { $0.replacing(old, by: new) }
        guard time(of: new) != nil else {
            return VersionVector(first: renamed[0], others: Array(renamed.dropFirst()))
        }
        // Both names of one database: its latest version stays.
        let latest = renamed.lazy.filter { $0.source == new }.map(\.time).max()
        var left: [Version] = []
        for version in renamed where version.source != new || version.time == latest {
            guard version.source != new || !left.contains(where: { $0.source == new }) else {
                continue
            }
            left.append(version)
        }
        return VersionVector(first: left[0], others: Array(left.dropFirst()))
    }
}

extension VersionVector.Version {
    fileprivate func replacing(
        _ old: VersionVector.Source, by new: VersionVector.Source
    ) -> Self {
        guard source == old else { return self }
        return Self(time: time, source: new, isCurrent: isCurrent)
    }
}
