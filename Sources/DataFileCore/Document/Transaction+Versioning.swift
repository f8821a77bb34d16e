internal import FleeceLite
public import StoreFormat

extension Snapshot {
    /// The form in which the file stores the revisions of its documents.
    ///
    /// ```swift
    /// let usesVectors = try file.read { try $0.versioning() } == .versionVectors
    /// ```
    ///
    /// Single documents can have another form: each is converted when it is saved.
    ///
    /// - Throws: ``StoreError/Code/wrongFormat`` if the file does not specify it;
    ///   ``StoreError/Code/unsupported`` if it is unknown.
    public func versioning() throws -> Versioning {
        let connection = try connection()
        if let cached = connection.settings.versioning { return cached }
        guard let number = try info(InfoKey.versioning).flatMap(BigEndian.number) else {
            throw StoreError(
                .wrongFormat,
                "\(connection.path) does not specify how its revisions are stored (kv_info)")
        }
        guard let versioning = Versioning(rawValue: number) else {
            throw StoreError(
                .unsupported,
                "\(connection.path) stores its revisions in an unknown form (versioning "
                    + "\(number)), so its documents are not written; they can be read")
        }
        connection.settings.versioning = versioning
        return versioning
    }
}

extension Transaction {
    /// The form in which new revisions are written.
    ///
    /// Trees are only written in the form of Couchbase Lite 3, so the file specifies that from then
    /// on.
    func writtenVersioning() throws -> Versioning {
        let versioning = try versioning()
        guard versioning == .treesInBody else { return versioning }
        try upgradeVersioning(to: .treesInExtra)
        return .treesInExtra
    }

    /// Changes the file to a newer form of storing revisions; does nothing if it has the form.
    ///
    /// ```swift
    /// try file.write { try $0.upgradeVersioning(to: .versionVectors) }
    /// ```
    ///
    /// Documents are converted one by one as they are saved: with ``Versioning/versionVectors`` a
    /// saved document continues its last tree revision as a legacy version. A document whose tree a
    /// vector cannot represent, for example because of a local conflict, stays a tree until that is
    /// resolved. The change is irreversible, and Couchbase Lite before 4 does not read version
    /// vectors.
    ///
    /// - Parameter versioning: the new form.
    /// - Throws: ``StoreError/Code/invalidParameter`` if the file has a newer form already.
    public func upgradeVersioning(to versioning: Versioning) throws {
        let current = try self.versioning()
        guard current != versioning else { return }
        guard current.rawValue < versioning.rawValue else {
            throw StoreError(
                .invalidParameter,
                "the revisions of \(try connection().path) cannot be converted back from "
                    + "\(current) to \(versioning)")
        }
        try putInfo(InfoKey.versioning, versioning.stored)
        try writing().settings.versioning = versioning
    }
}

extension Transaction {
    /// The version vector of a change to a document, made now; `old` is its version before.
    @inline(__always)
    func newVersion(after old: VersionVector?, id: String) throws -> VersionVector {
        let time = try newTime(after: old, id: id)
        return old?.adding(localTime: time) ?? VersionVector(localTime: time)
    }

    /// The time of a change made now, later than all times of the document except implausible ones
    /// (see `HybridClock.latestPlausible`), which need not be exceeded.
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

    /// How many revisions of a tree's branch are retained.
    func maximumTreeDepth() throws -> Int {
        if let cached = try connection().settings.treeDepth { return cached }
        let number = try info(InfoKey.maximumTreeDepth).flatMap(BigEndian.number) ?? 0
        let depth = number == 0 ? Self.usualTreeDepth : Int(clamping: number)
        try connection().settings.treeDepth = depth
        return depth
    }
}

extension Record {
    /// Whether it only records that the document was deleted, without a stored revision.
    var isBareTombstone: Bool {
        flags.contains(.deleted) && version.isEmpty && bodySize == 0 && extraSize == 0
    }

    /// The version vector, if the row has no other history; otherwise nil.
    ///
    /// Throws `.corruptRevisionData`, which names the document.
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
