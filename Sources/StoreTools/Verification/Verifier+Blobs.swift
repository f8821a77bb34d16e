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
        try checkStrays()
    }

    /// What a crash, or another tool, has left in another form.
    private func checkStrays() throws {
        for name in blobUse.strays.plain.sorted() {
            sink.add(
                .plainBlob,
                "\(BundlePath.attachmentsName)/\(name) is plain, and stands beside its encrypted "
                    + "form; a crash has left it, and the next opening for writing removes it")
        }
        let encrypted = blobUse.strays.encrypted
        guard !encrypted.isEmpty, try StoredBlobKey.stored(in: context) != nil else { return }
        sink.add(
            .encryptedBlobs,
            "the database was decrypted by another tool, and \(encrypted.count) of its blobs are "
                + "encrypted; encrypt it with a key, then decrypt it with DataFile.decrypt or "
                + "kvtool, to have them")
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
                "whether blobs are unused", "the documents that are damaged may refer to any blob")
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
