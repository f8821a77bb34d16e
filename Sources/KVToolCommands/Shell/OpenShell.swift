internal import DocumentStore
internal import KVToolCore
internal import StorePlatform

/// The settings and the transaction of the shell that runs a command.
final class OpenShell: ContextValue {
    private struct State {
        var isReadOnly = false
        var timeoutMilliseconds: Int?
        var transaction: HeldTransaction?
    }

    private let state = Locked(State())

    init() {}

    /// Sets whether commands may change the database.
    func setReadOnly(_ value: Bool) { state.withLock { $0.isReadOnly = value } }

    /// The timeout for locks when reading, which is that of the shell, since commands share its
    /// connections; nil without a shell.
    var timeoutMilliseconds: Int? {
        get { state.withLock(\.timeoutMilliseconds) }
        set { state.withLock { $0.timeoutMilliseconds = newValue } }
    }

    /// Sets the transaction that commands run in; nil if each has its own.
    func setTransaction(_ value: HeldTransaction?) {
        state.withLock { $0.transaction = value }
    }

    /// Whether a shell runs the commands, which then apply to its database and collection by
    /// default.
    var isOpen: Bool { timeoutMilliseconds != nil }

    /// Whether a transaction is open.
    var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

    /// Throws if the database is open for reading only.
    func requireWritable() throws {
        guard !WriteProtection.current.isOn else {
            throw ToolError(WriteProtection.refusal)
        }
        guard state.withLock({ !$0.isReadOnly }) else {
            throw ToolError(
                "the database is open read-only; use .write on, or start with kvtool -w, to "
                    + "allow changes")
        }
    }

    /// Throws in a shell, for a command that needs exclusive access to the database.
    func refuse(_ command: String) throws {
        guard !isOpen else {
            throw ToolError(
                "\(command) needs exclusive access to the database, which the shell has open; "
                    + "quit, then run kvtool \(command)", status: .conflict)
        }
    }

    /// Returns the transaction that is open on the database at a path.
    func transaction(on path: String) -> HeldTransaction? {
        let transaction = state.withLock(\.transaction)
        return transaction.flatMap { System.isSame($0.file.path, path) ? $0 : nil }
    }

    /// Throws if a transaction is open on the database at a path: a command outside of it would
    /// not see its changes, or would wait for its end.
    func requireNoTransaction(on path: String) throws {
        guard transaction(on: path) == nil else {
            throw ToolError(
                "this command does not work in a transaction; end it with commit or rollback",
                status: .conflict)
        }
    }
}
