internal import StoreFormat

/// The result of verifying all blobs.
public struct BlobReport: Hashable, Sendable {
    /// A blob whose bytes do not have the digest in its name.
    public struct Damage: Hashable, Sendable {
        /// The digest in its name.
        public let digest: BlobDigest
        /// Describes the damage and the file, and what to do.
        public let message: String
    }

    /// The number of blobs.
    public internal(set) var count = 0
    /// Their total length in bytes.
    public internal(set) var totalBytes = 0
    /// The damaged blobs, sorted by name.
    public internal(set) var damages: [Damage] = []

    /// Whether no damage was found.
    public var isIntact: Bool { damages.isEmpty }
}

extension BlobStore {
    /// The digests of all blobs, sorted by their text. Ignores files with other names.
    public func digests() throws -> [BlobDigest] {
        try require(false)
        return try storage.digests().map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The number of blobs and their total length in bytes, determined without reading them.
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
    /// Throws `.corruptData` if it does not, otherwise as `open(_:)`.
    public func verify(_ blob: Blob) throws {
        let found = try source(blob).digest()
        guard found == blob.digest else {
            throw StoreError(
                .corruptData,
                "\(storage.shown(blob.digest)) is damaged: its bytes have the digest \(found), not "
                    + "\(blob.digest); put the right bytes again, or restore it from a backup")
        }
    }

    /// Reads all blobs to check that they have the digests in their names.
    ///
    /// Ignores blobs that are removed meanwhile. Damage is reported, not thrown. Throws
    /// `CancellationError`, or an error that prevents it from continuing.
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
                report.damages.append(.init(digest: digest, message: error.message))
            } catch let error as StoreError where error.has(.notFound) {
                continue
            }
        }
        return report
    }
}
