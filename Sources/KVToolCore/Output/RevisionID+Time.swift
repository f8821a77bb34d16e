internal import DocumentStore

extension RevisionID {
    /// When the revision was made, in milliseconds since 1970, by the clock of who made it; nil
    /// for a digest, which does not tell.
    var time: Int64? {
        guard case .vector(let vector) = self, !vector.first.isLegacy,
            LogicalTime.valid.contains(vector.first.time)
        else { return nil }
        return Int64(vector.first.time.rawValue / 1_000_000)
    }
}
