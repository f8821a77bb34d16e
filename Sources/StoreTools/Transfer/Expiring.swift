package import DataFileCore
internal import SQLCore
internal import StoreFormat

/// A record that expires.
package struct Expiring: Hashable, Sendable {
    /// The place of its store among those that were asked for.
    package let store: Int
    package let key: String
    /// When, in milliseconds since 1970.
    package let expiration: Int64
}

extension Snapshot {
    /// Calls `body` with the records of stores that expire, those that do so first before others;
    /// those of the same time in the order of their stores and keys.
    ///
    /// The indexes of the expirations answer it, so that only those records are read, and none is
    /// kept.
    ///
    /// - Parameter body: false ends it.
    ///
    /// Throws `.notFound` if the file does not have one of the stores.
    package func forEachExpiring(
        of stores: [KeyStore], _ body: (Expiring) throws -> Bool
    ) throws {
        var cursors: [ExpirationCursor] = []
        for (place, store) in stores.enumerated() {
            try wrapping(store.name) {
                for table in try store.tables(in: self).expiringTables {
                    let cursor = try ExpirationCursor(table, place, store, session().context)
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
    /// How many records expire, up to a time; nil for all that ever will.
    ///
    /// The index of the expirations answers it.
    ///
    /// Throws `.notFound` if the file does not have this store.
    package func expiringCount(upTo milliseconds: Int64? = nil, in snapshot: Snapshot) throws -> Int
    {
        try snapshot.wrapping(name) {
            let context = try snapshot.session().context
            let isDue = milliseconds == nil ? "" : " AND expiration <= ?1"
            return try tables(in: snapshot).expiringTables.reduce(0) { count, table in
                let sql = "SELECT count(*) FROM \(table.name) WHERE \(expires)\(isDue)"
                let values = milliseconds.map { [SQLValue.long($0)] } ?? []
                return count + (try context.first(sql, values) { Int($0.long(at: 0)) } ?? 0)
            }
        }
    }

    /// Numbers are less than any text or blob, which damage can have put there.
    fileprivate var expires: String { "expiration NOT NULL AND expiration < ''\(notOfEngine)" }
}

/// The records of a table that expire, in the order of their times.
private final class ExpirationCursor {
    let store: KeyStore
    private let place: Int
    private let statement: SQLStatement
    private(set) var current: Expiring

    init(
        _ table: StoreTables.Table, _ place: Int, _ store: KeyStore, _ context: SQLContext
    ) throws {
        self.store = store
        self.place = place
        current = Expiring(store: place, key: "", expiration: 0)
        statement = try context.prepare(
            sql: """
                SELECT key, expiration FROM \(table.name) WHERE \(store.expires)
                ORDER BY expiration, key
                """)
    }

    /// Goes to the next record; false if there is none.
    func advance() throws -> Bool {
        guard try statement.next() else { return false }
        current = Expiring(
            store: place, key: statement.text(at: 0) ?? "", expiration: statement.long(at: 1))
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
