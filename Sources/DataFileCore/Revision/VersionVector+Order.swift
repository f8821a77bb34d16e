extension VersionVector {
    /// How one vector stands to another.
    public enum Order: Sendable {
        /// Both have the same versions.
        case same
        /// The other one has all versions of this one, and later ones.
        case older
        /// This one has all versions of the other, and later ones.
        case newer
        /// Each has versions that the other lacks: the changes were made side by side.
        case conflicting
    }

    /// How this vector stands to another; marks do not count.
    ///
    /// Vectors of two databases must be `globalised` first, as `*` is another one in each.
    public func compare(to other: VersionVector) -> Order {
        let times = Times(of: other)
        var isNewer = false
        var isOlder = false
        var inBoth = 0
        forEachVersion { version in
            guard let time = times.time(of: version.source) else {
                isNewer = true
                return
            }
            inBoth += 1
            if version.time > time { isNewer = true }
            if version.time < time { isOlder = true }
        }
        if inBoth < other.count { isOlder = true }
        return switch (isNewer, isOlder) {
        case (false, false): .same
        case (false, true): .older
        case (true, false): .newer
        case (true, true): .conflicting
        }
    }

    @inline(__always)
    private func forEachVersion(_ body: (Version) -> Void) {
        body(first)
        for version in others { body(version) }
    }

    /// Whether a change is a part of what this vector stands for.
    public func contains(_ version: Version) -> Bool {
        guard let time = time(of: version.source) else { return false }
        return time >= version.time
    }

    /// The vector of a change by this database that settles a conflict with `other`.
    ///
    /// Its new version is first, then what was current in either, then the rest; each source once,
    /// with its latest time. `time` must be later than the `latestTime` of both.
    func merging(_ other: VersionVector, at time: LogicalTime) -> VersionVector {
        let all = versions + other.versions
        var latest: [Source: LogicalTime] = [:]
        for version in all where version.time > latest[version.source] ?? .zero {
            latest[version.source] = version.time
        }
        // The new version stands for those of this database.
        latest[.local] = nil
        var merged: [Version] = []
        merged.reserveCapacity(latest.count)
        for isCurrent in [true, false] {
            for version in all
            where version.isCurrent == isCurrent && latest[version.source] == version.time {
                merged.append(version)
                latest[version.source] = nil
            }
        }
        let new = Version(time: time, source: .local, isCurrent: true)
        return VersionVector(first: new, others: merged)
    }
}

/// The times of a vector by source: few are looked for one by one, many in a dictionary.
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
