internal import FleeceLite
internal import StoreFormat

extension DocumentHistory {
    /// Gives the versions whose times are implausible the present time, in the document and in what
    /// remotes have of it.
    ///
    /// They stay in their order, and after all others of the document, so what is the same or in
    /// conflict stays so.
    ///
    /// - Returns: whether there were any.
    package mutating func boundTimes(in transaction: Transaction) throws -> Bool {
        guard case .vector(let vector, let remotes) = form else { return false }
        let latest = transaction.clock.latestPlausible
        let vectors = [vector] + remotes.all.compactMap(\.vector)
        let times = Set(vectors.flatMap { $0.times(after: latest) }).sorted()
        guard !times.isEmpty else { return false }
        var last = vectors.map { $0.latestTime(notAfter: latest) }.max() ?? .zero
        var new: [LogicalTime: LogicalTime] = [:]
        for time in times {
            let present = try transaction.newTime(after: nil, id: id)
            last = max(present, LogicalTime(rawValue: last.rawValue + 1))
            new[time] = last
        }
        let bounded = { (vector: VersionVector) in
            vector.replacingTimes(after: latest) { new[$0] ?? $0 }
        }
        var boundedRemotes = remotes
        for remote in remotes.all {
            guard let vector = remote.vector else { continue }
            boundedRemotes.setRemote(remote.remote, to: remote.with(bounded(vector)))
        }
        form = .vector(bounded(vector), boundedRemotes)
        return true
    }
}

extension RemoteRevision {
    /// Its version vector; nil if it is a revision of a tree.
    fileprivate var vector: VersionVector? {
        if case .vector(let vector) = revisionID { vector } else { nil }
    }

    /// The same revision with another version.
    fileprivate func with(_ vector: VersionVector) -> RemoteRevision {
        RemoteRevision(
            remote: remote, revisionID: .vector(vector), flags: flags, properties: properties,
            others: others)
    }
}
