internal import DataFileCore
internal import StoreFormat

extension ConflictResolver {
    /// What decides conflicts; nil to keep them.
    ///
    /// - Parameter revisionText: the strings for revisions in all databases.
    func decision(_ revisionText: RevisionText) -> Decision? {
        switch kind {
        case .keep: nil
        case .decide(let decide): decide
        case .lastWriter:
            { local, remote, _ in
                guard let current = local.revisionID,
                    !revisionText.isLater(remote.id, than: current)
                else { return .takeOther }
                return .keepCurrent
            }
        }
    }
}

extension RevisionText {
    /// Whether a revision is later than another one, by a rule that gives all databases the same
    /// answer.
    func isLater(_ revision: RevisionID, than other: RevisionID) -> Bool {
        switch (revision, other) {
        case (.vector(let vector), .vector(let other)):
            let (time, otherTime) = (vector.first.time, other.first.time)
            if time != otherTime { return time > otherTime }
            return text(of: revision) > text(of: .vector(other))
        case (.digest(let generation, let digest), .digest(let otherGeneration, let otherDigest)):
            return generation != otherGeneration
                ? generation > otherGeneration : otherDigest.lexicographicallyPrecedes(digest)
        default: return true
        }
    }
}
