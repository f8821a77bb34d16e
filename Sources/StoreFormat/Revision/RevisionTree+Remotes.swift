extension RevisionTree {
    /// The index of the latest revision that a remote is known to have, nil if none is.
    public func latest(of remote: UInt16) -> Int? {
        remotes.last { $0.number == remote }?.revision
    }

    /// Notes that a remote has a revision, and that it is its latest.
    ///
    /// `revision` must be an index of `revisions`, `remote` not 0.
    public mutating func setLatest(_ revision: Int, of remote: UInt16) {
        precondition(revisions.indices.contains(revision), "there is no revision \(revision)")
        precondition(remote != 0, "remotes are counted from 1")
        guard latest(of: remote) != revision else { return }
        stored = Stored()
        guard let place = remotes.firstIndex(where: { $0.number == remote }) else {
            remotes.append(Remote(number: remote, revision: revision))
            return
        }
        remotes[place].revision = revision
        var rest = remotes[(place + 1)...]
        rest.removeAll { $0.number == remote }
        remotes.replaceSubrange((place + 1)..., with: rest)
    }

    /// Notes that a remote refused a revision, which must be an index of `revisions`.
    public mutating func reject(_ revision: Int) {
        precondition(revisions.indices.contains(revision), "there is no revision \(revision)")
        guard !rejected.contains(revision) else { return }
        stored = Stored()
        rejected.append(revision)
    }
}
