extension VersionVector {
    /// The relation of one vector to another, as ``VersionVector/compare(to:)`` determines it.
    public enum Order: Sendable {
        /// Both have the same versions.
        case same
        /// The other vector has all versions of this one, and later ones.
        case older
        /// This vector has all versions of the other one, and later ones.
        case newer
        /// Each has versions that the other lacks: the changes were concurrent.
        case conflicting
    }

    /// Compares this vector with another; marks of current versions are ignored.
    ///
    /// Vectors of two databases must be ``globalized(local:)`` first: `*` is a different peer in
    /// each.
    ///
    /// ```swift
    /// let isUpToDate = [.same, .newer].contains(localVector.compare(to: remoteVector))
    /// ```
    ///
    /// - Parameter other: a vector of the same document.
    /// - Returns: the relation of this vector to `other`.
    public func compare(to other: VersionVector) -> Order {
        let times = Times(of: other)
        var isNewer = false
        var isOlder = false
        var inBoth = 0
        forEachSource { version in
            guard let time = times.time(of: version.source) else {
                isNewer = true
                return
            }
            inBoth += 1
            if version.time > time { isNewer = true }
            if version.time < time { isOlder = true }
        }
        var sources = 0
        other.forEachSource { _ in sources += 1 }
        if inBoth < sources { isOlder = true }
        return switch (isNewer, isOlder) {
        case (false, false): .same
        case (false, true): .older
        case (true, false): .newer
        case (true, true): .conflicting
        }
    }

    /// The latest version of each source.
    @inline(__always)
    private func forEachSource(_ body: (Version) -> Void) {
        body(first)
        for version in others where version.source != first.source { body(version) }
    }

    /// Whether this vector includes a change: it has the same or a later version of its source.
    ///
    /// ```swift
    /// let missing = remoteVector.versions.filter { !localVector.contains($0) }
    /// ```
    ///
    /// - Parameter version: a version of another vector of the same document.
    public func contains(_ version: Version) -> Bool {
        guard let time = time(of: version.source) else { return false }
        return time >= version.time
    }

    /// The vector of a change by this database that resolves a conflict with `other`.
    ///
    /// In LiteCore's form: the new version, then the first versions of both vectors, which it
    /// merges, and then the latest version of each other source, latest time first. A merged local
    /// version therefore follows the new one.
    package func merging(_ other: VersionVector, at time: LogicalTime) -> VersionVector {
        var latest: [Source: LogicalTime] = [:]
        for version in versions + other.versions
        where version.time > latest[version.source] ?? .zero {
            latest[version.source] = version.time
        }
        let new = Version(time: time, source: .local, isCurrent: true)
        // A version that the other vector has a later version of is not merged: it is included.
        var merged = [first, other.first].filter {
            latest[$0.source] == $0.time && ($0.source != .local || $0.time < time)
        }
        if merged.count == 2, merged[0].source == merged[1].source { merged.removeLast() }
        // If only this database has changed the document, it is not a merge.
        if merged.count == 1, merged[0].source == .local { merged = [] }
        for version in merged { latest[version.source] = nil }
        latest[.local] = nil
        let rest = latest.map { Version(time: $0.value, source: $0.key) }
        return VersionVector(
            first: new,
            others: merged.map { $0.marked(true) }.sorted(by: Self.latestFirst)
                + rest.sorted(by: Self.latestFirst))
    }

    /// By descending time, then by source, so that the order is deterministic.
    private static func latestFirst(_ one: Version, _ other: Version) -> Bool {
        one.time != other.time ? one.time > other.time : one.source.sortKey < other.source.sortKey
    }
}

extension VersionVector.Source {
    /// This database sorts first, then others by their IDs.
    fileprivate var sortKey: (Int, UInt64, UInt64) {
        switch self {
        case .local: (0, 0, 0)
        case .peer(let id): (1, id.high, id.low)
        }
    }
}

/// The times of a vector by source: few are searched linearly, many in a dictionary.
private struct Times {
    private let vector: VersionVector
    private let many: [VersionVector.Source: LogicalTime]?

    init(of vector: VersionVector) {
        self.vector = vector
        many =
            vector.count <= 8
            ? nil
            : Dictionary(vector.versions.map { ($0.source, $0.time) }, uniquingKeysWith: max)
    }

    func time(of source: VersionVector.Source) -> LogicalTime? {
        many.map { $0[source] } ?? vector.time(of: source)
    }
}
