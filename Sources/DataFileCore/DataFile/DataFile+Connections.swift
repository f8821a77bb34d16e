internal import SQLCore

/// Connections for what works on the whole file: maintenance, copies.
extension DataFile {
    /// Lends a connection for reading, on which no transaction is open: where a check has found
    /// damage, SQLite fails to end one.
    ///
    /// Throws `.transactionNotClosed` inside a read or write of the thread.
    func withReaderContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            try shared.requireNoTransaction(on: shared.readers)
            return try shared.readers.withMember { member in
                try member.perform { try body($0.context) }
            }
        }
    }

    /// Lends the connection for writing, on which no transaction is open.
    ///
    /// Throws `.notWriteable` for a handle that only reads, `.transactionNotClosed` inside a write
    /// of the thread.
    func withWriterContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireWriter().withWriterContext(body) }
    }
}

extension SharedFile {
    /// Throws `.transactionNotClosed` if this thread has a connection of the line already.
    func requireNoTransaction(on line: PoolLine) throws {
        guard line.heldMember == nil else {
            throw StoreError(
                .transactionNotClosed,
                "\(path): this cannot be done inside a read or write, but after it")
        }
    }

    /// Lends the connection for writing, on which no transaction is open.
    func withWriterContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        if let writers { try requireNoTransaction(on: writers) }
        return try withWriter { session in
            try requireHealth()
            defer { session.forgetTransaction() }
            return try body(session.context)
        }
    }
}
