internal import StorePlatform

/// An error of any type as the code and the message that SQLite accepts.
struct SQLFailure {
    let code: SQLResultCode
    let message: String

    init(_ error: any Error) {
        if let error = error as? SQLError {
            code = error.code.asFailure
            message = error.message
        } else {
            code = .error
            message = String(describing: error)
        }
    }
}

extension SQLResultCode {
    /// The code itself, or `.error` in place of `SQLITE_OK`, `SQLITE_ROW` and `SQLITE_DONE`, which
    /// SQLite would treat as success.
    var asFailure: SQLResultCode {
        let successes: Set<Int32> = [0, 100, 101]
        return successes.contains(primary.rawValue) ? .error : self
    }
}

/// Throws if `name` is empty or contains NUL, at which SQLite would truncate it.
func requireName(_ name: String) throws {
    guard !name.isEmpty, !name.hasNUL else {
        throw SQLError(code: .misuse, message: "a name must not be empty or contain NUL")
    }
}

/// Also throws for the names of functions that the library itself registers, in any letter case:
/// replacing one would release the objects that it keeps alive.
func requireFunctionName(_ name: String) throws {
    try requireName(name)
    // Compared byte by byte, since hundreds of names are checked for each connection.
    guard let first = name.utf8.first, first | 0x20 == ownFunctionPrefix.utf8.first else { return }
    let hasPrefix =
        name.utf8.count >= ownFunctionPrefix.utf8.count
        && zip(name.utf8, ownFunctionPrefix.utf8).allSatisfy { byte, own in
            byte == own || (byte ^ 0x20 == own && (0x61...0x7A).contains(own))
        }
    guard !hasPrefix else {
        throw SQLError(
            code: .misuse,
            message: "function names that begin with \(ownFunctionPrefix) are reserved; "
                + "choose another name")
    }
}

/// The prefix of the names of the library's own functions.
let ownFunctionPrefix = "sqlcore_"

/// The `xDestroy` of every registration whose user data is a retained object.
func releaseObject(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}
