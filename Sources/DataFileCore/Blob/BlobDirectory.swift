internal import SQLCore
package import StoreFormat
internal import StorePlatform

/// The blobs of a database on disk: the directory `Attachments` of its bundle.
///
/// Operations that must not run during a garbage collection hold a shared lock on the directory;
/// the garbage collection locks it exclusively. The locks are only held briefly (`docs/blobs.md`).
package final class BlobDirectory: BlobStorage {
    /// The directory of blobs, created with the first blob.
    let path: String
    /// Its parent directory.
    private let bundle: String
    let graceMilliseconds: Int64
    let now: @Sendable () -> Int64
    /// Called before each step, for tests; an error that it throws is the failure of the step.
    private let fault: (@Sendable (BlobStep) throws -> Void)?
    let pins: BlobPins
    /// Nil if blobs are not encrypted.
    let cipher: BlobCipher?
    /// Whether the directory's entry in the bundle is known to be on disk.
    private let isBundleSynced = Locked(false)

    /// The prefix of unfinished blobs' files, the same as LiteCore's.
    static let draftPrefix = "incoming_"

    package init(
        _ path: String, bundle: String, graceSeconds: Int, now: @escaping @Sendable () -> Int64,
        cipher: BlobCipher? = nil, fault: (@Sendable (BlobStep) throws -> Void)? = nil
    ) {
        self.path = path
        self.bundle = bundle
        graceMilliseconds = Int64(graceSeconds).multipliedReportingOverflow(by: 1000).partialValue
        self.now = now
        self.fault = fault
        self.cipher = cipher
        pins = BlobPins(graceSeconds: graceSeconds)
    }

    package func shown(_ digest: BlobDigest) -> String { "\(path)/\(fileName(digest))" }

    package func size(_ digest: BlobDigest) throws -> Int? {
        guard let status = try OpenDirectory(path)?.status(fileName(digest)), status.entry == .file
        else { return nil }
        return cipher == nil ? status.size : BlobCipher.length(ofStored: status.size) ?? 0
    }

    package func source(_ digest: BlobDigest) throws -> (any BlobSource)? {
        try OpenDirectory(path)?.file(fileName(digest)).map { try source($0, digest) }
    }

    func source(_ file: OpenFile, _ digest: BlobDigest) throws -> any BlobSource {
        guard let cipher else { return try FileSource(file) }
        return try EncryptedSource(file, cipher, of: digest)
    }

    /// The name of a blob's file.
    func fileName(_ digest: BlobDigest) -> String {
        cipher?.fileName(digest) ?? digest.fileName
    }

    /// The blob in a file of this name; nil if the file is not a blob's. An encrypted file contains
    /// the digest of its blob.
    ///
    /// Throws the system's error; a damaged file is not treated as a blob's.
    func digest(ofFile name: String, in directory: OpenDirectory) throws -> BlobDigest? {
        guard let cipher else { return BlobDigest(fileName: name) }
        guard isEncryptedBlob(name), directory.status(name)?.entry == .file,
            let file = try directory.file(name)
        else { return nil }
        do {
            let digest = try EncryptedSource(file, cipher).statedDigest
            return cipher.fileName(digest) == name ? digest : nil
        } catch let error as StoreError where error.has(.corruptData) {
            return nil
        }
    }

    package func digests() throws -> [BlobDigest] {
        guard let directory = try OpenDirectory(path) else { return [] }
        var digests: [BlobDigest] = []
        try directory.forEachName { name in
            guard let digest = try digest(ofFile: name, in: directory),
                directory.status(name)?.entry == .file
            else { return }
            digests.append(digest)
        }
        return digests
    }

    func isEncryptedBlob(_ name: String) -> Bool {
        cipher != nil && BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil
    }

    func step(_ step: BlobStep) throws { try fault?(step) }
}

// Installing.
extension BlobDirectory {
    /// The directory, created if it does not exist.
    private func requireDirectory() throws -> OpenDirectory {
        if let directory = try OpenDirectory(path) { return directory }
        try step(.createDirectory)
        isBundleSynced.withLock { $0 = false }
        do {
            let permissions = FilePermissions(of: bundle)?.forNewDirectory
            try FileSystem.requireNewDirectory(path, permissions ?? .anyDirectory)
        } catch {
            // Another process may have created it first.
            if FileSystem.entry(path) != .directory { throw error }
        }
        guard let directory = try OpenDirectory(path) else {
            throw StoreError(.notFound, "\(path) was removed while it was being created")
        }
        return directory
    }

    package func draft() throws -> any BlobDraft { try draft(like: nil) }

    /// An unfinished blob.
    ///
    /// - Parameter model: a file whose owner and permissions it gets; nil for those of the
    ///   database, without write permission.
    package func draft(like model: OpenFile?) throws -> any BlobDraft {
        let directory = try requireDirectory()
        // Otherwise a garbage collection could take the file for a leftover before it is locked.
        _ = try directory.lock(.shared, waits: true)
        defer { directory.unlock() }
        try step(.make)
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        let name = Self.draftPrefix + number
        let permissions = FilePermissions(of: BundlePath(bundle).database)?.forNewFile
        let file = try directory.make(name, permissions ?? .anyFile)
        let draft = FileDraft(self, file, name)
        draft.model = model
        guard try file.lock(.exclusive) != .busy else {
            throw StoreError(.busy, "\(file.path) is locked by another process")
        }
        return try cipher.map { try EncryptedDraft(draft, $0) } ?? draft
    }

    package func reuse(_ digest: BlobDigest, length: Int) throws -> Bool {
        guard let directory = try OpenDirectory(path),
            let file = try renewed(digest, length: length, in: directory), try isSound(file, digest)
        else { return false }
        // Its creator may not have synced it yet.
        try step(.sync)
        try file.sync()
        try syncEntries(directory)
        return true
    }

    /// Whether a file contains all bytes of a blob.
    func isSound(_ file: OpenFile, _ digest: BlobDigest) throws -> Bool {
        do {
            return try source(file, digest).digest() == digest
        } catch let error as StoreError where error.has(.corruptData) {
            return false
        }
    }

    /// The file of this name and length, with a new modification time so that no garbage collection
    /// removes it.
    private func renewed(
        _ digest: BlobDigest, length: Int, in directory: OpenDirectory
    ) throws -> OpenFile? {
        _ = try directory.lock(.shared, waits: true)
        defer { directory.unlock() }
        let name = fileName(digest)
        let size = cipher == nil ? length : BlobCipher.storedLength(of: length)
        guard directory.status(name)?.entry == .file, let file = try directory.file(name),
            try file.status().size == size, file.touch()
        else { return nil }
        pins.pin(digest)
        return file
    }

    /// Gives a synced file its final name.
    func install(_ name: String, as digest: BlobDigest) throws {
        let directory = try requireDirectory()
        try rename(name, digest, in: directory)
        try syncEntries(directory)
    }

    private func rename(_ name: String, _ digest: BlobDigest, in directory: OpenDirectory) throws {
        _ = try directory.lock(.shared, waits: true)
        defer { directory.unlock() }
        pins.pin(digest)
        try step(.rename)
        try directory.rename(name, to: fileName(digest))
    }

    private func syncEntries(_ directory: OpenDirectory) throws {
        try step(.syncDirectory)
        try directory.sync()
        guard !isBundleSynced.withLock({ $0 }) else { return }
        try step(.syncBundle)
        try FileSystem.syncDirectory(bundle)
        isBundleSynced.withLock { $0 = true }
    }
}
