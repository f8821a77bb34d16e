/// Opens the connections of a pool.
struct PoolOpening: Sendable {
    let path: String?
    let options: SQLPool.Options

    func writer() throws -> PooledContext {
        let context = try SQLContext(
            path: path, flags: options.creates ? [.readWrite, .create] : .readWrite,
            configuration: options.configuration)
        // For the next statements; a pooled connection has its own busy handler.
        try context.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        // A read-only file keeps its journal mode and can be read in any.
        if path != nil, !context.isReadOnly {
            let mode = try context.setPragma("journal_mode", to: .text("wal"))
            guard mode == .text("wal") else {
                throw SQLError(
                    code: .cannotOpen,
                    message: "the file cannot be switched to WAL mode from \(mode ?? .null)")
            }
            try context.setPragma("synchronous", to: .text("normal"))
        }
        return try PooledContext(context, busyTimeout: options.busyTimeoutMilliseconds)
    }

    /// Opens a replacement for a writer that was closed. An in-memory database is lost with it.
    func writerAgain() throws -> PooledContext {
        guard path != nil else {
            throw SQLError(code: .misuse, message: "the in-memory database was closed")
        }
        return try writer()
    }

    func reader() throws -> PooledContext {
        let context = try SQLContext(
            path: path, flags: .readOnly, configuration: options.configuration)
        return try PooledContext(context, busyTimeout: options.busyTimeoutMilliseconds)
    }
}
