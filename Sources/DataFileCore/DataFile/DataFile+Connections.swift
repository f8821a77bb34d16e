internal import QueryFunctions
package import SQLCore
internal import StoreFormat

/// Connections for what works on the whole file: maintenance, copies.
extension DataFile {
    /// Lends a connection for reading, on which no transaction is open: where a check has found
    /// damage, SQLite fails to end one.
    ///
    /// Throws `.transactionNotClosed` inside a read or write of the thread.
    package func withReaderContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        try withReaderSession { try body($0.context) }
    }

    /// The same, with what is kept with the connection.
    func withReaderSession<T>(_ body: (Session) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            try shared.requireNoTransaction(on: shared.readers)
            return try shared.readers.withPooledConnection { member in
                let session = try member.session(path)
                session.functions.forgetKeys()
                return try member.perform { _ in try body(session) }
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
    package func requireNoTransaction(on line: ConnectionPool) throws {
        guard line.heldConnection == nil else {
            throw StoreError(
                .transactionNotClosed,
                "\(path): this cannot be done inside a read or write, but after it")
        }
    }

    /// Lends the connection for writing, on which no transaction is open.
    func withWriterContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        let writers = try requireWriters()
        try requireNoTransaction(on: writers)
        return try writers.withPooledConnection { member in
            try member.perform { try self.withWriterContext(on: $0, body) }
        }
    }

    /// What it does commits by itself: a disk that refuses to sync is not tried again, as after a
    /// transaction.
    func withWriterContext<T>(
        on member: PooledConnection, _ body: (SQLContext) throws -> T
    ) throws -> T {
        let session = try member.session(path)
        try requireHealth()
        try session.prepareForMaintenance()
        session.isKnownOwnSchema = false
        try session.requireOwnSchema()
        defer { session.forgetTransaction() }
        do {
            let result = try body(session.context)
            checkpointPolicy.afterCommit(self, member, session)
            return result
        } catch let error as SQLError where .inputOutput ~= error.code {
            giveUp(session, error)
            throw error
        }
    }
}
