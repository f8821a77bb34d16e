package import DocumentStore

/// The database that a load fills: the requested one, or for a dry run, a temporary one, so that
/// the check finds the same errors as a load.
package final class LoadTarget {
    /// The requested path.
    let path: String
    package let database: DataFile
    /// Whether this is a dry run.
    let isDry: Bool
    /// Whether this load created the database and has not committed anything from the dump yet.
    private var isEmpty: Bool
    /// The directory of the database of a dry run.
    private let directory: WorkDirectory?
    /// The verified blobs and their sizes. A dry run does not store them.
    private var checkedBlobs: [BlobDigest: Int] = [:]

    /// Creates a target that loads into a database.
    ///
    /// - Parameter isNew: whether this load created the database.
    package init(_ database: DataFile, isNew: Bool) {
        (self.database, path, isEmpty) = (database, database.path, isNew)
        (isDry, directory) = (false, nil)
    }

    /// Creates a target for a dry run.
    ///
    /// - Parameter open: creates the temporary database at a path.
    package init(dryAt path: String, _ open: (_ path: String) throws -> DataFile) throws {
        let directory = try WorkDirectory(in: System.temporaryDirectory)
        (self.path, isDry, isEmpty) = (path, true, true)
        database = try open(directory.database)
        self.directory = directory
    }

    deinit { if isDry { database.close() } }

    /// Records that a batch was committed: from now on the database is kept, however the load ends.
    func keepDatabase() { isEmpty = false }

    /// Removes a database that contains nothing from the dump; returns whether it was removed.
    func removeIfEmpty() -> Bool {
        isDry || isEmpty && NewDatabase.removeIfEmpty(database)
    }

    /// Whether a blob of this length already exists, or was verified.
    func holds(_ digest: BlobDigest, bytes: Int) throws -> Bool {
        if checkedBlobs[digest] == bytes { return true }
        return try database.blobs.size(of: Blob(digest: digest)) == bytes
    }

    /// Records a complete blob, and removes it if this is a dry run.
    func note(_ digest: BlobDigest, bytes: Int) {
        guard isDry else { return }
        checkedBlobs[digest] = bytes
        System.remove("\(database.path)/Attachments/\(digest.fileName)")
    }

    /// Replaces the path of a temporary database in a message by the requested path.
    func named(_ message: String) -> String {
        isDry ? message.replacing(database.path, with: path) : message
    }
}
