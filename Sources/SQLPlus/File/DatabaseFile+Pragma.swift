internal import SQLCore
internal import StorePlatform

extension DatabaseFile {
    /// The pragmas of SQLCipher that have a meaning here.
    func answer(pragma name: String, _ value: String?) -> SQLPragmaResult {
        switch (name, value) {
        // As with SQLCipher, what has a page keeps its size; VACUUM would change it.
        case ("page_size", .some) where isEncrypted && hasPages: .done()
        case ("key", let value?): answer { try setKey(EncryptionKey(value)) }
        case ("hexkey", let value?): answer { try setKey(Self.key(hexadecimal: value)) }
        case ("rekey", let value?): answer { try rekey(to: EncryptionKey(value)) }
        case ("hexrekey", let value?): answer { try rekey(to: Self.key(hexadecimal: value)) }
        case ("cipher_page_size", nil) where isEncrypted: pageSizeAnswer
        case ("kdf_iter", nil) where isEncrypted: .done(String(PageKeys.rounds))
        case ("cipher_salt", nil) where isEncrypted: .done(saltText)
        default: .unknown
        }
    }

    private var pageSizeAnswer: SQLPragmaResult {
        do {
            try readFirstPage()
            return .done(String(pageSize))
        } catch {
            return .failed(.notADatabase, "\(error)")
        }
    }

    private func answer(_ body: () throws -> Void) -> SQLPragmaResult {
        do {
            try body()
            return .done("ok")
        } catch let error as EncryptionError {
            failure = SQLFileFailure(error.code, error)
            return .failed(error.code, error.description)
        } catch let error as SQLError {
            if let cause = error.cause { failure = SQLFileFailure(error.code, cause) }
            return .failed(error.code, error.encryption?.description ?? error.description)
        } catch is CancellationError {
            return .failed(.interrupted, "the call was cancelled")
        } catch {
            return .failed(.error, "\(error)")
        }
    }

    /// A passphrase of any bytes, written as hexadecimal digits.
    private static func key(hexadecimal text: String) throws -> EncryptionKey {
        guard var bytes = EncryptionKey.bytes(hexadecimal: text[...]) else {
            throw EncryptionError.malformedRawKey
        }
        defer { EncryptionKey.wipe(&bytes) }
        return try EncryptionKey(passphrase: bytes)
    }

    private var saltText: String? {
        guard let cipher = try? requireCipher() else { return nil }
        return Hexadecimal.encoded(cipher.salt.bytes)
    }
}

/// What a connection asks of its file, through whatever file systems stand between. The argument is
/// a `FileRequest.Key`.
enum FileRequest: Int32 {
    /// Gives the file its key.
    case setKey = 0x5351_4C02
    /// Encrypts all pages with another key.
    case rekey = 0x5351_4C03

    /// Lent for the time of the request.
    struct Key {
        let key: EncryptionKey
        var error: (any Error)?
    }
}

extension DatabaseFile {
    /// Does what a connection asks for; the error comes back in the argument.
    func answer(_ request: FileRequest, _ argument: UnsafeMutableRawPointer) -> SQLResultCode {
        let lent = argument.assumingMemoryBound(to: FileRequest.Key.self)
        do {
            switch request {
            case .setKey: try setKey(lent.pointee.key)
            case .rekey: try rekey(to: lent.pointee.key)
            }
        } catch {
            lent.pointee.error = error
        }
        return .ok
    }
}
