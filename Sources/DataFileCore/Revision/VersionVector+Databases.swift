// A vector says `*` for the database that it is stored in: before vectors of two databases are
// compared, each has to name its own by the 16 bytes that others know it by.
extension VersionVector {
    /// The vector as other databases see it: this one's id for `*`.
    ///
    /// If it has versions of both, which no engine writes, the later one stays.
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
        guard let time = time(of: old) else { return self }
        guard let rival = self.time(of: new) else {
            return VersionVector(
                first: first.replacing(old, by: new),
                others: others.map { $0.replacing(old, by: new) })
        }
        // One of the two has to go, and the other takes the new name.
        let lost = rival > time ? old : new
        let left = versions.filter { $0.source != lost }.map { $0.replacing(old, by: new) }
        return VersionVector(
            first: left.first ?? first.replacing(old, by: new), others: Array(left.dropFirst()))
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
