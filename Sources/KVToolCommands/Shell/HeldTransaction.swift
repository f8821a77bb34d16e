internal import DocumentStore
internal import KVToolCore
internal import SQLCore

/// A transaction in which the shell runs commands one after the other, until it is committed or
/// rolled back.
///
/// The engine runs a transaction as a closure on the connection's thread. This one waits there for
/// the commands' work.
final class HeldTransaction: Sendable {
    /// The database, open for writing during the transaction.
    let file: DataFile
    private let queue: WorkQueue
    private let task: Task<Void, any Error>

    /// Begins a transaction.
    ///
    /// Throws like `DataFile.write` if another process holds the lock, or the file is read-only.
    /// Ctrl-C ends the wait for the lock.
    init(_ file: DataFile) async throws {
        let queue = WorkQueue()
        self.file = file
        self.queue = queue
        let task = Task {
            do {
                try await file.write { _ in try queue.serve() }
                queue.end(with: WorkQueue.over)
            } catch {
                queue.end(with: error)
                throw error
            }
        }
        self.task = task
        do {
            // The transaction has begun when it performs the first piece of work.
            try await withTaskCancellationHandler {
                try await perform { _ in }
            } onCancel: {
                task.cancel()
            }
            try Task.checkCancellation()
        } catch {
            await rollBack()
            throw error
        }
    }

    /// Whether the transaction is committed or rolled back.
    var isOver: Bool { queue.isOver }

    /// Runs `body` in the transaction; an error rolls back what `body` did, and nothing else.
    ///
    /// The same holds for Ctrl-C, which interrupts only statements that read: SQLite rolls the
    /// whole transaction back if a statement that writes is interrupted.
    func perform<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let flag = CancellationFlag()
        let context = CommandContext.current
        let bound: @Sendable (Transaction) throws -> T = { transaction in
            try context.run { try body(transaction) }
        }
        let result: Result<T, any Error> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.add(
                    WorkQueue.Work(
                        run: { continuation.resume(returning: self.result(of: bound, flag)) },
                        fail: { continuation.resume(returning: .failure($0)) }))
            }
        } onCancel: {
            flag.set(true)
        }
        if queue.isEnding { _ = await task.result }
        return try result.get()
    }

    /// Runs `body` in a savepoint; called on the transaction's thread.
    private func result<T>(
        of body: (Transaction) throws -> T, _ flag: CancellationFlag
    ) -> Result<T, any Error> {
        let result = Result {
            try file.write { transaction in
                try transaction.savepoint(endingAt: flag) { try body(transaction) }
            }
        }
        // SQLite rolls a transaction back by itself in some cases, for example if the disk is full;
        // further writes then fail.
        if case .failure = result, (try? file.write { _ in }) == nil { queue.add(.rollBack) }
        return result
    }

    /// Commits the transaction.
    ///
    /// Throws like `DataFile.write`; the transaction is then rolled back.
    func commit() async throws {
        queue.add(.commit)
        let result = await task.result
        file.close()
        try result.get()
    }

    /// Rolls the transaction back.
    func rollBack() async {
        queue.add(.rollBack)
        _ = await task.result
        file.close()
    }
}
