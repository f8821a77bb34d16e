public import DataFileCore
internal import FleeceLite
public import StoreFormat

extension Snapshot {
    /// Tells which records refer to which blobs, store by store, by key, tombstones last.
    ///
    /// All revisions of a document count whose bodies are kept, and what remotes are known to have;
    /// each blob comes once for a document. Of a record of a raw store, and of a damaged document
    /// or file, it is the digests that stand in its bytes. It reads all rows; only those in which
    /// a digest stands are decoded.
    ///
    /// Throws what `body` throws.
    public func blobReferences(
        _ body: (_ store: KeyStoreName, _ key: String, _ blob: Blob) throws -> Void
    ) throws {
        for name in try keyStoreNames() where try session().isStore(name) {
            try KeyStore(name).forEachStoredRow(in: self) { row in
                guard row.mayReferToBlobs else { return true }
                let stored = row.copy()
                for blob in blobs(of: stored, in: name) { try body(name, stored.key, blob) }
                return true
            }
        }
    }

    /// The blobs that records refer to and whose files are so damaged that they do not say which
    /// blobs they are, sorted by their text; `BlobStore.digests()` passes over them.
    ///
    /// Only an encrypted database can have such files; where there is one, all rows are read.
    ///
    /// - Parameter store: the blobs of this file.
    public func damagedBlobs(in store: BlobStore) throws -> [BlobDigest] {
        try store.require(false)
        let context = try session().context
        guard let isDamaged = try store.place.damaged() else { return [] }
        var found: Set<BlobDigest> = []
        _ = try BlobCollector(context: context, place: store.place).reference { digest in
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
    /// The references of all bodies that are kept, the current one's first.
    fileprivate func blobs() throws -> [Blob] {
        var bodies = [body?.root.dictionary]
        switch form {
        case .tree(let tree):
            bodies += try tree.revisions.dropFirst().map { revision in
                try revision.body.flatMap { $0.isEmpty ? nil : try document($0).root.dictionary }
            }
        case .vector(_, let remotes):
            bodies += remotes.all.map(\.properties)
        }
        return bodies.flatMap { properties in
            properties.map { Blob.references(in: $0) } ?? []
        }
    }
}

extension StoredRowView {
    /// Whether what every digest begins with stands in it.
    fileprivate var mayReferToBlobs: Bool {
        let prefix = Array(BlobDigest.prefix.utf8)
        if withBody({ $0?.offset(of: prefix) != nil }) { return true }
        return withExtra { $0?.offset(of: prefix) != nil }
    }
}

extension StoredRow {
    /// The digests that stand in its bytes, in whatever way.
    fileprivate var digests: [BlobDigest] {
        let prefix = Array(BlobDigest.prefix.utf8)
        return [body, extra].compactMap(\.self).flatMap { column in
            column.withUnsafeBytes { bytes in
                var digests: [BlobDigest] = []
                var start = 0
                while let place = bytes.offset(of: prefix, from: start) {
                    start = place + prefix.count
                    if let digest = BlobDigest(found: bytes, at: start) { digests.append(digest) }
                }
                return digests
            }
        }
    }
}
