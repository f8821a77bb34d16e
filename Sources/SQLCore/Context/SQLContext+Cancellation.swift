internal import CSQLite

extension SQLContext {
    /// Runs `body`, whose statements end when the task that runs is cancelled.
    ///
    /// For a context of its own; one of a pool looks after that itself.
    ///
    /// Throws `CancellationError` then.
    package func endingWithTask<T>(_ body: () throws -> T) throws -> T {
        let handle = try connection.requireHandle()
        sqlite3_progress_handler(handle, 10_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do {
            return try body()
        } catch is SQLError where Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Runs `body`, a part of a call of a pool, which ends when `flag` is set: before its next
    /// statement, or in the middle of one that only reads.
    ///
    /// One that writes goes on to its end: SQLite undoes the whole transaction with a writing
    /// statement that is stopped. What `body` has done is left to the caller to undo. To cancel the
    /// whole call ends statements that take long, too.
    ///
    /// Throws `CancellationError` if `flag` was set, also where `body` has passed over that.
    package func ending<T>(at flag: CancellationFlag, _ body: () throws -> T) throws -> T {
        let outer = connection.cancellation
        connection.cancellation = flag
        defer { connection.cancellation = outer }
        do {
            let result = try body()
            try flag.check()
            return result
        } catch is SQLError where flag.isSet {
            throw CancellationError()
        }
    }

    /// Runs `body`, which puts back what was before, and so is done also where a call, or a part of
    /// one, was cancelled.
    @discardableResult
    package func restoring<T>(_ body: () throws -> T) rethrows -> T {
        let outer = connection.cancellation
        connection.cancellation = nil
        defer { connection.cancellation = outer }
        return try body()
    }
}
