internal import QueryFunctions
package import SQLCore
internal import StoreFormat

/// Connections for operations on the whole file: maintenance and copies.
extension DataFile {
    /// Calls `body` with a reading connection without an open transaction: after an integrity check
    /// has found damage, SQLite fails to end one.
    ///
    /// Throws `.transactionNotClosed` inside a read or write of the thread.
    package func withReaderContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        try withReaderSession { try body($0.context) }
    }

    /// Calls `body` with the session of a reading connection.
    func withReaderSession<T>(_ body: (Session) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            try shared.requireNoTransaction(on: shared.readers)
            return try shared.readers.withPooledConnection { connection in
                let session = try connection.session(path)
                session.functions.forgetKeys()
                return try connection.perform { _ in try body(session) }
            }
        }
    }

    /// Calls `body` with the writing connection, without an open transaction.
    ///
    /// Throws `.notWriteable` for a read-only handle, `.transactionNotClosed` inside a write of
    /// this thread.
    func withWriterContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireWriter().withWriterContext(body) }
    }
}

extension SharedFile {
    /// Throws `.transactionNotClosed` if this thread uses a connection of the pool already.
    package func requireNoTransaction(on pool: ConnectionPool) throws {
        guard pool.heldConnection == nil else {
            throw StoreError(
                .transactionNotClosed,
                "\(path): this is not allowed inside a read or write; do it afterwards")
        }
    }

    /// Calls `body` with the writing connection, without an open transaction.
    func withWriterContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        let writers = try requireWriters()
        try requireNoTransaction(on: writers)
        return try writers.withPooledConnection { connection in
            try connection.perform { try self.withWriterContext(on: $0, body) }
        }
    }

    /// The operation commits by itself: if the disk fails to sync, the handle stops writing, as
    /// after a failed commit.
    func withWriterContext<T>(
        on connection: PooledConnection, _ body: (SQLContext) throws -> T
    ) throws -> T {
        let session = try connection.session(path)
        try requireHealth()
        try session.prepareForMaintenance()
        session.isKnownOwnSchema = false
        try session.requireOwnSchema()
        defer { session.forgetTransaction() }
        do {
            let result = try body(session.context)
            checkpointPolicy.afterCommit(self, connection, session)
            return result
        } catch let error as SQLError where .inputOutput ~= error.code {
            stopWriting(session, error)
            throw error
        }
    }
}
