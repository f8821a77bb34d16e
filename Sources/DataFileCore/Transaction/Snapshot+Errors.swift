internal import SQLCore
package import StoreFormat

extension Snapshot {
    /// Runs `body`; what SQLite refuses becomes a `StoreError` that names the file and the table.
    @inline(__always)
    package func wrapping<T>(_ store: KeyStoreName, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            throw storeError(error, store)
        }
    }

    @inline(never)
    func storeError(_ error: SQLError, _ store: KeyStoreName) -> any Error {
        // A task that is cancelled gets another error than this one, from its pool.
        guard error.code != .interrupted, let path = try? session().path else {
            return error
        }
        return StoreError(error, path: path, table: store.tableName)
    }
}
