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
