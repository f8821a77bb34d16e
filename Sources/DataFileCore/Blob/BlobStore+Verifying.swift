internal import StoreFormat

/// What a look at all blobs has found.
public struct BlobReport: Hashable, Sendable {
    /// A blob whose bytes are not those that it is named by.
    public struct Damage: Hashable, Sendable {
        /// The name.
        public let digest: BlobDigest
        /// What is wrong with which file, and what to do.
        public let message: String
    }

    /// How many blobs there are.
    public internal(set) var count = 0
    /// How many bytes they have.
    public internal(set) var totalBytes = 0
    /// The damaged ones, sorted by name.
    public internal(set) var damages: [Damage] = []

    /// Whether no damage was found.
    public var isIntact: Bool { damages.isEmpty }
}

extension BlobStore {
    /// The digests of all blobs, sorted by their text. Files with other names are passed over.
    public func digests() throws -> [BlobDigest] {
        try require(false)
        return try place.digests().map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// How many blobs there are, and how many bytes they have; none of them is read.
    public func usage() throws -> (count: Int, totalBytes: Int) {
        var usage = (count: 0, totalBytes: 0)
        for digest in try digests() {
            guard let size = try place.size(digest) else { continue }
            usage.count += 1
            usage.totalBytes += size
        }
        return usage
    }

    /// Reads a blob to see whether it has the digest and length that the reference says.
    ///
    /// Throws `.corruptData` if not, otherwise as `open(_:)`.
    public func verify(_ blob: Blob) throws {
        let found = try source(blob).digest()
        guard found == blob.digest else {
            throw StoreError(
                .corruptData,
                "\(place.shown(blob.digest)) is damaged: its bytes have the digest \(found), not "
                    + "\(blob.digest); put the right bytes again, or restore it from a backup")
        }
    }

    /// Reads all blobs to see whether they have the digests that they are named by.
    ///
    /// One that is removed meanwhile is passed over. Throws `CancellationError`, or an error that
    /// keeps it from going on; damage is none.
    public func verifyAll() throws -> BlobReport {
        var report = BlobReport()
        for digest in try digests() {
            try Task.checkCancellation()
            do {
                guard let size = try place.size(digest) else { continue }
                try verify(Blob(digest: digest))
                report.count += 1
                report.totalBytes += size
            } catch let error as StoreError where error.has(.corruptData) {
                report.count += 1
                report.totalBytes += try place.size(digest) ?? 0
                report.damages.append(.init(digest: digest, message: error.message))
            } catch let error as StoreError where error.has(.notFound) {
                continue
            }
        }
        return report
    }
}
