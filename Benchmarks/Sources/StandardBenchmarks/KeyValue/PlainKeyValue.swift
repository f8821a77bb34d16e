import Foundation

/// A table with a key and a value, through SQLite's C interface.
final class PlainKeyValue: KeyValueDatabase {
    /// The kind of table.
    enum Table: String {
        /// The table is the index: best for small values.
        case withoutRowID = "WITHOUT ROWID"
        /// A table and an index of the keys: best for values of a kilobyte.
        case ordinary = ""
    }

    private let directory: String
    private let durability: Durability
    private let lock = NSLock()

    init(_ directory: String, _ durability: Durability, table: Table) throws {
        self.directory = directory
        self.durability = durability
        try PlainConnection(directory, durability).execute(
            "CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value BLOB) \(table.rawValue)")
    }

    func connect() throws -> any KeyValueConnection {
        try Connection(PlainConnection(directory, durability), lock)
    }

    func close() {}

    private final class Connection: KeyValueConnection {
        private let transactions: PlainTransactions
        private let putValue: PlainStatement
        private let getValue: PlainStatement
        private let deleteKey: PlainStatement
        private let ascending: PlainStatement
        private let descending: PlainStatement
        private let countAll: PlainStatement

        init(_ connection: PlainConnection, _ lock: NSLock) throws {
            let statement = { try PlainStatement(connection, $0) }
            transactions = try PlainTransactions(connection, lock)
            putValue = try statement(
                """
                INSERT INTO kv (key, value) VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value
                """)
            getValue = try statement("SELECT value FROM kv WHERE key = ?")
            deleteKey = try statement("DELETE FROM kv WHERE key = ?")
            ascending = try statement(
                "SELECT value FROM kv WHERE key >= ? ORDER BY key LIMIT ?")
            descending = try statement("SELECT value FROM kv ORDER BY key DESC LIMIT ?")
            countAll = try statement("SELECT count(*) FROM kv")
        }

        func put(_ pairs: ArraySlice<KeyValuePair>) throws {
            if pairs.count == 1, let pair = pairs.first {
                return try transactions.writeOnce { try store(pair.key, pair.value) }
            }
            try transactions.write { for pair in pairs { try store(pair.key, pair.value) } }
        }

        private func store(_ key: String, _ value: [UInt8]) throws {
            try key.withBytes { key in
                try value.withUnsafeBytes { value in
                    putValue.bind(text: key, at: 1)
                    putValue.bind(blob: value, at: 2)
                    try putValue.run()
                }
            }
        }

        func get(_ key: String, _ use: (UnsafeRawBufferPointer) -> Void) throws -> Bool {
            try key.withBytes { key in
                getValue.bind(text: key, at: 1)
                defer { getValue.reset() }
                guard try getValue.step() else { return false }
                use(getValue.bytes(at: 0))
                return true
            }
        }

        func change(_ key: String, _ change: (inout [UInt8]) -> Void) throws -> Bool {
            try transactions.write {
                var value: [UInt8] = []
                guard try get(key, { value = Array($0) }) else { return false }
                change(&value)
                try store(key, value)
                return true
            }
        }

        func delete(_ keys: ArraySlice<String>) throws {
            if keys.count == 1, let key = keys.first {
                return try transactions.writeOnce { try remove(key) }
            }
            try transactions.write { for key in keys { try remove(key) } }
        }

        private func remove(_ key: String) throws {
            try key.withBytes { key in
                deleteKey.bind(text: key, at: 1)
                try deleteKey.run()
            }
        }

        func scan(
            from key: String?, limit: Int, isDescending: Bool
        ) throws -> (count: Int, bytes: Int) {
            guard !isDescending else {
                descending.bind(limit, at: 1)
                return try Self.sums(descending)
            }
            return try (key ?? "").withBytes { key in
                ascending.bind(text: key, at: 1)
                ascending.bind(limit, at: 2)
                return try Self.sums(ascending)
            }
        }

        private static func sums(_ statement: PlainStatement) throws -> (count: Int, bytes: Int) {
            let (rows, sum) = try statement.sumRows()
            return (rows, sum)
        }

        func count() throws -> Int {
            defer { countAll.reset() }
            return try countAll.step() ? countAll.integer(at: 0) : 0
        }
    }
}
