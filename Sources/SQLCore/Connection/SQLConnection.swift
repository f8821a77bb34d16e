import CSQLite

/// The owner of a `sqlite3 *`: open until it is closed, or until nobody holds it any more.
final class SQLConnection {
    /// The `sqlite3 *`; nil once closed.
    private(set) var handle: OpaquePointer?
    /// Who is told of changes.
    let observers = ConnectionObservers()
    /// What another thread can do: interrupt.
    let interrupter: SQLInterrupter
    /// The failure of a call that cannot throw: the next that can throws it.
    var deferredError: SQLError?

    /// Opens a file. `sqlite3_open_v2`
    init(path: String, flags: SQLOpenFlags, vfs: String? = nil) throws {
        guard !path.utf8.contains(0) else {
            throw SQLError(code: .cannotOpen, message: "the path has a NUL byte")
        }
        // A context is used by one thread at a time: a mutex around each call would be for nothing.
        let mutex: SQLOpenFlags = flags.contains(.fullMutex) ? [] : .noMutex
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags.union(mutex).rawValue, vfs)
        guard code == SQLITE_OK else {
            let error = SQLError(handle: opened, code: code)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        interrupter = SQLInterrupter(opened)
        sqlite3_extended_result_codes(opened, 1)
    }

    deinit {
        interrupter.detach()
        // The observers go with it: SQLite must not call them any more.
        observers.detach(handle)
        sqlite3_close_v2(handle)
    }

    /// Closes it, unless a statement is open. `sqlite3_close`
    func close() throws {
        guard let open = handle else { return }
        try interrupter.whileDetached {
            let code = sqlite3_close(open)
            guard code == SQLITE_OK else { throw SQLError(handle: open, code: code) }
        }
        handle = nil
    }

    /// The open handle, or the error of a closed one, or that of a call that could not throw.
    func requireHandle() throws -> OpaquePointer {
        guard let handle else {
            throw SQLError(code: .misuse, message: "the SQLContext is closed")
        }
        if let error = deferredError {
            deferredError = nil
            throw error
        }
        return handle
    }
}
