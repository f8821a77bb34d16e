import Foundation
import GRDB

/// A table with a key and a value, through GRDB's records.
final class GRDBKeyValue: KeyValueDatabase {
    private let pool: DatabasePool

    init(_ directory: String, _ durability: Durability) throws {
        pool = try DatabasePool.standard(directory, durability)
        try pool.write {
            try $0.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS pair (key TEXT PRIMARY KEY, value BLOB NOT NULL)
                    WITHOUT ROWID
                    """)
        }
    }

    /// The pool serves all threads.
    func connect() -> any KeyValueConnection { Connection(pool) }

    func close() throws { try pool.close() }

    private final class Connection: KeyValueConnection {
        private let pool: DatabasePool

        init(_ pool: DatabasePool) {
            self.pool = pool
        }

        func put(_ pairs: ArraySlice<KeyValuePair>) throws {
            try pool.write { database in
                for pair in pairs {
                    try Pair(key: pair.key, value: Data(pair.value))
                        .insert(database, onConflict: .replace)
                }
            }
        }

        func get(_ key: String, _ use: (UnsafeRawBufferPointer) -> Void) throws -> Bool {
            guard let pair = try pool.read({ try Pair.fetchOne($0, key: key) }) else {
                return false
            }
            pair.value.withUnsafeBytes(use)
            return true
        }

        func change(_ key: String, _ change: (inout [UInt8]) -> Void) throws -> Bool {
            try pool.write { database in
                guard let pair = try Pair.fetchOne(database, key: key) else { return false }
                var value = Array(pair.value)
                change(&value)
                try Pair(key: key, value: Data(value)).update(database)
                return true
            }
        }

        func delete(_ keys: ArraySlice<String>) throws {
            try pool.write { database in
                for key in keys { _ = try Pair.deleteOne(database, key: key) }
            }
        }

        func scan(
            from key: String?, limit: Int, isDescending: Bool
        ) throws -> (count: Int, bytes: Int) {
            try pool.read { database in
                let column = Column("key")
                var request = Pair.order(isDescending ? column.desc : column)
                if let key { request = request.filter(column >= key) }
                if limit < .max { request = request.limit(limit) }
                let pairs = try request.fetchCursor(database)
                var (count, bytes) = (0, 0)
                while let pair = try pairs.next() {
                    count += 1
                    bytes += pair.value.count
                }
                return (count, bytes)
            }
        }

        func count() throws -> Int { try pool.read { try Pair.fetchCount($0) } }
    }
}

/// A record of the table.
private struct Pair: FetchableRecord, PersistableRecord {
    static let databaseTableName = "pair"

    let key: String
    let value: Data

    init(key: String, value: Data) {
        (self.key, self.value) = (key, value)
    }

    /// By position, which is GRDB's fastest way.
    init(row: Row) {
        key = row[0]
        value = row[1]
    }

    func encode(to container: inout PersistenceContainer) {
        container["key"] = key
        container["value"] = value
    }
}

extension DatabasePool {
    /// Opens the database of a directory with the settings of all SQLite databases.
    static func standard(_ directory: String, _ durability: Durability) throws -> DatabasePool {
        var configuration = Configuration()
        // Setting the journal mode again would need a lock that readers do not have.
        let pragmas = durability.pragmas.replacingOccurrences(
            of: "PRAGMA journal_mode=WAL; ", with: "")
        configuration.prepareDatabase { try $0.execute(sql: pragmas) }
        let pool = try DatabasePool(
            path: PlainConnection.path(directory), configuration: configuration)
        // Switching to a write-ahead log has set `synchronous` to NORMAL.
        try pool.writeWithoutTransaction { try $0.execute(sql: pragmas) }
        return pool
    }
}
