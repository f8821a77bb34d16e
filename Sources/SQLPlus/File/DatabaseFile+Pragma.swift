internal import SQLCore
internal import StorePlatform

extension DatabaseFile {
    /// Runs a pragma of SQLCipher, if it is supported.
    func run(pragma name: String, _ value: String?) -> SQLPragmaResult {
        switch (name, value) {
        // As in SQLCipher, an existing database keeps its page size; VACUUM would change it.
        case ("page_size", .some) where isEncrypted && hasPages: .done()
        case ("key", let value?): result { try setKey(EncryptionKey(value)) }
        case ("hexkey", let value?): result { try setKey(Self.key(hexadecimal: value)) }
        case ("rekey", let value?): result { try rekey(to: EncryptionKey(value)) }
        case ("hexrekey", let value?): result { try rekey(to: Self.key(hexadecimal: value)) }
        case ("cipher_page_size", nil) where isEncrypted: pageSizeResult
        case ("kdf_iter", nil) where isEncrypted: .done(String(PageKeys.iterations))
        case ("cipher_salt", nil) where isEncrypted: .done(saltText)
        default: .unknown
        }
    }

    private var pageSizeResult: SQLPragmaResult {
        do {
            try readFirstPage()
            return .done(String(pageSize))
        } catch {
            return .failed(.notADatabase, "\(error)")
        }
    }

    private func result(of operation: () throws -> Void) -> SQLPragmaResult {
        do {
            try operation()
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

    /// Creates a key from a passphrase of any bytes, written as hexadecimal digits.
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

/// A file-control request from a connection to its file, which passes through VFSs in between. The
/// argument is a `FileRequest.Key`.
enum FileRequest: Int32 {
    /// Sets the key of the file.
    case setKey = 0x5351_4C02
    /// Encrypts all pages with another key.
    case rekey = 0x5351_4C03

    /// The argument, which is valid during the request.
    struct Key {
        let key: EncryptionKey
        var error: (any Error)?
    }
}

extension DatabaseFile {
    /// Performs a request; an error is returned in the argument.
    func perform(_ request: FileRequest, _ argument: UnsafeMutableRawPointer) -> SQLResultCode {
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
