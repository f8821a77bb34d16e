internal import SQLCore

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
