internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// What documents refer to, and which blobs nothing refers to.
final class BlobUse {
    private let place: any BlobStorage
    private let sink: VerificationSink
    /// The blobs that there are.
    private(set) var listed: Set<BlobDigest> = []
    /// What stands beside them in another form.
    private(set) var strays = MisnamedBlobFiles()
    private var scan = BlobScan([])
    /// There are some to which no reference was found yet.
    private var isSearching = false
    /// Why it cannot be said that nothing refers to a blob; nil if all rows were looked at.
    var gap: String?
    /// There are documents that cannot be read, which may refer to any blob.
    var hasUnreadableDocuments = false

    init(_ place: any BlobStorage, _ sink: VerificationSink) {
        self.place = place
        self.sink = sink
    }

    /// Lists the blobs, and what stands beside them.
    func list() throws {
        listed = Set(try place.digests())
        scan = BlobScan(listed)
        isSearching = !listed.isEmpty
        strays = try place.strays()
    }

    /// The blobs to which nothing that was looked at refers.
    var unused: Set<BlobDigest> { scan.unused }

    /// Looks for references in a column, in whatever way they stand there.
    @inline(__always)
    func look(at bytes: UnsafeRawBufferPointer) {
        guard isSearching, !bytes.isEmpty else { return }
        scan.look(at: bytes)
        isSearching = !scan.unused.isEmpty
    }

    /// Checks that the blobs are there that a document refers to.
    func check(
        _ properties: FleeceDictionary?, of store: KeyStoreName, key: () -> String
    ) throws {
        guard let properties else { return }
        for blob in Blob.references(in: properties) {
            guard let size = try size(of: blob.digest) else {
                sink.add(
                    .missingBlob, "the blob \(blob.digest) is missing", store: store, key: key(),
                    blob: blob.digest)
                continue
            }
            if let damage = damage(of: blob.digest) {
                sink.add(
                    .damagedBlob, damage, store: store, key: key(), blob: blob.digest)
            } else if let length = blob.length, length != size {
                sink.add(
                    .blobLength,
                    "the blob \(blob.digest) has \(size) bytes, and the document says \(length)",
                    store: store, key: key(), blob: blob.digest)
            }
        }
    }

    /// What is wrong with a file that does not say which blob it is, so that it is not listed; nil
    /// if nothing is.
    private func damage(of digest: BlobDigest) -> String? {
        guard !listed.contains(digest) else { return nil }
        do {
            _ = try place.source(digest)
        } catch let error as StoreError where error.has(.corruptData) {
            return error.message
        } catch {
            return nil
        }
        return nil
    }

    /// What the system refuses to tell of is not there for documents either.
    private func size(of digest: BlobDigest) throws -> Int? {
        do {
            return try place.size(digest)
        } catch is StoreError {
            return nil
        }
    }
}
