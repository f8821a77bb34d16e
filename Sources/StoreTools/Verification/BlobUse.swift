internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Collects which blobs documents refer to, and which blobs nothing refers to.
final class BlobUse {
    private let storage: any BlobStorage
    private let sink: VerificationSink
    /// The existing blobs.
    private(set) var listed: Set<BlobDigest> = []
    /// Files among the blobs that have another form.
    private(set) var misnamedFiles = MisnamedBlobFiles()
    private var scan = BlobScan([])
    /// Whether there are blobs to which no reference was found yet.
    private var isSearching = false
    /// The reason why unused blobs cannot be determined; nil if all rows were read.
    var gap: String?
    /// Whether there are unreadable documents, which may refer to any blob.
    var hasUnreadableDocuments = false

    init(_ storage: any BlobStorage, _ sink: VerificationSink) {
        self.storage = storage
        self.sink = sink
    }

    /// Lists the blobs and the files of another form.
    func list() throws {
        listed = Set(try storage.digests())
        scan = BlobScan(listed)
        isSearching = !listed.isEmpty
        misnamedFiles = try storage.misnamedFiles()
    }

    /// The blobs to which no reference was found so far.
    var unused: Set<BlobDigest> { scan.unused }

    /// Searches a column for references in any form.
    @inline(__always)
    func look(at bytes: UnsafeRawBufferPointer) {
        guard isSearching, !bytes.isEmpty else { return }
        scan.look(at: bytes)
        isSearching = !scan.unused.isEmpty
    }

    /// Checks that the blobs to which a document refers exist.
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
                    "the blob \(blob.digest) has \(size) bytes, but the document specifies "
                        + "\(length)",
                    store: store, key: key(), blob: blob.digest)
            }
        }
    }

    /// The damage of a file that cannot be identified as a blob and is therefore not listed; nil if
    /// there is none.
    private func damage(of digest: BlobDigest) -> String? {
        guard !listed.contains(digest) else { return nil }
        do {
            _ = try storage.source(digest)
        } catch let error as StoreError where error.has(.corruptData) {
            return error.message
        } catch {
            return nil
        }
        return nil
    }

    /// The size of a blob. If the system denies access, documents cannot read it either.
    private func size(of digest: BlobDigest) throws -> Int? {
        do {
            return try storage.size(digest)
        } catch is StoreError {
            return nil
        }
    }
}
