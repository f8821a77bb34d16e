/// Where a row stores its revisions; rows of one file may differ, since upgrades are lazy.
public enum RecordLayout: Sendable {
    /// 2.x: `body` is a revision tree that holds all bodies.
    case treeInBody
    /// 3.x: `body` is the current body, `extra` the revision tree.
    case treeInExtra
    /// 4.x: `version` is a version vector, `body` the current body.
    case versionVector
}

extension Record {
    /// Where this row stores its revisions.
    ///
    /// Requires the content `.all` for a row without a version vector.
    public var layout: RecordLayout {
        if VersionVector.isVector(version) { return .versionVector }
        guard extraSize == 0, let body, body.withUnsafeBytes(RevisionTree.hasOutline) else {
            return .treeInExtra
        }
        return .treeInBody
    }

    /// The current revision; nil for a raw record, which has none.
    ///
    /// Throws `.corruptRevisionData`.
    public func revisionID() throws -> RevisionID? {
        version.isEmpty ? nil : try RevisionID(binary: version)
    }

    /// The Fleece of the current revision; nil if it has no properties.
    ///
    /// Requires the content `.all`. For a damaged tree it is the whole column, which is not Fleece.
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
