public import SQLCore

// What the storage engine asks of a key.
extension EncryptionKey: DatabaseKey {
    /// A configuration with encryption over the file system of another one.
    public func encrypting(_ configuration: SQLiteConfiguration) throws -> SQLiteConfiguration {
        try configuration.encrypted(with: self)
    }

    /// Whether it is the same passphrase, or the same raw key and salt.
    public func opensSameFiles(as other: any DatabaseKey) -> Bool {
        (other as? EncryptionKey).map { $0 == self } ?? false
    }

    /// Encrypts a plain database or makes an encrypted one plain, as `DatabaseEncryption` does.
    public func convert(
        _ path: String, _ direction: EncryptionDirection,
        setUp: (SQLContext) throws -> Void, prepare: (SQLContext) throws -> Void
    ) throws {
        let (old, new) = direction == .encrypt ? (nil, self) : (self, nil)
        try DatabaseEncryption.rewrite(
            path: path, followsLinks: false, from: old, to: new, setUp: setUp, prepare: prepare)
    }

    /// Makes this the key of a connection's database: `SQLContext.rekey(_:)`.
    public func rekey(_ context: SQLContext) throws { try context.rekey(self) }

    /// The 16 bytes of SQLCipher's form.
    public var saltLength: Int { FileSalt.length }

    /// What opens the pages of a file in SQLCipher's form.
    public func pageReader(salt: [UInt8]) throws -> any EncryptedPageReader {
        try PageReader(self, salt: salt)
    }

    /// What seals files with AES-256-GCM, each with a key that comes with HKDF-SHA256.
    public func fileSealer(key: some Sequence<UInt8>) -> any FileSealer { SealedFiles(key: key) }
}
