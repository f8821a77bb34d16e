internal import SQLCore
internal import SQLPlus

/// Encrypts and decrypts a bundle in place: the database by a copy that takes its place at one
/// moment, the blobs by files that stand beside the old ones until then.
struct BundleEncryption {
    let bundle: BundlePath

    /// Encrypts a plain database and its blobs.
    func encrypt(_ key: EncryptionKey, _ names: BlobNames) throws {
        try bundle.requireDatabase()
        let plain = folder(nil)
        try rewrite(from: nil, to: key) { copy, made in
            try StoredBlobKey.make(in: copy, names)
            try convert(plain, to: folder(storedCipher(copy)), &made)
        }
        try remove { BlobDigest(fileName: $0) != nil }
    }

    /// Makes a plain database of an encrypted one, and of its blobs.
    func decrypt(_ key: EncryptionKey) throws {
        try bundle.requireDatabase()
        try rewrite(from: key, to: nil) { copy, made in
            if let cipher = try storedCipher(copy) {
                try convert(folder(cipher), to: folder(nil), &made)
            }
            try StoredBlobKey.remove(in: copy)
        }
        try remove { BlobDigest(fileName: $0, suffix: BlobCipher.suffix) != nil }
    }

    /// Gives an encrypted database another key; the blobs have one of their own.
    func rekey(from old: EncryptionKey, to new: EncryptionKey) throws {
        try bundle.requireDatabase()
        let context = try SQLContext(
            path: bundle.database, flags: .readWrite, configuration: .plus(key: old))
        try context.rekey(new)
        try context.close()
    }
}

extension BundleEncryption {
    private func folder(_ cipher: BlobCipher?) -> BlobFolder {
        BlobFolder(
            bundle.attachments, bundle: bundle.folder, graceSeconds: 0, now: { 0 }, cipher: cipher)
    }

    private func storedCipher(_ copy: SQLContext) throws -> BlobCipher? {
        try StoredBlobKey.stored(in: copy).map { try BlobCipher(stored: $0) }
    }

    /// Rewrites the database.
    ///
    /// - Parameter prepare: notes the files of blobs that it makes, which are removed if it fails.
    private func rewrite(
        from old: EncryptionKey?, to new: EncryptionKey?,
        prepare: (SQLContext, inout [String]) throws -> Void
    ) throws {
        // The functions that the schema calls live as long as this.
        var session: Session?
        var made: [String] = []
        do {
            try DatabaseEncryption.rewrite(
                path: FileSystem.resolved(bundle.database), from: old, to: new,
                setUp: {
                    session = try Session(context: $0, path: bundle.folder)
                    try session?.prepareForMaintenance()
                },
                prepare: { try prepare($0, &made) })
        } catch {
            if let folder = try? OpenFolder(bundle.attachments) {
                for name in made { try? folder.remove(name) }
            }
            throw error
        }
        withExtendedLifetime(session) {}
    }

    /// Writes each blob once more in the other form, with the digest that it is named by.
    private func convert(
        _ source: BlobFolder, to target: BlobFolder, _ made: inout [String]
    ) throws {
        for digest in try source.digests() {
            guard let bytes = try source.source(digest) else { continue }
            let draft = try target.draft()
            defer { draft.discard() }
            try bytes.forEachPart { try draft.write($0) }
            made.append(target.fileName(digest))
            try draft.install(digest, length: bytes.length)
        }
    }

    /// Removes the files of the form that the database does not have any more.
    private func remove(_ isOld: (String) -> Bool) throws {
        guard let folder = try OpenFolder(bundle.attachments) else { return }
        var names: [String] = []
        try folder.forEachName { if isOld($0) { names.append($0) } }
        for name in names { try folder.remove(name) }
        try folder.sync()
    }
}
