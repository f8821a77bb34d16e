internal import StoreFormat

/// The result of verifying all blobs.
///
/// ```swift
/// let report = try file.blobs.verifyAll()
/// for blob in report.damagedBlobs { show(blob.message) }
/// ```
///
/// ``BlobStore/verifyAll()`` returns it. A blob that documents refer to but that does not exist is
/// not reported as damage; look for it with ``BlobStore/contains(_:)``.
public struct BlobReport: Hashable, Sendable {
    /// A blob whose bytes do not have the digest in its name.
    public struct Damage: Hashable, Sendable {
        /// The digest in its name.
        public let digest: BlobDigest
        /// Describes the damage and the file, and what to do.
        public let message: String
    }

    /// The number of blobs that were read, the damaged ones included.
    public internal(set) var count = 0
    /// Their total length in bytes.
    public internal(set) var totalBytes = 0
    /// The damaged blobs, sorted by name.
    public internal(set) var damagedBlobs: [Damage] = []

    /// Whether no damage was found.
    public var isIntact: Bool { damagedBlobs.isEmpty }
}

extension BlobStore {
    /// The digests of all blobs, sorted by their text. Ignores files with other names.
    ///
    /// ```swift
    /// let total = try file.blobs.digests().count
    /// ```
    ///
    /// Reads the names in the directory; in an encrypted database also a part of each file, and
    /// skips damaged ones, which do not show their digest.
    ///
    /// - Throws: ``StoreError/Code/notOpen``, or the system's error in the domain
    ///   ``StoreError/Domain/posix``.
    public func digests() throws -> [BlobDigest] {
        try require(false)
        return try storage.digests().map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The number of blobs and their total length in bytes, determined without reading them.
    ///
    /// ```swift
    /// let (count, bytes) = try file.blobs.usage()
    /// show("\(count) blobs, \(bytes) bytes")
    /// ```
    ///
    /// Includes unused blobs that `DataFile.compact` has not removed yet. Throws as ``digests()``.
    public func usage() throws -> (count: Int, totalBytes: Int) {
        var usage = (count: 0, totalBytes: 0)
        for digest in try digests() {
            guard let size = try storage.size(digest) else { continue }
            usage.count += 1
            usage.totalBytes += size
        }
        return usage
    }

    /// Reads a blob to check that it has the digest and length of the reference.
    ///
    /// ```swift
    /// do {
    ///     try file.blobs.verify(photo)
    /// } catch let error as StoreError where error.has(.corruptData) {
    ///     show("damaged", error.message)
    /// }
    /// ```
    ///
    /// - Parameter blob: the reference, as read from a document.
    /// - Throws: ``StoreError/Code/corruptData`` if it does not; otherwise as ``open(_:)``.
    public func verify(_ blob: Blob) throws {
        let found = try source(blob).digest()
        guard found == blob.digest else {
            throw StoreError(
                .corruptData,
                "\(storage.shown(blob.digest)) is damaged: its bytes have the digest \(found), not "
                    + "\(blob.digest); restore the file from a backup, or put the "
                    + "original bytes again")
        }
    }

    /// Reads all blobs to check that they have the digests in their names.
    ///
    /// Ignores blobs that are removed meanwhile. Reads every byte, in parts of bounded size; in a
    /// task, it ends when the task is cancelled.
    ///
    /// ```swift
    /// if try !file.blobs.verifyAll().isIntact { show("restore the blobs from a backup") }
    /// ```
    ///
    /// - Returns: the damage, which is reported, not thrown.
    /// - Throws: `CancellationError`, or an error that prevents it from continuing.
    public func verifyAll() throws -> BlobReport {
        var report = BlobReport()
        for digest in try digests() {
            try Task.checkCancellation()
            do {
                guard let size = try storage.size(digest) else { continue }
                try verify(Blob(digest: digest))
                report.count += 1
                report.totalBytes += size
            } catch let error as StoreError where error.has(.corruptData) {
                report.count += 1
                report.totalBytes += try storage.size(digest) ?? 0
                report.damagedBlobs.append(.init(digest: digest, message: error.message))
            } catch let error as StoreError where error.has(.notFound) {
                continue
            }
        }
        return report
    }
}
