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
