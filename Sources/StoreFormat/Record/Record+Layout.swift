/// Where a row stores its revisions; rows of one file may differ, since upgrades are lazy.
///
/// ```swift
/// switch storedRecord.layout {
/// case .treeInBody, .treeInExtra: show(try RevisionTree(storedRecord).revisions.count)
/// case .versionVector: show(try storedRecord.revisionID()?.description ?? "none")
/// }
/// ```
///
/// ``Versioning`` is the layout of new rows of a file.
public enum RecordLayout: Sendable {
    /// 2.x: `body` is a revision tree that holds all bodies.
    case treeInBody
    /// 3.x: `body` is the current body, `extra` the revision tree.
    case treeInExtra
    /// 4.x: `version` is a version vector, `body` the current body. Of a document that was received
    /// from a database with trees, and not changed since, `version` is its revision there.
    case versionVector
}

extension Record {
    /// Where this row stores its revisions.
    ///
    /// Requires the content ``RecordContent/all`` for a row without a version vector. Only the
    /// outline of the columns is examined: a damaged tree still has a layout.
    public var layout: RecordLayout {
        if VersionVector.isVector(version) || extra.map(RemoteRevisions.isStored) ?? false {
            return .versionVector
        }
        guard extraSize == 0, let body, body.withUnsafeBytes(RevisionTree.hasOutline) else {
            return .treeInExtra
        }
        return .treeInBody
    }

    /// The current revision; nil for a raw record, which has none.
    ///
    /// - Returns: a digest or a version vector, depending on the row.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` if the version cannot be read.
    public func revisionID() throws -> RevisionID? {
        version.isEmpty ? nil : try RevisionID(binary: version)
    }

    /// The Fleece of the current revision; nil if it has no properties.
    ///
    /// Requires the content ``RecordContent/all``. For a damaged tree it is the whole column, which
    /// is not Fleece. The keys are those of the file's shared keys:
    ///
    /// ```swift
    /// let body = try file.read { snapshot in
    ///     try store.get(id, in: snapshot)?.currentBody.map {
    ///         try FleeceDocument(validating: $0, sharedKeys: sharedKeys)
    ///     }
    /// }
    /// ```
    public var currentBody: [UInt8]? {
        guard let body, !body.isEmpty else { return nil }
        guard layout == .treeInBody else { return body }
        return body.withUnsafeBytes { bytes in
            do {
                return try RevisionTree.currentBody(in: bytes).map { [UInt8]($0) }
            } catch {
                return body
            }
        }
    }
}
