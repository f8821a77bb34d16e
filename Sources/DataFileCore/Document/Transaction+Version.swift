internal import FleeceLite
internal import StoreFormat

extension Transaction {
    /// The version vector of a change made now to a document that had `old`.
    @inline(__always)
    func newVersion(after old: VersionVector?, id: String) throws -> VersionVector {
        let time = try newTime(after: old, id: id)
        return old?.adding(localTime: time) ?? VersionVector(localTime: time)
    }

    /// The time of a change made now, later than all that the document has, but for implausible
    /// ones (see `HybridClock.latestPlausible`): a change cannot win over these, and need not.
    func newTime(
        after old: VersionVector?, _ other: VersionVector? = nil, id: String
    ) throws -> LogicalTime {
        guard let time = try nextTime(afterAllOf: old, other) else {
            throw StoreError(
                .badRevisionID,
                "document \"\(id)\" cannot be changed: the system clock is after the year 2262, "
                    + "and versions have no later time; set the clock")
        }
        return time
    }

    private static var usualTreeDepth: Int { 50 }

    /// How many revisions of a branch are kept of a tree.
    func maximumTreeDepth() throws -> Int {
        if let known = try session().treeDepth { return known }
        let number = try info(InfoKey.maximumTreeDepth).flatMap(BigEndian.number) ?? 0
        let depth = number == 0 ? Self.usualTreeDepth : Int(clamping: number)
        try session().treeDepth = depth
        return depth
    }
}

extension Record {
    /// Whether it says only that the document was deleted: no revision of it is kept.
    var isBareTombstone: Bool {
        flags.contains(.deleted) && version.isEmpty && bodySize == 0 && extraSize == 0
    }

    /// The version vector of a row that has nothing else to carry on, nil if it has.
    ///
    /// Throws `.corruptRevisionData`, naming the document.
    func plainVector() throws -> VersionVector? {
        guard VersionVector.isVector(version), extraSize == 0, !flags.contains(.synced) else {
            return nil
        }
        do {
            return try VersionVector(binary: version)
        } catch {
            throw Document.damaged(key, error)
        }
    }
}
