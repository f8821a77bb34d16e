package import DataFileCore
internal import SQLCore
internal import StoreFormat

/// A record that expires.
package struct Expiring: Hashable, Sendable {
    /// The index of its store in the list that was passed.
    package let store: Int
    package let key: String
    /// The expiration in milliseconds since 1970.
    package let expiration: Int64
}

extension Snapshot {
    /// Enumerates the expiring records of several stores, ordered by expiration, then store and
    /// key.
    ///
    /// It uses the indexes on expirations, so it reads only those records, in constant memory.
    ///
    /// - Parameter body: returns false to stop.
    ///
    /// Throws `.notFound` if one of the stores does not exist.
    package func forEachExpiring(
        of stores: [KeyStore], _ body: (Expiring) throws -> Bool
    ) throws {
        var cursors: [ExpirationCursor] = []
        for (position, store) in stores.enumerated() {
            try wrapping(store.name) {
                for table in try store.tables(in: self).expiringTables {
                    let cursor = try ExpirationCursor(table, position, store, connection().context)
                    if try cursor.advance() { cursors.append(cursor) }
                }
            }
        }
        while let first = cursors.indices.min(by: { cursors[$0] < cursors[$1] }) {
            let cursor = cursors[first]
            guard try body(cursor.current) else { return }
            let isMore = try wrapping(cursor.store.name) { try cursor.advance() }
            if !isMore { cursors.remove(at: first) }
        }
    }
}

extension KeyStore {
    /// The number of records that expire up to a time, or at all if it is nil.
    ///
    /// It uses the index on expirations.
    ///
    /// Throws `.notFound` if the store does not exist.
    package func expiringCount(upTo milliseconds: Int64? = nil, in snapshot: Snapshot) throws -> Int
    {
        try snapshot.wrapping(name) {
            let context = try snapshot.connection().context
            let isDue = milliseconds == nil ? "" : " AND expiration <= ?1"
            return try tables(in: snapshot).expiringTables.reduce(0) { count, table in
                let sql = "SELECT count(*) FROM \(table.name) WHERE \(expires)\(isDue)"
                let values = milliseconds.map { [SQLValue.long($0)] } ?? []
                return count + (try context.first(sql, values) { Int($0.long(at: 0)) } ?? 0)
            }
        }
    }

    /// The condition of an expiring record. Numbers sort before strings and blobs, which only
    /// damage can have put there.
    fileprivate var expires: String { "expiration NOT NULL AND expiration < ''\(notOfEngine)" }
}

/// A cursor over the expiring records of a table, ordered by expiration.
private final class ExpirationCursor {
    let store: KeyStore
    private let position: Int
    private let statement: SQLStatement
    private(set) var current: Expiring

    init(
        _ table: StoreTables.Table, _ position: Int, _ store: KeyStore, _ context: SQLContext
    ) throws {
        self.store = store
        self.position = position
        current = Expiring(store: position, key: "", expiration: 0)
        statement = try context.prepare(
            sql: """
                SELECT key, expiration FROM \(table.name) WHERE \(store.expires)
                ORDER BY expiration, key
                """)
    }

    /// Moves to the next record. Returns false if there is none.
    func advance() throws -> Bool {
        guard try statement.next() else { return false }
        current = Expiring(
            store: position, key: statement.text(at: 0) ?? "", expiration: statement.long(at: 1))
        return true
    }

    static func < (first: ExpirationCursor, second: ExpirationCursor) -> Bool {
        let (first, second) = (first.current, second.current)
        guard first.expiration == second.expiration else {
            return first.expiration < second.expiration
        }
        guard first.store == second.store else { return first.store < second.store }
        return first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
    }
}
