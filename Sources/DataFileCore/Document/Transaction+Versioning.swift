internal import FleeceLite
public import StoreFormat

extension Snapshot {
    /// How the revisions of the file's documents are kept.
    ///
    /// Throws `.wrongFormat` if the file does not say, `.unsupported` if it says something unknown.
    public func versioning() throws -> Versioning {
        let session = try session()
        if let known = session.versioning { return known }
        guard let number = try info(InfoKey.versioning).flatMap(BigEndian.number) else {
            throw StoreError(
                .wrongFormat,
                "\(session.path) does not say how its revisions are kept (kv_info)")
        }
        guard let versioning = Versioning(rawValue: number) else {
            throw StoreError(
                .unsupported,
                "\(session.path) keeps its revisions in an unknown way (versioning \(number)), so "
                    + "its documents are not written; they can be read")
        }
        session.versioning = versioning
        return versioning
    }
}

extension Transaction {
    /// How a revision is to be written that is made now.
    ///
    /// Trees are written in the form of Couchbase Lite 3 only, so the file says so from then on.
    func writtenVersioning() throws -> Versioning {
        let versioning = try versioning()
        guard versioning == .treesInBody else { return versioning }
        try upgradeVersioning(to: .treesInExtra)
        return .treesInExtra
    }

    /// Makes the file keep revisions in a newer way; nothing if it does already.
    ///
    /// Documents change to it one by one as they are saved: with `.versionVectors` a saved document
    /// carries its last revision of the tree on as a legacy version. A document whose tree holds
    /// what a vector cannot, such as a local conflict, stays a tree until that is resolved. There
    /// is no way back, and Couchbase Lite before 4 does not read version vectors.
    ///
    /// Throws `.invalidParameter` if the file keeps them in a newer way than that.
    public func upgradeVersioning(to versioning: Versioning) throws {
        let current = try self.versioning()
        guard current != versioning else { return }
        guard current.rawValue < versioning.rawValue else {
            throw StoreError(
                .invalidParameter,
                "the revisions of \(try session().path) cannot be brought back from \(current) to "
                    + "\(versioning)")
        }
        try putInfo(InfoKey.versioning, versioning.stored)
        try writing().versioning = versioning
    }
}

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
