extension SQLError {
    /// What an encrypted file said, if that was what refused.
    ///
    /// ```swift
    /// catch let error as SQLError where error.encryption == .wrongKeyOrNotADatabase { … }
    /// ```
    public var encryption: EncryptionError? { cause as? EncryptionError }

    /// An error of this layer as one of SQLite's.
    package init(_ code: SQLResultCode, _ error: EncryptionError) {
        self.init(code: code, message: "encryption", cause: error)
    }
}

extension EncryptionError {
    /// What SQLite is told: the codes that SQLCipher has for the same.
    package var code: SQLResultCode {
        switch self {
        case .wrongKeyOrNotADatabase, .notEncrypted, .keyRequired: .notADatabase
        case .tampered, .truncated: .corrupt
        case .fileFailed(let code): SQLResultCode(rawValue: code)
        case .cipherFailed, .converted, .betweenKeys: .inputOutput
        default: .misuse
        }
    }
}
