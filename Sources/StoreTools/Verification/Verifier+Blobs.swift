internal import DataFileCore
internal import SQLCore
internal import StoreFormat

// The files of blobs.
extension Verifier {
    func checkBlobs() throws {
        var sizes: [BlobDigest: Int] = [:]
        for digest in blobUse.listed {
            try context.checkCancellation()
            do {
                guard let size = try blobs.size(digest) else { continue }
                sizes[digest] = size
                if options.level == .full { try checkDigest(digest) }
            } catch let error as StoreError {
                sink.add(.damagedBlob, error.message, blob: digest)
            }
        }
        sink.report.blobs = sizes.count
        sink.report.blobBytes = sizes.values.reduce(0, +)
        checkUnused(sizes)
        try checkOrphans()
    }

    /// Checks for files of another form, left by a crash or by another tool.
    private func checkOrphans() throws {
        for name in blobUse.misnamedFiles.plain.sorted() {
            sink.add(
                .plainBlob,
                "\(BundlePath.attachmentsName)/\(name) is a plaintext file beside its encrypted "
                    + "form, left by a crash; opening the file for writing removes it")
        }
        let encrypted = blobUse.misnamedFiles.encrypted
        guard !encrypted.isEmpty, try StoredBlobKey.stored(in: context) != nil else { return }
        sink.add(
            .encryptedBlobs,
            "the database was decrypted by another tool, but \(encrypted.count) of its blobs are "
                + "encrypted; encrypt it with a key, then decrypt it with DataFile.decrypt or "
                + "kvtool to decrypt them")
    }

    private func checkDigest(_ digest: BlobDigest) throws {
        guard let source = try blobs.source(digest) else { return }
        var hash = SHA1()
        try source.forEachPart { part in
            hash.add(part)
            try context.checkCancellation()
        }
        let found = try BlobDigest(hash)
        guard found != digest else { return }
        sink.add(
            .damagedBlob, "\(blobs.shown(digest)) is damaged: its bytes have the digest \(found)",
            blob: digest)
    }

    private func checkUnused(_ sizes: [BlobDigest: Int]) {
        if let gap = blobUse.gap {
            if !sizes.isEmpty { sink.skip("whether blobs are unused", gap) }
            return
        }
        let unused = blobUse.unused.filter { sizes[$0] != nil }
        guard unused.isEmpty || !blobUse.hasUnreadableDocuments else {
            return sink.skip(
                "whether blobs are unused", "the damaged documents may refer to any blob")
        }
        for digest in unused.sorted(by: { "\($0)" < "\($1)" }) {
            guard let size = sizes[digest] else { continue }
            sink.add(
                .unusedBlob,
                "nothing refers to the blob \(digest) of \(size) bytes; compacting removes it",
                blob: digest)
        }
    }
}
