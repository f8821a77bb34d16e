internal import CSQLite

extension SQLContext {
    /// The first value that a pragma has, nil if it has none.
    ///
    /// - Parameter name: such as `journal_mode`, or `main.journal_mode`.
    public func pragma(_ name: String) throws -> SQLValue? {
        // Not one of the statements that are kept: a pragma may read when it is compiled.
        let statement = try prepare(sql: "PRAGMA \(try Self.requirePragma(name))")
        return try statement.next() ? statement.value(at: 0) : nil
    }

    /// Sets a pragma; returns what it then says, as `journal_mode` does.
    @discardableResult
    public func setPragma(_ name: String, to value: SQLValue) throws -> SQLValue? {
        let text =
            switch value {
            case .long(let number): "\(number)"
            case .real(let number): "\(number)"
            case .text(let text): text.sqlText
            case .blob, .null:
                throw SQLError(code: .misuse, message: "a pragma is a number or text")
            }
        let statement = try prepare(sql: "PRAGMA \(try Self.requirePragma(name)) = \(text)")
        return try statement.next() ? statement.value(at: 0) : nil
    }

    private static func requirePragma(_ name: String) throws -> String {
        let isWord = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isWord, !name.isEmpty else {
            throw SQLError(code: .misuse, message: "\"\(name)\" is not the name of a pragma")
        }
        return name
    }
}

// Properties cannot throw when they are set: what fails is thrown by the next call that can, at the
// latest by the commit of the transaction around it.
extension SQLContext {
    /// A number of the application's own in the file: `PRAGMA user_version`.
    ///
    /// If it cannot be read it is 0, if it cannot be set it stays; the next call of the context
    /// throws why. `pragma(_:)` and `setPragma(_:to:)` throw at once.
    public var userVersion: Int64 {
        get { value("user_version") }
        set { set("user_version", .long(newValue)) }
    }

    /// Whether references between tables are enforced: `PRAGMA foreign_keys`. Errors as for
    /// `userVersion`; within a transaction setting it changes nothing.
    public var foreignKeysEnabled: Bool {
        get { value("foreign_keys") != 0 }
        set { set("foreign_keys", .long(newValue ? 1 : 0)) }
    }

    /// Whether uncommitted changes of connections with a shared cache are seen:
    /// `PRAGMA read_uncommitted`. Errors as for `userVersion`.
    public var readUncommitted: Bool {
        get { value("read_uncommitted") != 0 }
        set { set("read_uncommitted", .long(newValue ? 1 : 0)) }
    }

    /// The encoding of the file's text: `PRAGMA encoding`. It can be set while there is no table.
    /// Errors as for `userVersion`.
    public var encoding: String {
        get {
            deferring { try pragma("encoding")?.textValue } ?? ""
        }
        set { set("encoding", .text(newValue)) }
    }

    private func value(_ name: String) -> Int64 {
        deferring { try pragma(name)?.longValue } ?? 0
    }

    private func set(_ name: String, _ value: SQLValue) {
        _ = deferring { try setPragma(name, to: value) }
    }

    private func deferring<T>(_ body: () throws -> T?) -> T? {
        // An error that waits already is the first one, but does not keep this call from its work.
        let waiting = connection.deferredError
        connection.deferredError = nil
        defer { connection.deferredError = waiting ?? connection.deferredError }
        do {
            return try body()
        } catch {
            if !isClosed { connection.deferredError = error as? SQLError }
            return nil
        }
    }
}

/// What a checkpoint has done.
package struct SQLCheckpoint {
    /// Whether it was kept from its end by another connection.
    package let isBlocked: Bool
    /// Pages in the log; 0 if another connection was making a checkpoint already.
    package let walPages: Int
    /// How many of them are in the file now.
    package let movedPages: Int
}

extension SQLContext {
    /// No checkpoint is made by itself any more; `walPages` tells when one is due.
    /// `sqlite3_wal_hook`
    package func takeOverCheckpoints() throws {
        let handle = try connection.requireHandle()
        let pages = WALPages()
        connection.walPages = pages
        sqlite3_wal_hook(handle, WALPages.note, Unmanaged.passUnretained(pages).toOpaque())
    }

    /// Pages in the log after the latest commit of this connection; 0 before
    /// `takeOverCheckpoints()`.
    package var walPages: Int { connection.walPages?.count ?? 0 }

    /// Moves what is in the log into the file. `sqlite3_wal_checkpoint_v2`
    ///
    /// - Parameter restarts: whether it waits, as long as the connection's timeout says, for those
    ///   who write or still read from the log, so that the next commit begins the log again: where
    ///   there is always somebody reading, it would never come to that. Otherwise it waits for
    ///   nobody.
    package func checkpoint(restarts: Bool = false) throws -> SQLCheckpoint {
        let handle = try connection.requireHandle()
        var wal: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(
            handle, "main", restarts ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE,
            &wal, &moved)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw SQLError(handle: handle, code: code)
        }
        return SQLCheckpoint(
            isBlocked: code != SQLITE_OK || moved < wal, walPages: Int(Swift.max(wal, 0)),
            movedPages: Int(Swift.max(moved, 0)))
    }
}
