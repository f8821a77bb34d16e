internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

extension ConflictResolver {
    /// The decision of a conflict; nil to keep it.
    ///
    /// - Parameter revisionText: the strings for revisions in all databases.
    func resolution(
        _ local: Document, _ remote: DocumentRevision, _ ancestor: FleeceDictionary?,
        _ revisionText: RevisionText
    ) throws -> ConflictResolution? {
        switch kind {
        case .keep: nil
        case .decide(let decide): try decide(local, remote, ancestor)
        case .lastWriter:
            local.revisionID.map { revisionText.isLater(remote.id, than: $0) } ?? true
                ? .takeOther : .keepCurrent
        }
    }
}

extension RevisionText {
    /// Whether a revision is later than another one, by a rule that gives all databases the same
    /// answer.
    fileprivate func isLater(_ revision: RevisionID, than other: RevisionID) -> Bool {
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
