public import DataFileCore
internal import FleeceLite
public import StoreFormat

extension Snapshot {
    /// Enumerates the records that refer to blobs with their blobs, store by store and by key,
    /// tombstones last.
    ///
    /// This includes all stored revisions of a document, and those that remotes are known to have.
    /// Each blob is reported once per document. For a record of a raw store, and for a damaged
    /// document or file, it reports the digests that occur in the bytes.
    ///
    /// ```swift
    /// var users: [BlobDigest: [String]] = [:]
    /// try file.read { snapshot in
    ///     try snapshot.blobReferences { store, key, blob in
    ///         users[blob.digest, default: []].append("\(store.rawName)/\(key)")
    ///     }
    /// }
    /// ```
    ///
    /// It reads all rows, but decodes only those that contain a digest.
    ///
    /// - Parameter body: called with each reference: the store, the key of the record, and the
    ///   blob.
    /// - Throws: the errors of `body`, which end the enumeration; `StoreError` if rows cannot be
    ///   read.
    public func blobReferences(
        _ body: (_ store: KeyStoreName, _ key: String, _ blob: Blob) throws -> Void
    ) throws {
        for name in try keyStoreNames() where try connection().isStore(name) {
            try KeyStore(name).forEachStoredRow(in: self) { row in
                guard row.mayReferToBlobs else { return true }
                let stored = row.copy()
                for blob in blobs(of: stored, in: name) { try body(name, stored.key, blob) }
                return true
            }
        }
    }

    /// The referenced blobs whose files are so damaged that they cannot be identified, sorted by
    /// digest; `BlobStore.digests` skips them.
    ///
    /// ```swift
    /// let damaged = try file.read { try $0.damagedBlobs(in: file.blobs) }
    /// for digest in damaged { show("cannot be read:", digest) }
    /// ```
    ///
    /// Only an encrypted database can have such files. If there is one, this reads all rows.
    ///
    /// - Parameter store: the blobs of this file.
    /// - Returns: the digests; empty in a plaintext database, in which `BlobStore.verify` finds
    ///   damage.
    /// - Throws: `StoreError`, for example with the code `notOpen` after the file was closed.
    public func damagedBlobs(in store: BlobStore) throws -> [BlobDigest] {
        try store.require(false)
        let context = try connection().context
        guard let isDamaged = try store.storage.damaged() else { return [] }
        var found: Set<BlobDigest> = []
        _ = try BlobCollector(context: context, storage: store.storage).reference { digest in
            if isDamaged(digest) { found.insert(digest) }
            return false
        }
        return found.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func blobs(of row: StoredRow, in store: KeyStoreName) -> [Blob] {
        var seen: Set<Blob> = []
        var blobs: [Blob] = []
        let keys = store.isCollection ? try? requireSharedKeys() : nil
        let history = keys.flatMap { try? DocumentHistory(row.record, sharedKeys: $0) }
        let found = (try? history?.blobs()) ?? row.digests.map { Blob(digest: $0) }
        for blob in found where seen.insert(blob).inserted { blobs.append(blob) }
        return blobs
    }
}

extension DocumentHistory {
    /// The references in all stored bodies, those in the current one first.
    fileprivate func blobs() throws -> [Blob] {
        var bodies = [body?.root.dictionary]
        switch form {
        case .tree(let tree):
            bodies += try tree.revisions.dropFirst().map { revision in
                try revision.body.flatMap { $0.isEmpty ? nil : try document($0).root.dictionary }
            }
        case .vector(_, let remotes):
            bodies += remotes.all.flatMap { [$0.properties, $0.base?.properties] }
        }
        return bodies.flatMap { properties in
            properties.map { Blob.references(in: $0) } ?? []
        }
    }
}

extension StoredRowView {
    /// Whether the common prefix of all digests occurs in the bytes.
    fileprivate var mayReferToBlobs: Bool {
        let prefix = Array(BlobDigest.prefix.utf8)
        if withBody({ $0?.offset(of: prefix) != nil }) { return true }
        return withExtra { $0?.offset(of: prefix) != nil }
    }
}

extension StoredRow {
    /// The digests that occur anywhere in the bytes.
    fileprivate var digests: [BlobDigest] {
        let prefix = Array(BlobDigest.prefix.utf8)
        return [body, extra].compactMap(\.self).flatMap { column in
            column.withUnsafeBytes { bytes in
                var digests: [BlobDigest] = []
                var start = 0
                while let offset = bytes.offset(of: prefix, from: start) {
                    start = offset + prefix.count
                    if let digest = BlobDigest(found: bytes, at: start) { digests.append(digest) }
                }
                return digests
            }
        }
    }
}
