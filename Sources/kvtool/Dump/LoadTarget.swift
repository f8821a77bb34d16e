internal import DataFileCore

/// Where a dump is loaded into, or nothing where it is only checked.
final class LoadTarget {
    /// The path of the database.
    let path: String
    /// Nil if nothing is to be written.
    let database: DataFile?
    /// Whether this load has made the database, and nothing of the dump is in it yet.
    private var isEmpty: Bool
    /// Blobs are checked by writing them, each for itself.
    private var scratch: DataFile?
    private var scratchPath: String?

    /// Loads into a database.
    ///
    /// - Parameter isNew: whether no earlier load has begun it.
    init(_ database: DataFile, isNew: Bool) {
        (self.database, path, isEmpty) = (database, database.path, isNew)
    }

    /// Only checks what would go to a path.
    init(dryAt path: String) {
        (database, self.path, isEmpty) = (nil, path, false)
    }

    deinit {
        scratch?.close()
        if let scratchPath { try? DataFile.delete(path: scratchPath) }
    }

    /// Whether nothing is written.
    var isDry: Bool { database == nil }

    /// A batch is in the database: from now on it stays, however the load ends.
    func keepDatabase() { isEmpty = false }

    /// Removes a database that is of no use to the next load; returns whether it is gone.
    func removeIfEmpty() -> Bool {
        guard isEmpty, let database else { return false }
        return NewDatabase.removeIfEmpty(database)
    }

    /// Where blobs go.
    func blobs() throws -> BlobStore {
        if let file = database ?? scratch { return file.blobs }
        let path = "\(System.temporaryFolder)/kvtool-load-\(System.nanoseconds).cblite2"
        scratchPath = path
        let file = try System.restrictingNewFiles(toOwner: true) {
            try DataFile(path: path, options: DataFileOptions(access: .create))
        }
        scratch = file
        return file.blobs
    }

    /// A blob was found to be whole.
    func forget(_ digest: BlobDigest) {
        guard let scratchPath else { return }
        System.remove("\(scratchPath)/Attachments/\(digest.fileName)")
    }
}
