package import SQLCore
internal import StoreFormat

/// Encrypts the blobs of a database, with a key of their own that the encrypted database holds.
///
/// A file is a header of 32 bytes (`KVBLOB`, 0, 1, and 24 random bytes), from which with the key
/// comes a key for this file (HKDF-SHA256); then 64 KiB of the blob at a time, and at the end its
/// digest and length, each sealed with AES-256-GCM under the number of the part
/// (`docs/encryption.md`).
package struct BlobCipher: Sendable {
    static let suffix = ".encrypted"
    static let header = magic.count + nonceLength
    static let chunk = 1 << 16
    static let tag = 16
    /// The digest, and the length as eight bytes, highest first.
    static let trailer = BlobDigest.length + 8 + tag
    /// The number of the digest and length, so that a file that was cut is not taken for whole.
    static let trailerNumber = UInt64.max

    private static let magic = Array("KVBLOB".utf8) + [0, 1]
    private static let nonceLength = 24
    /// How long what the database keeps is: a byte for the kind of names, and the key.
    private static let storedLength = 33

    private let names: BlobNames
    private let sealer: any FileSealer

    /// Takes what the database keeps, and the ciphers that go with the database's key.
    ///
    /// Throws `.corruptData`.
    package init(stored: [UInt8], _ key: any DatabaseKey) throws {
        guard stored.count == Self.storedLength, stored[0] <= 1 else {
            throw StoreError(
                .corruptData, "the key of the blobs is damaged; restore the file from a backup")
        }
        names = stored[0] == 1 ? .keyed : .digests
        sealer = key.fileSealer(key: stored.dropFirst())
    }

    /// A new key, as the database keeps it.
    static func newStored(_ names: BlobNames) -> [UInt8] {
        [names == .keyed ? 1 : 0] + randomBytes(storedLength - 1)
    }

    /// What the file of a blob is called.
    func fileName(_ digest: BlobDigest) -> String {
        switch names {
        case .digests: digest.fileName(suffix: Self.suffix)
        case .keyed:
            BlobDigest(bytes: sealer.code(for: Array(digest.bytes)).prefix(BlobDigest.length)).map {
                $0.fileName(suffix: Self.suffix)
            } ?? digest.fileName
        }
    }

    /// How long the file of a blob is.
    static func storedLength(of length: Int) -> Int {
        let chunks = (length + chunk - 1) / chunk
        return header + length + chunks * tag + trailer
    }

    /// How long the blob is whose file has this length; nil if no blob's file has.
    static func length(ofStored size: Int) -> Int? {
        let body = size - header - trailer
        guard body >= 0 else { return nil }
        let (whole, rest) = body.quotientAndRemainder(dividingBy: chunk + tag)
        guard rest == 0 || rest > tag else { return nil }
        return whole * chunk + max(rest - tag, 0)
    }

    /// The beginning of a new file, and what seals its parts.
    func newFile() -> (header: [UInt8], parts: any FilePartSealer) {
        let nonce = Self.randomBytes(Self.nonceLength)
        return (Self.magic + nonce, sealer.parts(nonce: nonce))
    }

    /// Of the system, which are good enough for keys.
    private static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Whether a file that begins so is that of an encrypted blob.
    static func isHeader(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == header && bytes.starts(with: magic)
    }

    /// What opens the parts of a file that begins so; nil if it is none.
    func parts(header: [UInt8]) -> (any FilePartSealer)? {
        guard Self.isHeader(header) else { return nil }
        return sealer.parts(nonce: Array(header.dropFirst(Self.magic.count)))
    }
}

/// The key of the blobs, a row of the encrypted database: it stays when the database gets
/// another key, so that no blob must be encrypted again.
package enum StoredBlobKey {
    /// What encrypts the blobs of a file; nil if the file is not encrypted.
    ///
    /// Made and stored where it is missing and the file may be written; without it a file that is
    /// only read has no blobs.
    static func cipher(
        in context: SQLContext, _ options: DataFileOptions
    ) throws -> BlobCipher? {
        guard let key = options.encryption else { return nil }
        if options.access != .readOnly { try make(in: context, options.blobNames) }
        guard let stored = try stored(in: context) else {
            return try BlobCipher(stored: BlobCipher.newStored(options.blobNames), key)
        }
        return try BlobCipher(stored: stored, key)
    }

    /// Makes a key unless there is one.
    static func make(in context: SQLContext, _ names: BlobNames) throws {
        guard try stored(in: context) == nil else { return }
        try context.transaction(.immediate) {
            // Another process may have come first.
            guard try stored(in: context) == nil else { return }
            try ForeignSchema.requireNoTriggersOfInfo(in: context)
            try InfoRow.set(InfoKey.blobKey, to: BlobCipher.newStored(names), in: context)
        }
    }

    /// Takes it out of a database that is not encrypted any more; its bytes are overwritten.
    static func remove(in context: SQLContext) throws {
        try ForeignSchema.requireNoTriggersOfInfo(in: context)
        try context.exec(sql: "PRAGMA secure_delete=on")
        try context.exec(sql: SchemaSQL.removeInfo, parameters: [.text(InfoKey.blobKey)])
    }

    package static func stored(in context: SQLContext) throws -> [UInt8]? {
        try StoreTable.info(InfoKey.blobKey, in: context)
    }
}
