internal import DataFileCore

/// Where a dump is loaded into, or nothing where it is only checked.
final class LoadTarget {
    /// The path of the database.
    let path: String
    /// Nil if nothing is to be written.
    let database: DataFile?
    /// Blobs are checked by writing them, each for itself.
    private var scratch: DataFile?
    private var scratchPath: String?

    /// Loads into a database.
    init(_ database: DataFile) {
        (self.database, path) = (database, database.path)
    }

    /// Only checks what would go to a path.
    init(dryAt path: String) {
        (database, self.path) = (nil, path)
    }

    deinit {
        scratch?.close()
        if let scratchPath { try? DataFile.delete(path: scratchPath) }
    }

    /// Whether nothing is written.
    var isDry: Bool { database == nil }

    /// Where blobs go.
    func blobs() throws -> BlobStore {
        if let file = database ?? scratch { return file.blobs }
        let path = "\(System.temporaryFolder)/kvtool-load-\(System.nanoseconds).cblite2"
        scratchPath = path
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        scratch = file
        return file.blobs
    }

    /// A blob was found to be whole.
    func forget(_ digest: BlobDigest) {
        guard let scratchPath else { return }
        System.remove("\(scratchPath)/Attachments/\(digest.fileName)")
    }
}
