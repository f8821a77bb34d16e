internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

/// Encrypts and decrypts a bundle in place: the database by a copy that replaces it atomically, the
/// blobs by files written next to the old ones before that.
struct BundleEncryption {
    let bundle: BundlePath

    /// Encrypts a plaintext database and its blobs.
    func encrypt(_ key: any DatabaseKey, _ names: BlobNames) throws {
        try bundle.requireDatabase()
        try rewrite(key, .encrypt) { copy, files in
            // If the database has a key, encrypted blobs belong to it. Otherwise they are leftovers
            // of an encryption that crashed, and cannot be read.
            let hasKey = try StoredBlobKey.stored(in: copy) != nil
            let leftovers = try hasKey ? [] : directory(nil).misnamedFiles().encrypted
            try StoredBlobKey.make(in: copy, names)
            try convert(directory(nil), to: directory(storedCipher(copy, key)), &files)
            files.old += Set(leftovers).subtracting(files.new)
        }
    }

    /// Decrypts an encrypted database and its blobs.
    func decrypt(_ key: any DatabaseKey) throws {
        try bundle.requireDatabase()
        try rewrite(key, .decrypt) { copy, files in
            if let cipher = try storedCipher(copy, key) {
                try requireFiles(directory(cipher))
                try requireSound(directory(cipher), copy)
                try convert(directory(cipher), to: directory(nil), &files)
            }
            try StoredBlobKey.remove(in: copy)
        }
    }

    /// Changes the key of an encrypted database; the blobs have a separate key.
    func rekey(from old: any DatabaseKey, to new: any DatabaseKey) throws {
        try bundle.requireDatabase()
        let context = try bundle.connect(.readWrite, old.encrypting(.platform))
        try new.rekey(context)
        try context.close()
    }
}

extension BundleEncryption {
    private func directory(_ cipher: BlobCipher?) -> BlobDirectory {
        BlobDirectory(
            bundle.attachments, bundle: bundle.directory, graceSeconds: 0, now: { 0 },
            cipher: cipher)
    }

    private func storedCipher(
        _ copy: SQLContext, _ key: any DatabaseKey
    ) throws -> BlobCipher? {
        try StoredBlobKey.stored(in: copy).map { try BlobCipher(stored: $0, key) }
    }

    /// The files of the converted blobs.
    private struct BlobFiles {
        /// Those of the old form.
        var old: [String] = []
        /// Those of the new form, next to the old ones.
        var new: [String] = []
    }

    /// Rewrites the database, then removes the blob files that are no longer needed: the old ones,
    /// or on failure the new ones.
    private func rewrite(
        _ key: any DatabaseKey, _ direction: EncryptionDirection,
        prepare: (SQLContext, inout BlobFiles) throws -> Void
    ) throws {
        // Retains the functions that the schema calls.
        var functions: FunctionContext?
        var files = BlobFiles()
        do {
            try key.convert(
                bundle.databaseFile, direction,
                setUp: {
                    functions = try .forMaintenance(of: $0, path: bundle.directory)
                },
                prepare: { try prepare($0, &files) })
        } catch let error as SQLError where error.encryption?.isConverted == true {
            // It is unknown which of the two databases will be on disk.
            throw error
        } catch {
            try? remove(files.new)
            throw error
        }
        withExtendedLifetime(functions) {}
        do {
            try remove(files.old)
        } catch {
            throw EncryptionError.converted(
                but: "not all blobs of the old form could be removed (\(error)); compact it after "
                    + "the grace period of unused blobs")
        }
    }

    /// Checks that no blob would be skipped because a link or directory has its name.
    ///
    /// Throws `.unsupported`.
    private func requireFiles(_ source: BlobDirectory) throws {
        guard let name = try source.irregularFiles().min() else { return }
        throw StoreError(
            .unsupported,
            "\(source.path)/\(name) is a link, directory or device, not the file of a blob; put "
                + "the file itself there, or remove it to continue without the blob")
    }

    /// Checks that no document refers to a blob that may be in an unidentifiable file.
    private func requireSound(_ source: BlobDirectory, _ copy: SQLContext) throws {
        guard let isDamaged = try source.damaged() else { return }
        let collector = BlobCollector(context: copy, storage: source)
        if let blob = try collector.reference(where: isDamaged) {
            throw EncryptedSource.damage(source.shown(blob))
        }
    }

    /// Writes each blob again in the other form, under the digest in its name.
    ///
    /// Throws `.corruptData` for a damaged plaintext blob, since sealing would make it look intact.
    private func convert(
        _ source: BlobDirectory, to target: BlobDirectory, _ files: inout BlobFiles
    ) throws {
        try requireFiles(source)
        for digest in try source.digests() {
            guard let file = try OpenDirectory(source.path)?.file(source.fileName(digest)) else {
                continue
            }
            let bytes = try source.source(file, digest)
            let draft = try target.draft(like: file)
            defer { draft.discard() }
            var hash = SHA1()
            try bytes.forEachPart { part in
                try Task.checkCancellation()
                hash.add(part)
                try draft.write(part)
            }
            if source.cipher == nil { try require(BlobDigest(hash), digest, source) }
            files.new.append(target.fileName(digest))
            try draft.install(digest, length: bytes.length)
            files.old.append(source.fileName(digest))
        }
    }

    private func require(
        _ found: BlobDigest, _ digest: BlobDigest, _ source: BlobDirectory
    ) throws {
        guard found != digest else { return }
        throw StoreError(
            .corruptData,
            "\(source.shown(digest)) is damaged: its bytes have the digest \(found); put the same "
                + "bytes again, restore it from a backup, or move it away to continue without it")
    }

    private func remove(_ files: [String]) throws {
        guard !files.isEmpty, let directory = try OpenDirectory(bundle.attachments) else { return }
        for name in files { try directory.remove(name) }
        try directory.sync()
    }
}
