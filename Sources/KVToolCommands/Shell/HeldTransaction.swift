internal import DocumentStore
internal import KVToolCore
internal import SQLCore

/// A transaction in which commands of the shell work, one after the other, until it is committed or
/// rolled back.
///
/// The engine's transactions are closures, on a thread of the connection's own. This one's waits
/// there for what the commands want to be done.
final class HeldTransaction: Sendable {
    /// The database, open for writing as long as the transaction.
    let file: DataFile
    private let line: WorkLine
    private let task: Task<Void, any Error>

    /// Begins one.
    ///
    /// Throws as `DataFile.write` if it cannot: if another process keeps the lock, or the file may
    /// not be written to. Ctrl-C ends the waiting for the lock.
    init(_ file: DataFile) async throws {
        let line = WorkLine()
        self.file = file
        self.line = line
        let task = Task {
            do {
                try await file.write { _ in try line.serve() }
                line.end(with: WorkLine.over)
            } catch {
                line.end(with: error)
                throw error
            }
        }
        self.task = task
        do {
            // It has begun when it does the first piece of work.
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

    /// Whether it is committed or rolled back.
    var isOver: Bool { line.isOver }

    /// Runs `body` in the transaction; what it did is undone if it throws, and the rest stays.
    ///
    /// So it is with Ctrl-C, which stops only what reads: SQLite would roll all of it back where it
    /// stops a statement that writes.
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
                line.add(
                    WorkLine.Work(
                        run: { continuation.resume(returning: self.result(of: bound, flag)) },
                        fail: { continuation.resume(returning: .failure($0)) }))
            }
        } onCancel: {
            flag.set(true)
        }
        if line.isEnding { _ = await task.result }
        return try result.get()
    }

    /// Runs `body`; on the transaction's thread it is a part of that.
    private func result<T>(
        of body: (Transaction) throws -> T, _ flag: CancellationFlag
    ) -> Result<T, any Error> {
        let result = Result {
            try file.write { transaction in
                try transaction.savepoint(endingAt: flag) { try body(transaction) }
            }
        }
        // SQLite ends a transaction by itself, as when the disk is full: then nothing can be
        // written any more.
        if case .failure = result, (try? file.write { _ in }) == nil { line.add(.rollBack) }
        return result
    }

    /// Makes what was done last.
    ///
    /// Throws as `DataFile.write`; nothing of it was done then.
    func commit() async throws {
        line.add(.commit)
        let result = await task.result
        file.close()
        try result.get()
    }

    /// Undoes what was done.
    func rollBack() async {
        line.add(.rollBack)
        _ = await task.result
        file.close()
    }
}
