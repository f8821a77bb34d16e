/// An error of any type, in the two parts that SQLite takes: a code and a message.
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
    /// The code itself, or `.error` in place of the codes of success: `SQLITE_OK`, `SQLITE_ROW` and
    /// `SQLITE_DONE` would tell SQLite to go on.
    var asFailure: SQLResultCode {
        let successes: Set<Int32> = [0, 100, 101]
        return successes.contains(primary.rawValue) ? .error : self
    }
}

/// Throws unless `name` can be a C string: SQLite would end it at a NUL.
func requireName(_ name: String) throws {
    guard !name.isEmpty, !name.hasNUL else {
        throw SQLError(code: .misuse, message: "a name must not be empty nor hold NUL")
    }
}

extension String {
    fileprivate var hasNUL: Bool {
        var copy = self
        return copy.withUTF8 { bytes in bytes.contains(0) }
    }
}

/// Throws also for the names of functions that the library itself registers, in any case of their
/// letters: SQLite would release what they keep alive.
func requireFunctionName(_ name: String) throws {
    try requireName(name)
    // Byte by byte: hundreds of names are looked at for each connection.
    let hasPrefix =
        name.utf8.count >= ownFunctionPrefix.utf8.count
        && zip(name.utf8, ownFunctionPrefix.utf8).allSatisfy { byte, own in
            byte == own || (byte ^ 0x20 == own && (0x61...0x7A).contains(own))
        }
    guard !hasPrefix else {
        throw SQLError(
            code: .misuse,
            message: "names of functions that begin with \(ownFunctionPrefix) are taken: "
                + "choose another one")
    }
}

/// How the names of the library's own functions begin.
let ownFunctionPrefix = "sqlcore_"

/// The `xDestroy` of every registration whose user data is a retained object.
func releaseObject(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}
