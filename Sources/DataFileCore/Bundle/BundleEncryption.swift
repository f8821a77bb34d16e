internal import SQLCore
internal import StoreFormat

/// Encrypts and decrypts a bundle in place: the database by a copy that takes its place at one
/// moment, the blobs by files that stand beside the old ones until then.
struct BundleEncryption {
    let bundle: BundlePath

    /// Encrypts a plain database and its blobs.
    func encrypt(_ key: any DatabaseKey, _ names: BlobNames) throws {
        try bundle.requireDatabase()
        try rewrite(key, .encrypt) { copy, files in
            // With a key in the database encrypted blobs belong to it. Without one they are those
            // of an encryption that a crash has ended, and nobody can read them.
            let hasKey = try StoredBlobKey.stored(in: copy) != nil
            let strays = try hasKey ? [] : directory(nil).strays().encrypted
            try StoredBlobKey.make(in: copy, names)
            try convert(directory(nil), to: directory(storedCipher(copy, key)), &files)
            files.old += Set(strays).subtracting(files.new)
        }
    }

    /// Makes a plain database of an encrypted one, and of its blobs.
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

    /// Gives an encrypted database another key; the blobs have one of their own.
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
            bundle.attachments, bundle: bundle.directory, graceSeconds: 0, now: { 0 }, cipher: cipher)
    }

    private func storedCipher(
        _ copy: SQLContext, _ key: any DatabaseKey
    ) throws -> BlobCipher? {
        try StoredBlobKey.stored(in: copy).map { try BlobCipher(stored: $0, key) }
    }

    /// The files of the blobs that are converted.
    private struct BlobFiles {
        /// Those of the old form.
        var old: [String] = []
        /// Those of the new form, which stand beside them.
        var new: [String] = []
    }

    /// Rewrites the database, and removes the files of blobs that are of no use then: the old ones,
    /// or if it fails the new ones.
    private func rewrite(
        _ key: any DatabaseKey, _ direction: EncryptionDirection,
        prepare: (SQLContext, inout BlobFiles) throws -> Void
    ) throws {
        // The functions that the schema calls live as long as this.
        var session: Session?
        var files = BlobFiles()
        do {
            try key.convert(
                bundle.databaseFile, direction,
                setUp: {
                    session = try Session(context: $0, path: bundle.directory)
                    try session?.prepareForMaintenance()
                },
                prepare: { try prepare($0, &files) })
        } catch let error as SQLError where error.encryption?.isConverted == true {
            // Nobody knows which of both the disk will have.
            throw error
        } catch {
            try? remove(files.new)
            throw error
        }
        withExtendedLifetime(session) {}
        do {
            try remove(files.old)
        } catch {
            throw EncryptionError.converted(
                but: "not all blobs of the old form could be removed (\(error)); compact it once "
                    + "they are as old as unused blobs must be")
        }
    }

    /// Checks that no blob would be left behind because a link or the like is in its place.
    ///
    /// Throws `.unsupported`.
    private func requireFiles(_ source: BlobDirectory) throws {
        guard let name = try source.irregularFiles().min() else { return }
        throw StoreError(
            .unsupported,
            "\(source.path)/\(name) is a link, directory or device in the place of a blob; put the "
                + "file itself there, or remove it to go on without it")
    }

    /// Checks that each file that does not say which blob it is belongs to none that a document
    /// refers to.
    private func requireSound(_ source: BlobDirectory, _ copy: SQLContext) throws {
        guard let isDamaged = try source.damaged() else { return }
        let collector = BlobCollector(context: copy, place: source)
        if let blob = try collector.reference(where: isDamaged) {
            throw EncryptedSource.damage(source.shown(blob))
        }
    }

    /// Writes each blob once more in the other form, with the digest that it is named by.
    ///
    /// Throws `.corruptData` for a plain one with other bytes, which would be sealed as sound.
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
                + "bytes again, restore it from a backup, or move it away to go on without it")
    }

    private func remove(_ files: [String]) throws {
        guard !files.isEmpty, let directory = try OpenDirectory(bundle.attachments) else { return }
        for name in files { try directory.remove(name) }
        try directory.sync()
    }
}
