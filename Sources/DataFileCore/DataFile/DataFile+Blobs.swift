extension DataFile {
    /// The bytes that documents refer to: photos, sounds, whatever is too large for a document.
    ///
    /// It keeps this handle open.
    public var blobs: BlobStore {
        let bundle = BundlePath(path)
        return BlobStore(
            shared.blobs,
            forbidden: shared.isInMemory ? [] : [bundle.database, bundle.log, bundle.logIndex]
        ) { [self] writing in
            guard writing else {
                _ = try requireOpen()
                return
            }
            try requireWriter().requireInPlace()
        }
    }
}

extension BlobFolder {
    /// The blobs of a bundle that was opened with these options.
    ///
    /// - Parameter cipher: nil if the database is not encrypted.
    convenience init(
        _ path: String, bundle: String, _ options: DataFileOptions, cipher: BlobCipher?
    ) {
        self.init(
            path, bundle: bundle, graceSeconds: options.blobGraceSeconds, now: options.now,
            cipher: cipher, fault: options.blobFault)
    }
}
