import CLMDB

/// A database of LMDB.
final class LMDBKeyValue: KeyValueDatabase {
    private let environment: LMDBEnvironment

    init(_ directory: String, _ durability: Durability) throws {
        environment = try LMDBEnvironment(directory, durability)
    }

    func connect() throws -> any KeyValueConnection { try Connection(environment) }

    /// The environment is closed once the connections are released, too.
    func close() {}

    private final class Connection: KeyValueConnection {
        private let environment: LMDBEnvironment
        private let reader: LMDBReader
        /// Depends on the bytes read by scans, so that reading them is not optimized away.
        private(set) var touchedBytes: UInt8 = 0
        private var database: MDB_dbi { environment.database }

        init(_ environment: LMDBEnvironment) throws {
            self.environment = environment
            reader = try LMDBReader(environment)
        }

        func put(_ pairs: ArraySlice<KeyValuePair>) throws {
            try environment.write { transaction in
                for pair in pairs { try store(pair.key, pair.value, transaction) }
            }
        }

        private func store(
            _ key: String, _ value: [UInt8], _ transaction: OpaquePointer
        ) throws {
            try key.withBytes { key in
                try value.withUnsafeBytes { value in
                    var (key, value) = (MDB_val(key), MDB_val(value))
                    try LMDBEnvironment.check(
                        mdb_put(transaction, database, &key, &value, 0), "mdb_put")
                }
            }
        }

        func get(_ key: String, _ use: (UnsafeRawBufferPointer) -> Void) throws -> Bool {
            try reader.read { try find(key, $0, use) }
        }

        private func find(
            _ key: String, _ transaction: OpaquePointer, _ use: (UnsafeRawBufferPointer) -> Void
        ) throws -> Bool {
            try key.withBytes { key in
                var (key, value) = (MDB_val(key), MDB_val())
                let code = mdb_get(transaction, database, &key, &value)
                guard code != MDB_NOTFOUND else { return false }
                try LMDBEnvironment.check(code, "mdb_get")
                use(value.bytes)
                return true
            }
        }

        func change(_ key: String, _ change: (inout [UInt8]) -> Void) throws -> Bool {
            try environment.write { transaction in
                var value: [UInt8] = []
                guard try find(key, transaction, { value = Array($0) }) else { return false }
                change(&value)
                try store(key, value, transaction)
                return true
            }
        }

        func delete(_ keys: ArraySlice<String>) throws {
            try environment.write { transaction in
                for key in keys {
                    try key.withBytes { key in
                        var key = MDB_val(key)
                        let code = mdb_del(transaction, database, &key, nil)
                        guard code != MDB_NOTFOUND else { return }
                        try LMDBEnvironment.check(code, "mdb_del")
                    }
                }
            }
        }

        func scan(
            from key: String?, limit: Int, isDescending: Bool
        ) throws -> (count: Int, bytes: Int) {
            try reader.read { transaction in
                var cursor: OpaquePointer?
                try LMDBEnvironment.check(
                    mdb_cursor_open(transaction, database, &cursor), "mdb_cursor_open")
                defer { mdb_cursor_close(cursor) }
                return try (key ?? "").withBytes { start in
                    var key = MDB_val(start)
                    let first =
                        isDescending ? MDB_LAST : start.isEmpty ? MDB_FIRST : MDB_SET_RANGE
                    return try sum(
                        cursor, &key, limit, first, then: isDescending ? MDB_PREV : MDB_NEXT)
                }
            }
        }

        private func sum(
            _ cursor: OpaquePointer?, _ key: inout MDB_val, _ limit: Int, _ first: MDB_cursor_op,
            then next: MDB_cursor_op
        ) throws -> (count: Int, bytes: Int) {
            var (operation, count, bytes, touched) = (first, 0, 0, 0 as UInt8)
            while count < limit {
                var value = MDB_val()
                let code = mdb_cursor_get(cursor, &key, &value, operation)
                if code == MDB_NOTFOUND { break }
                try LMDBEnvironment.check(code, "mdb_cursor_get")
                (operation, count, bytes) = (next, count + 1, bytes + value.mv_size)
                // Reads the first and the last byte, as the baseline does.
                let read = value.bytes
                if let low = read.first, let high = read.last { touched ^= low ^ high }
            }
            touchedBytes ^= touched
            return (count, bytes)
        }

        func count() throws -> Int {
            try reader.read { transaction in
                var statistics = MDB_stat()
                try LMDBEnvironment.check(
                    mdb_stat(transaction, database, &statistics), "mdb_stat")
                return statistics.ms_entries
            }
        }
    }
}

extension MDB_val {
    /// Refers to bytes that LMDB does not change.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// The bytes, which are valid until the transaction ends or writes.
    fileprivate var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
