/// How a pool's connections are opened.
struct PoolOpening: Sendable {
    let path: String?
    let options: SQLPool.Options

    func writer() throws -> PooledConnection {
        let context = try SQLContext(
            path: path, flags: options.creates ? [.readWrite, .create] : .readWrite,
            configuration: options.configuration)
        // For what comes now; a member waits in its own way.
        try context.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        // A file that is only readable stays as it is, and can be read in whatever mode it has.
        if path != nil, !context.isReadOnly {
            let mode = try context.setPragma("journal_mode", to: .text("wal"))
            guard mode == .text("wal") else {
                throw SQLError(
                    code: .cannotOpen,
                    message: "the file cannot be put into WAL mode, but is in \(mode ?? .null)")
            }
            try context.setPragma("synchronous", to: .text("normal"))
        }
        return try PooledConnection(context, busyTimeout: options.busyTimeoutMilliseconds)
    }

    /// Another one for a writer that was lost. What was in memory only is lost with it.
    func writerAgain() throws -> PooledConnection {
        guard path != nil else {
            throw SQLError(code: .misuse, message: "the database in memory was closed")
        }
        return try writer()
    }

    func reader() throws -> PooledConnection {
        let context = try SQLContext(
            path: path, flags: .readOnly, configuration: options.configuration)
        return try PooledConnection(context, busyTimeout: options.busyTimeoutMilliseconds)
    }
}
