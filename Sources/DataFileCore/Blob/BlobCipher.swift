package import SQLCore
internal import StoreFormat

/// Encrypts the blobs of a database, with a separate key that is stored in the encrypted database.
///
/// A file is a header of 32 bytes (`KVBLOB`, 0, 1, and 24 random bytes), from which HKDF-SHA256
/// derives the key of this file; then the blob in parts of 64 KiB, and at the end its digest and
/// length. Each part is sealed with AES-256-GCM under its part number (`docs/encryption.md`).
package struct BlobCipher: Sendable {
    static let suffix = ".encrypted"
    static let header = magic.count + nonceLength
    static let chunk = 1 << 16
    static let tag = 16
    /// The digest, and the length as eight bytes, big-endian.
    static let trailer = BlobDigest.length + 8 + tag
    /// The part number of digest and length, which makes truncation detectable.
    static let trailerNumber = UInt64.max

    private static let magic = Array("KVBLOB".utf8) + [0, 1]
    private static let nonceLength = 24
    /// The length of the stored key: a byte for the naming scheme, and the key.
    private static let storedLength = 33

    private let names: BlobNames
    private let sealer: any FileSealer

    /// Takes the stored key, and the ciphers of the database's key.
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

    /// Generates a key, in the form stored in the database.
    static func newStored(_ names: BlobNames) -> [UInt8] {
        [names == .keyed ? 1 : 0] + randomBytes(storedLength - 1)
    }

    /// The name of a blob's file.
    func fileName(_ digest: BlobDigest) -> String {
        switch names {
        case .digests: digest.fileName(suffix: Self.suffix)
        case .keyed:
            BlobDigest(bytes: sealer.code(for: Array(digest.bytes)).prefix(BlobDigest.length)).map {
                $0.fileName(suffix: Self.suffix)
            } ?? digest.fileName
        }
    }

    /// The length of the file of a blob.
    static func storedLength(of length: Int) -> Int {
        let chunks = (length + chunk - 1) / chunk
        return header + length + chunks * tag + trailer
    }

    /// The length of the blob in a file of this length; nil if a blob's file cannot have it.
    static func length(ofStored size: Int) -> Int? {
        let body = size - header - trailer
        guard body >= 0 else { return nil }
        let (whole, rest) = body.quotientAndRemainder(dividingBy: chunk + tag)
        guard rest == 0 || rest > tag else { return nil }
        return whole * chunk + max(rest - tag, 0)
    }

    /// The header of a new file, and the sealer of its parts.
    func newFile() -> (header: [UInt8], parts: any FilePartSealer) {
        let nonce = Self.randomBytes(Self.nonceLength)
        return (Self.magic + nonce, sealer.parts(nonce: nonce))
    }

    /// Random bytes from the operating system, suitable for keys.
    private static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Whether this is the start of an encrypted blob's file.
    static func isHeader(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == header && bytes.starts(with: magic)
    }

    /// The opener of the parts of a file with this header; nil if the header is not valid.
    func parts(header: [UInt8]) -> (any FilePartSealer)? {
        guard Self.isHeader(header) else { return nil }
        return sealer.parts(nonce: Array(header.dropFirst(Self.magic.count)))
    }
}

/// The blobs' key, a row of the encrypted database. It stays the same when the database's key
/// changes, so that blobs do not have to be encrypted again.
package enum StoredBlobKey {
    /// The cipher of a file's blobs; nil if the file is not encrypted.
    ///
    /// Creates and stores the key if it does not exist and the file is writable. An encrypted file
    /// that is opened read-only and has no key has no blobs.
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

    /// Creates the key unless it exists.
    static func make(in context: SQLContext, _ names: BlobNames) throws {
        guard try stored(in: context) == nil else { return }
        try context.transaction(.immediate) {
            // Another process may have created it first.
            guard try stored(in: context) == nil else { return }
            try ForeignSchema.requireNoTriggersOfInfo(in: context)
            try InfoRow.set(InfoKey.blobKey, to: BlobCipher.newStored(names), in: context)
        }
    }

    /// Removes it from a database that is no longer encrypted, and overwrites its bytes.
    static func remove(in context: SQLContext) throws {
        try ForeignSchema.requireNoTriggersOfInfo(in: context)
        try context.exec(sql: "PRAGMA secure_delete=on")
        try context.exec(sql: SchemaSQL.removeInfo, parameters: [.text(InfoKey.blobKey)])
    }

    package static func stored(in context: SQLContext) throws -> [UInt8]? {
        try StoreTable.info(InfoKey.blobKey, in: context)
    }
}
