package import SQLCore

extension Transaction {
    /// Runs `body` as a savepoint, which ends when `flag` is set: what it did is undone then, and
    /// the transaction can go on.
    ///
    /// A statement that writes is not stopped, but undone after its end.
    ///
    /// Throws `CancellationError` if `flag` was set before the end of `body`, and what that throws.
    package func savepoint<T>(
        endingAt flag: CancellationFlag, _ body: () throws -> T
    ) throws -> T {
        try savepoint {
            try session().context.ending(at: flag, body)
        }
    }
}
