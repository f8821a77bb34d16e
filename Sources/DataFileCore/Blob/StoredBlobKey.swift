package import SQLCore
internal import StoreFormat

/// The key of the blobs, a row of the encrypted database: it stays when the database gets
/// another key, so that no blob must be encrypted anew.
package enum StoredBlobKey {
    /// What encrypts the blobs of a file; nil if the file is not encrypted.
    ///
    /// Made and stored where it is missing and the file may be written; without it a file that is
    /// only read has no blobs.
    static func cipher(
        in context: SQLContext, _ options: DataFileOptions
    ) throws -> BlobCipher? {
        guard let key = options.encryption else { return nil }
        if options.access != .readOnly { try make(in: context, options.blobNames) }
        guard let stored = try stored(in: context) else {
            return try BlobCipher(stored: BlobCipher.newStored(options.blobNames), key)
        }
        return try BlobCipher(stored: stored, key)
    }

    /// Makes a key unless there is one.
    static func make(in context: SQLContext, _ names: BlobNames) throws {
        guard try stored(in: context) == nil else { return }
        try context.transaction(.immediate) {
            // Another process may have come first.
            guard try stored(in: context) == nil else { return }
            try ForeignSchema.requireNoTriggersOfInfo(in: context)
            try InfoRow.set(InfoKey.blobKey, to: BlobCipher.newStored(names), in: context)
        }
    }

    /// Takes it out of a database that is not encrypted any more; its bytes are overwritten.
    static func remove(in context: SQLContext) throws {
        try ForeignSchema.requireNoTriggersOfInfo(in: context)
        try context.exec(sql: "PRAGMA secure_delete=on")
        try context.exec(sql: SchemaSQL.removeInfo, parameters: [.text(InfoKey.blobKey)])
    }

    package static func stored(in context: SQLContext) throws -> [UInt8]? {
        try StoreTable.info(InfoKey.blobKey, in: context)
    }
}
