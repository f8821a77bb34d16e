extension Transaction {
    /// The version vector of a change made now to a document that had `old`.
    func newVersion(after old: VersionVector?, id: String) throws -> VersionVector {
        guard let time = clock.next(after: old?.latestTime) else {
            throw StoreError(
                .badRevisionID,
                "document \"\(id)\" cannot be changed: its version is at the end of time")
        }
        return (old ?? VersionVector(versions: [])).adding(localTime: time)
    }
}

extension Record {
    /// The vector that a change has to carry on.
    ///
    /// Throws `.unsupported` if the row holds history that this version cannot rewrite.
    func carriedVector() throws -> VersionVector {
        guard VersionVector.isVector(version) else {
            throw StoreError(
                .unsupported,
                "document \"\(key)\" keeps a revision tree, which this version cannot write")
        }
        guard extraSize == 0, flags.isDisjoint(with: [.conflicted, .synced, .rejected]) else {
            throw StoreError(
                .unsupported,
                "document \"\(key)\" keeps what other peers know of it (flags or extra), which "
                    + "this version cannot carry on")
        }
        do {
            return try VersionVector(binary: version)
        } catch let error as StoreError {
            throw StoreError(
                .corruptRevisionData, "document \"\(key)\" is damaged: \(error)",
                underlying: error)
        }
    }
}
