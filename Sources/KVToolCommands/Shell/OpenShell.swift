internal import DocumentStore
internal import KVToolCore
internal import Synchronization

/// What the shell that runs a command allows it, and its transaction.
final class OpenShell: ContextValue {
    private struct State {
        var isReadOnly = false
        var timeoutMilliseconds: Int?
        var transaction: HeldTransaction?
    }

    private let state = Mutex(State())

    init() {}

    /// From now on commands do, or do not, change the database.
    func setReadOnly(_ value: Bool) { state.withLock { $0.isReadOnly = value } }

    /// How long reading waits for a lock, as the shell does, whose connections it shares; nil
    /// without a shell.
    var timeoutMilliseconds: Int? {
        get { state.withLock(\.timeoutMilliseconds) }
        set { state.withLock { $0.timeoutMilliseconds = newValue } }
    }

    /// From now on commands work in this transaction; in one of their own if it is nil.
    func setTransaction(_ value: HeldTransaction?) {
        state.withLock { $0.transaction = value }
    }

    /// Whether a shell runs the commands, which are then on its database and collection unless
    /// they say otherwise.
    var isOpen: Bool { timeoutMilliseconds != nil }

    /// Whether a transaction is open.
    var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

    /// Throws if the database was opened for reading only.
    func requireWritable() throws {
        guard state.withLock({ !$0.isReadOnly }) else {
            throw ToolError(
                "the database is open for reading only; .write on, or beginning with kvtool -w, "
                    + "lets commands change it")
        }
    }

    /// Throws in a shell, for a command that works on a database that nobody has open.
    func refuse(_ command: String) throws {
        guard !isOpen else {
            throw ToolError(
                "\(command) needs the database for itself, which the shell has open; quit, then "
                    + "kvtool \(command)", status: .conflict)
        }
    }

    /// The transaction that is open on the database at a path.
    func transaction(on path: String) -> HeldTransaction? {
        let transaction = state.withLock(\.transaction)
        return transaction.flatMap { System.isSame($0.file.path, path) ? $0 : nil }
    }

    /// Throws if a transaction is open on the database at a path: what a command does beside it
    /// would not see it, or would wait for its end.
    func requireNoTransaction(on path: String) throws {
        guard transaction(on: path) == nil else {
            throw ToolError(
                "this command does not work in a transaction; commit or rollback ends it",
                status: .conflict)
        }
    }
}
