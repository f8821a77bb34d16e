internal import SQLCore

/// Identifies the state of the file that a connection sees, as far as its caches depend on it.
///
/// A cache stores the token of the state that it was read from, and is read again if the
/// connection's token differs; nothing is dropped by hand. The connection's own changes of rows do
/// not change the token: the code that makes them updates the caches.
///
/// | part | changes when |
/// |---|---|
/// | `dataVersion` | another connection has committed: read in each transaction |
/// | `changes.schema` | this connection has changed the schema, or undone that |
/// | `changes.rollbacks` | this connection has rolled back |
///
/// The schema cookie is read when `dataVersion` has changed, so it is implied here.
package struct ConnectionToken: Equatable {
    let dataVersion: Int64
    let changes: SQLChangeCounts

    /// Written by hand, so that it is two comparisons of words.
    @inline(__always)
    package static func == (left: ConnectionToken, right: ConnectionToken) -> Bool {
        left.dataVersion == right.dataVersion && left.changes == right.changes
    }
}

/// The part of a token on which caches of the schema depend: tables, columns, indexes, queries.
package struct SchemaToken: Equatable {
    /// `PRAGMA schema_version`, when another connection had committed last.
    let cookie: Int64
    let changes: UInt32
}

/// The part of a token on which caches of rows depend: sequences, counts, settings, shared keys.
///
/// Own changes of the schema leave it as it is: a store's counts that are not in the file yet
/// survive the creation of an index.
package struct RowsToken: Equatable {
    let dataVersion: Int64
    let rollbacks: UInt32
}

/// A value, and the token of the state that it was read from.
struct Cached<Value, Token: Equatable> {
    private var entry: (value: Value, token: Token)?

    /// The value, if it belongs to the state with this token.
    func value(_ token: Token) -> Value? {
        guard let entry, entry.token == token else { return nil }
        return entry.value
    }

    /// Stores a value that was read from, or written to, the state with this token.
    mutating func keep(_ value: Value, _ token: Token) { entry = (value, token) }

    /// Drops the value, so that its memory is free.
    mutating func removeValue() { entry = nil }
}
