/// The revision of a document in Couchbase Lite 4: the latest version by each peer that changed it.
///
/// A version is the time of a change and the database in which it took place. Since a vector
/// contains the latest version of each, two vectors of a document show which of them is newer, or
/// that neither includes all changes of the other:
///
/// ```swift
/// switch localVector.compare(to: remoteVector) {
/// case .same: show("nothing to do")
/// case .older: show("pull")
/// case .newer: show("push")
/// case .conflicting: show("merge")
/// }
/// ```
///
/// The database that stores a vector is `*` in it. Before vectors of two databases are compared,
/// replace it with ``globalized(local:)``.
///
/// Each source has one version, and at least one version is current. Only the source of the first
/// version may have a second one: an older version merged into the first, as in
/// `9@*, 4@PEER, 3@*;`, the merge of a local change with one of a peer.
///
/// It is stored as a zero byte and, for each version, its time and its source; see
/// `docs/file-format.md`. Saving a document creates its vector; the text form is for tools. Files
/// of Couchbase Lite 2 and 3 have a ``RevisionTree`` instead.
public struct VersionVector: Hashable, Sendable {
    /// One peer's latest change.
    ///
    /// Its text is `time@source`, such as `18e9f0b79eed0000@*`.
    public struct Version: Hashable, Sendable {
        /// When the change was made, by the clock of the peer.
        ///
        /// For a tree revision of Couchbase Lite 3 it is not an actual time; see ``isLegacy``.
        public let time: LogicalTime
        /// The peer of the change: this database or another one.
        public let source: Source
        /// Whether it is the current version or one that was merged into it.
        ///
        /// Other versions are those of earlier changes, which the current one includes.
        public let isCurrent: Bool

        init(time: LogicalTime, source: Source, isCurrent: Bool = false) {
            self.time = time
            self.source = source
            self.isCurrent = isCurrent
        }
    }

    /// The version of the latest change; usually the one of the database that saved the document
    /// last.
    public let first: Version
    /// The other versions, merged ones first; empty if only one database has changed the document.
    public let others: [Version]

    /// The maximum number of versions in a vector that is read: 10,000; longer ones are treated as
    /// damaged.
    public static let maximumVersions = 10_000

    /// Creates a vector of these versions. Only the source of the first may occur twice: with an
    /// older version that is current, because it was merged into the first.
    ///
    /// If no version is marked as current, the first one becomes current.
    package init(first: Version, others: [Version] = []) {
        let isMarked = first.isCurrent || others.contains { $0.isCurrent }
        self.first = isMarked ? first : first.marked(true)
        self.others = others
    }

    /// Creates the vector of a document created by this database.
    package init(localTime time: LogicalTime) {
        first = Version(time: time, source: .local, isCurrent: true)
        others = []
    }

    /// All versions, that of the latest change first. Each call creates an array.
    public var versions: [Version] { [first] + others }

    /// The number of versions, at least one. It takes constant time, other than ``versions``.
    public var count: Int { others.count + 1 }
}

extension VersionVector {
    /// The latest time of all versions, usually that of ``first``.
    ///
    /// The version of a peer whose clock is far ahead can have a later time.
    public var latestTime: LogicalTime {
        var latest = first.time
        for version in others where version.time > latest { latest = version.time }
        return latest
    }

    /// The latest time that is not after `limit`; ignores versions that represent tree revisions,
    /// since their times are not actual times.
    package func latestTime(notAfter limit: LogicalTime) -> LogicalTime {
        var latest = LogicalTime.zero
        forEachVersion { version in
            guard version.time > latest, version.time <= limit, !version.isLegacy else { return }
            latest = version.time
        }
        return latest
    }

    /// Replaces the versions later than `limit` by what `replacement` returns; versions that
    /// represent tree revisions stay unchanged.
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

    /// The times after `limit`, except those of versions that represent tree revisions.
    package func times(after limit: LogicalTime) -> [LogicalTime] {
        versions.filter { $0.time > limit && !$0.isLegacy }.map(\.time)
    }

    @inline(__always)
    func forEachVersion(_ body: (Version) -> Void) {
        body(first)
        for version in others { body(version) }
    }

    /// How many versions at the start are the current one and those merged into it.
    var currentCount: Int {
        (others.lastIndex { $0.isCurrent } ?? -1) + 2
    }

    /// The time of a source's latest version; nil if it has none.
    ///
    /// ```swift
    /// let lastOwnChange = localVector.time(of: .local)
    /// ```
    ///
    /// - Parameter source: this database (`.local`) or a peer.
    public func time(of source: Source) -> LogicalTime? {
        if first.source == source { return first.time }
        for version in others where version.source == source { return version.time }
        return nil
    }

    /// The vector after a change by this database: its new version, which is current, followed by
    /// the versions of the others, which are not.
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

extension VersionVector {
    /// The vector of a document that had a tree revision before its database was upgraded.
    package func including(legacy version: Version) -> VersionVector {
        guard time(of: .legacy) == nil else { return self }
        return VersionVector(first: first, others: others + [version.marked(false)])
    }

    /// The vector without the versions that represent tree revisions; nil if there is no other.
    package var withoutLegacy: VersionVector? {
        let rest = versions.filter { !$0.isLegacy }
        return rest.first.map { VersionVector(first: $0, others: Array(rest.dropFirst())) }
    }
}

extension VersionVector.Version {
    /// The same version, marked as current or not.
    func marked(_ isCurrent: Bool) -> Self {
        Self(time: time, source: source, isCurrent: isCurrent)
    }
}

// A tree revision (Couchbase Lite 3) is represented by a version of the source `legacy`:
// its time is the generation, shifted left by 40 bits, plus the first 40 bits of the digest.
extension VersionVector.Version {
    /// Creates the version that represents a tree revision.
    ///
    /// Nil if the generation is 0 or exceeds 23 bits, which would not give a valid time.
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

    /// Whether it represents a tree revision of Couchbase Lite 3, whose time is not an actual time.
    ///
    /// Such versions occur after an upgrade to ``Versioning/versionVectors``; see
    /// ``legacyRevision``.
    public var isLegacy: Bool { source == .legacy }

    /// The generation of the tree revision that it represents, and the first 5 bytes of its digest;
    /// nil if it does not represent one.
    ///
    /// ```swift
    /// if let (generation, prefix) = localVector.first.legacyRevision {
    ///     show("upgraded from revision \(generation)", prefix)
    /// }
    /// ```
    public var legacyRevision: (generation: UInt64, prefix: [UInt8])? {
        guard isLegacy else { return nil }
        let prefix = BigEndian.bytes(time.rawValue).suffix(Self.prefixSize)
        return (time.rawValue >> Self.prefixBits, [UInt8](prefix))
    }

    private static let prefixSize = 5
    private static let prefixBits: UInt64 = 40
    private static let generationLimit: UInt64 = 1 << 23
}

// In a vector `*` stands for the database that stores it: before vectors of two databases are
// compared, it has to be replaced by the 16 bytes that identify the database to others.
extension VersionVector {
    /// The vector in the form for other databases: this database's ID instead of `*`.
    ///
    /// If it has versions of both, which no implementation writes, the latest one stays.
    ///
    /// ```swift
    /// if let id = try file.read({ try $0.fileInfo().publicUUID }) {
    ///     let peer = try VersionVector.PeerID(id)
    ///     show(localVector.globalized(local: peer).text)
    /// }
    /// ```
    ///
    /// - Parameter id: the `publicUUID` of the database that stores the vector.
    public func globalized(local id: PeerID) -> VersionVector {
        replacing(.local, by: .peer(id))
    }

    /// The vector of another database in the form that this one stores: `*` instead of its own ID.
    ///
    /// The other database's `*` must have been replaced by ``globalized(local:)`` before.
    ///
    /// - Parameter id: the `publicUUID` of the database that is to store the vector.
    public func localized(local id: PeerID) -> VersionVector {
        replacing(.peer(id), by: .local)
    }

    private func replacing(_ old: Source, by new: Source) -> VersionVector {
        guard time(of: old) != nil else { return self }
        let renamed = versions.map { $0.replacing(old, by: new) }
        guard time(of: new) != nil else {
            return VersionVector(first: renamed[0], others: Array(renamed.dropFirst()))
        }
        // Both names refer to one database: its latest version stays.
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
