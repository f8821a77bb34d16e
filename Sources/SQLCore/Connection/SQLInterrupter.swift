import CSQLite
internal import StorePlatform

/// Interrupts the statements of a connection from any thread; see ``SQLContext/interrupter``.
///
/// It does not retain the connection: after the connection is closed, interrupting has no effect.
///
/// ```swift
/// let interrupter = database.interrupter
/// let rows = try await withTaskCancellationHandler {
///     try database.selectAll(sql: "SELECT * FROM city WHERE name LIKE '%o%'")
/// } onCancel: {
///     interrupter.interrupt()
/// }
/// ```
/// A ``SQLPool`` does this itself for its asynchronous calls.
public final class SQLInterrupter: Sendable {
    /// The `sqlite3 *`, nil once the connection is closed.
    private let handle: Locked<Handle>

    private struct Handle: @unchecked Sendable {
        // Unchecked: sqlite3_interrupt may be called from any thread while the connection is open,
        // which the mutex ensures.
        var pointer: OpaquePointer?
    }

    init(_ pointer: OpaquePointer?) {
        handle = Locked(Handle(pointer: pointer))
    }

    /// Makes all running statements fail with `.interrupted`. Does nothing if no statement runs or
    /// the connection is closed. `sqlite3_interrupt`
    ///
    /// An open transaction that was writing is rolled back.
    ///
    /// Statements that start while an interrupted one is still running fail as well; those that
    /// start later do not.
    public func interrupt() {
        handle.withLock { if let pointer = $0.pointer { sqlite3_interrupt(pointer) } }
    }

    func detach() {
        handle.withLock { $0.pointer = nil }
    }

    /// Runs `body`, which closes the connection; if it throws, the connection is still open.
    func whileDetached(_ body: () throws -> Void) throws {
        let open = handle.withLock { handle in
            defer { handle.pointer = nil }
            return handle
        }
        do {
            try body()
        } catch {
            handle.withLock { $0 = open }
            throw error
        }
    }
}
