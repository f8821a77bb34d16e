import GRDB

/// A table with a column for each field, through GRDB's records.
final class GRDBRecords: RecordDatabase {
    private let pool: DatabasePool

    init(_ directory: String, _ durability: Durability) throws {
        pool = try DatabasePool.standard(directory, durability)
        let columns = FieldRecord.names.map { "\($0) TEXT NOT NULL" }.joined(separator: ", ")
        try pool.write {
            try $0.execute(
                sql: "CREATE TABLE IF NOT EXISTS record (key TEXT PRIMARY KEY, \(columns))")
        }
    }

    /// The pool serves all threads.
    func connect() -> any RecordConnection { Connection(pool) }

    func close() throws { try pool.close() }

    private final class Connection: RecordConnection {
        private let pool: DatabasePool

        init(_ pool: DatabasePool) {
            self.pool = pool
        }

        func insert(_ records: [FieldRecord]) throws {
            try pool.write { database in
                for record in records { try Row(record).insert(database) }
            }
        }

        func read(_ key: String) throws -> Int? {
            try pool.read { try Row.fetchOne($0, key: key) }?.size
        }

        func update(_ key: String, field: Int, to value: String) throws -> Bool {
            try pool.write { database in
                let column = Column(FieldRecord.names[field])
                return try Row.filter(key: key).updateAll(database, column.set(to: value)) == 1
            }
        }

        func modify(_ key: String, field: Int, to value: String) throws -> Int? {
            try pool.write { database in
                guard var row = try Row.fetchOne(database, key: key) else { return nil }
                let size = row.size
                row.record.fields[field] = value
                try row.update(database, columns: [FieldRecord.names[field]])
                return size
            }
        }

        func scan(from key: String, limit: Int) throws -> (count: Int, bytes: Int) {
            try pool.read { database in
                let column = Column("key")
                let rows = try Row.filter(column >= key).order(column).limit(limit)
                    .fetchCursor(database)
                var (count, bytes) = (0, 0)
                while let row = try rows.next() {
                    count += 1
                    bytes += row.size
                }
                return (count, bytes)
            }
        }

        func delete(_ keys: [String]) throws {
            try pool.write { database in
                for key in keys { _ = try Row.deleteOne(database, key: key) }
            }
        }

        func fields(of key: String) throws -> [String]? {
            try pool.read { try Row.fetchOne($0, key: key) }?.record.fields
        }

        func count() throws -> Int { try pool.read { try Row.fetchCount($0) } }
    }

    /// A record of the table.
    private struct Row: FetchableRecord, PersistableRecord {
        static let databaseTableName = "record"

        var record: FieldRecord

        init(_ record: FieldRecord) {
            self.record = record
        }

        /// By position, which is GRDB's fastest way.
        init(row: GRDB.Row) {
            record = FieldRecord(
                key: row[0], fields: (1...FieldRecord.fieldCount).map { row[$0] })
        }

        func encode(to container: inout PersistenceContainer) {
            container["key"] = record.key
            for (name, value) in zip(FieldRecord.names, record.fields) { container[name] = value }
        }

        var size: Int { record.fields.reduce(0) { $0 + $1.utf8.count } }
    }
}
