import CSQLite

/// Dispatches SQLite's hooks of a connection to any number of observers.
///
/// SQLite has one slot for each hook; it is set while there are observers.
final class ConnectionObservers {
    private typealias Bodies<Body> = [(id: Int, body: Body)]

    private var updates: Bodies<(SQLChange) -> Void> = []
    private var commits: Bodies<() -> Bool> = []
    private var rollbacks: Bodies<() -> Void> = []
    private var traces: Bodies<(String) -> Void> = []
    private var lastID = 0
    /// The number of hooks that are being called.
    private var calls = 0

    /// Whether SQLite is calling a hook now, in which the connection must not be used.
    var isCalling: Bool { calls > 0 }

    func onUpdate(_ handle: OpaquePointer, _ body: @escaping (SQLChange) -> Void) -> Int {
        add(body, to: \.updates, handle)
    }

    func onCommit(_ handle: OpaquePointer, _ body: @escaping () -> Bool) -> Int {
        add(body, to: \.commits, handle)
    }

    func onRollback(_ handle: OpaquePointer, _ body: @escaping () -> Void) -> Int {
        add(body, to: \.rollbacks, handle)
    }

    func onTrace(_ handle: OpaquePointer, _ body: @escaping (String) -> Void) -> Int {
        add(body, to: \.traces, handle)
    }

    private func add<Body>(
        _ body: Body, to list: ReferenceWritableKeyPath<ConnectionObservers, Bodies<Body>>,
        _ handle: OpaquePointer
    ) -> Int {
        lastID += 1
        self[keyPath: list].append((lastID, body))
        refresh(handle)
        return lastID
    }

    func remove(_ id: Int, _ handle: OpaquePointer?) {
        updates.removeAll { $0.id == id }
        commits.removeAll { $0.id == id }
        rollbacks.removeAll { $0.id == id }
        traces.removeAll { $0.id == id }
        if let handle { refresh(handle) }
    }

    func removeAllUpdates(_ handle: OpaquePointer) {
        updates.removeAll()
        refresh(handle)
    }

    func removeAllTraces(_ handle: OpaquePointer) {
        traces.removeAll()
        refresh(handle)
    }

    /// Releases all observers of a closed connection.
    func removeAll() {
        updates.removeAll()
        commits.removeAll()
        rollbacks.removeAll()
        traces.removeAll()
    }

    private func calling(_ body: () -> Void) {
        calls += 1
        defer { calls -= 1 }
        body()
    }
}

// The callbacks are created here, in nonisolated code: SQLite calls them on the thread that steps a
// statement. A callback calls all observers that existed when it started, even if one of them adds
// or removes others.
extension ConnectionObservers {
    private func refresh(_ handle: OpaquePointer) {
        let own = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_update_hook(handle, updates.isEmpty ? nil : Self.update, own)
        sqlite3_commit_hook(handle, commits.isEmpty ? nil : Self.commit, own)
        sqlite3_rollback_hook(handle, rollbacks.isEmpty ? nil : Self.rollback, own)
        sqlite3_trace_v2(
            handle, traces.isEmpty ? 0 : UInt32(SQLITE_TRACE_STMT),
            traces.isEmpty ? nil : Self.trace, own)
    }

    fileprivate static func at(_ pointer: UnsafeMutableRawPointer?) -> ConnectionObservers? {
        pointer.map { Unmanaged<ConnectionObservers>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var update:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            sqlite3_int64
        ) -> Void
    {
        { pointer, action, database, table, row in
            guard let observers = ConnectionObservers.at(pointer), let database, let table
            else { return }
            let change = SQLChange(
                action: SQLChange.Action(rawValue: action) ?? .update, rowID: row,
                database: String(cString: database), table: String(cString: table))
            observers.calling { for observer in observers.updates { observer.body(change) } }
        }
    }

    private static var commit: @convention(c) (UnsafeMutableRawPointer?) -> Int32 {
        { pointer in
            guard let observers = ConnectionObservers.at(pointer) else { return 0 }
            var isRefused = false
            observers.calling {
                for observer in observers.commits where !observer.body() { isRefused = true }
            }
            return isRefused ? 1 : 0
        }
    }

    private static var rollback: @convention(c) (UnsafeMutableRawPointer?) -> Void {
        { pointer in
            guard let observers = ConnectionObservers.at(pointer) else { return }
            observers.calling { for observer in observers.rollbacks { observer.body() } }
        }
    }

    private static var trace:
        @convention(c) (
            UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> Int32
    {
        { _, pointer, statement, text in
            guard let observers = ConnectionObservers.at(pointer) else { return 0 }
            // SQLite reports the statements of a trigger as a comment with the trigger's name.
            let plain = text.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
            let expanded =
                plain.hasPrefix("--") ? plain : ConnectionObservers.expanded(statement) ?? plain
            let sql =
                SQLRedaction.mayHoldKey(plain) ? SQLRedaction.statementWithKey : expanded
            observers.calling { for observer in observers.traces { observer.body(sql) } }
            return 0
        }
    }

    private static func expanded(_ statement: UnsafeMutableRawPointer?) -> String? {
        guard let statement, let text = sqlite3_expanded_sql(OpaquePointer(statement)) else {
            return nil
        }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }
}
