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
        try withReaderConnection { try body($0.context) }
    }

    /// Calls `body` with a reading connection, outside of snapshots.
    func withReaderConnection<T>(_ body: (Connection) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) {
            let shared = try requireOpen()
            try shared.requireNoTransaction(on: shared.readers)
            return try shared.readers.withPooledConnection { connection in
                connection.functions.forgetKeys()
                return try body(connection)
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
    package func requireNoTransaction(on pool: ConnectionPool<Connection>) throws {
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
        return try writers.withPooledConnection { try self.withWriterContext(on: $0, body) }
    }

    /// The operation commits by itself: if the disk fails to sync, the handle stops writing, as
    /// after a failed commit.
    func withWriterContext<T>(
        on connection: Connection, _ body: (SQLContext) throws -> T
    ) throws -> T {
        try requireHealth()
        try connection.prepareForMaintenance()
        try connection.requireOwnSchema()
        defer { connection.context.countUnknownChanges() }
        do {
            let result = try body(connection.context)
            checkpointPolicy.afterCommit(self, connection)
            return result
        } catch let error as SQLError where .inputOutput ~= error.code {
            stopWriting(connection, error)
            throw error
        }
    }
}
