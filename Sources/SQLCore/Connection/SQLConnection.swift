import CSQLite

/// The owner of a `sqlite3 *`: open until it is closed, or until nobody holds it any more.
final class SQLConnection {
    /// The `sqlite3 *`; nil once closed.
    private(set) var handle: OpaquePointer?

    /// Opens a file. `sqlite3_open_v2`
    init(path: String, flags: SQLOpenFlags) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags.rawValue, nil)
        guard code == SQLITE_OK else {
            let error = SQLError(handle: opened, code: code)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Closes it, unless a statement is open. `sqlite3_close`
    func close() throws {
        guard let open = handle else { return }
        let code = sqlite3_close(open)
        guard code == SQLITE_OK else { throw SQLError(handle: open, code: code) }
        handle = nil
    }

    /// The open handle, or the error of a closed one.
    func requireHandle() throws -> OpaquePointer {
        guard let handle else {
            throw SQLError(code: .misuse, message: "the SQLContext is closed")
        }
        return handle
    }
}
