package import DocumentStore

/// The database that a load fills: the one that is asked for, or where the dump is only checked a
/// copy of it that goes again, so that a check finds what a load would.
package final class LoadTarget {
    /// The path that is asked for.
    let path: String
    package let database: DataFile
    /// Whether the dump is only checked.
    let isDry: Bool
    /// Whether this load has made the database, and nothing of the dump is in it yet.
    private var isEmpty: Bool
    /// Where the database of a check lies.
    private let directory: WorkDirectory?
    /// Blobs that were checked, and their sizes: none of them is kept.
    private var checkedBlobs: [BlobDigest: Int] = [:]

    /// Loads into a database.
    ///
    /// - Parameter isNew: whether no earlier load has begun it.
    package init(_ database: DataFile, isNew: Bool) {
        (self.database, path, isEmpty) = (database, database.path, isNew)
        (isDry, directory) = (false, nil)
    }

    /// Only checks what would go to a path.
    ///
    /// - Parameter open: makes the database of the check at a path.
    package init(dryAt path: String, _ open: (_ path: String) throws -> DataFile) throws {
        let directory = try WorkDirectory(in: System.temporaryDirectory)
        (self.path, isDry, isEmpty) = (path, true, true)
        database = try open(directory.database)
        self.directory = directory
    }

    deinit { if isDry { database.close() } }

    /// A batch is in the database: from now on it stays, however the load ends.
    func keepDatabase() { isEmpty = false }

    /// Removes a database that is of no use to the next load; returns whether nothing is left.
    func removeIfEmpty() -> Bool {
        isDry || isEmpty && NewDatabase.removeIfEmpty(database)
    }

    /// Whether a blob of this length is there already, or was.
    func holds(_ digest: BlobDigest, bytes: Int) throws -> Bool {
        if checkedBlobs[digest] == bytes { return true }
        return try database.blobs.size(of: Blob(digest: digest)) == bytes
    }

    /// A blob was found to be whole; a check needs it no more.
    func note(_ digest: BlobDigest, bytes: Int) {
        guard isDry else { return }
        checkedBlobs[digest] = bytes
        System.remove("\(database.path)/Attachments/\(digest.fileName)")
    }

    /// A message about the database, which people know by the path that is asked for.
    func named(_ message: String) -> String {
        isDry ? message.replacing(database.path, with: path) : message
    }
}
