import Foundation

/// Records as JSON text in a table, through SQLite's C interface and its JSON functions.
final class JSONRecords: RecordDatabase {
    private let directory: String
    private let durability: Durability
    private let lock = NSLock()

    init(_ directory: String, _ durability: Durability) throws {
        self.directory = directory
        self.durability = durability
        try PlainConnection(directory, durability).execute(
            "CREATE TABLE IF NOT EXISTS record (key TEXT PRIMARY KEY, body TEXT)")
    }

    func connect() throws -> any RecordConnection {
        try Connection(PlainConnection(directory, durability), lock)
    }

    func close() {}

    /// JSON text; no value needs an escape.
    private static func json(_ record: FieldRecord) -> String {
        let fields = zip(FieldRecord.names, record.fields).map { "\"\($0)\":\"\($1)\"" }
        return "{" + fields.joined(separator: ",") + "}"
    }

    private static let allFields = FieldRecord.names.map { "json_extract(body, '$.\($0)')" }
        .joined(separator: ", ")
    private static let paths = FieldRecord.names.map { "$." + $0 }

    private final class Connection: RecordConnection {
        private let transactions: PlainTransactions
        private let insertRecord: PlainStatement
        private let getFields: PlainStatement
        private let setField: PlainStatement
        private let scanFields: PlainStatement
        private let deleteRecord: PlainStatement
        private let countAll: PlainStatement

        init(_ connection: PlainConnection, _ lock: NSLock) throws {
            let statement = { try PlainStatement(connection, $0) }
            transactions = try PlainTransactions(connection, lock)
            insertRecord = try statement("INSERT INTO record (key, body) VALUES (?, ?)")
            getFields = try statement("SELECT \(allFields) FROM record WHERE key = ?")
            setField = try statement(
                "UPDATE record SET body = json_set(body, ?, ?) WHERE key = ?")
            scanFields = try statement(
                "SELECT \(allFields) FROM record WHERE key >= ? ORDER BY key LIMIT ?")
            deleteRecord = try statement("DELETE FROM record WHERE key = ?")
            countAll = try statement("SELECT count(*) FROM record")
        }

        func insert(_ records: [FieldRecord]) throws {
            try transactions.write {
                for record in records {
                    try record.key.withBytes { key in
                        try json(record).withBytes { body in
                            insertRecord.bind(text: key, at: 1)
                            insertRecord.bind(text: body, at: 2)
                            try insertRecord.run()
                        }
                    }
                }
            }
        }

        func read(_ key: String) throws -> Int? {
            try withRow(key) { $0.sum() }
        }

        func update(_ key: String, field: Int, to value: String) throws -> Bool {
            try transactions.writeOnce { try set(key, field, value) }
        }

        func modify(_ key: String, field: Int, to value: String) throws -> Int? {
            try transactions.write {
                guard let size = try read(key), try set(key, field, value) else { return nil }
                return size
            }
        }

        func scan(from key: String, limit: Int) throws -> (count: Int, bytes: Int) {
            try key.withBytes { key in
                scanFields.bind(text: key, at: 1)
                scanFields.bind(limit, at: 2)
                let (rows, sum) = try scanFields.sumRows()
                return (rows, sum)
            }
        }

        func delete(_ keys: [String]) throws {
            try transactions.write {
                for key in keys {
                    try key.withBytes { key in
                        deleteRecord.bind(text: key, at: 1)
                        try deleteRecord.run()
                    }
                }
            }
        }

        func fields(of key: String) throws -> [String]? {
            try withRow(key) { row in (0..<row.columnCount).map { row.text(at: $0) } }
        }

        func count() throws -> Int {
            defer { countAll.reset() }
            return try countAll.step() ? countAll.integer(at: 0) : 0
        }

        private func withRow<T>(_ key: String, _ use: (PlainStatement) -> T) throws -> T? {
            try key.withBytes { key in
                getFields.bind(text: key, at: 1)
                defer { getFields.reset() }
                return try getFields.step() ? use(getFields) : nil
            }
        }

        private func set(_ key: String, _ field: Int, _ value: String) throws -> Bool {
            try key.withBytes { key in
                try paths[field].withBytes { path in
                    try value.withBytes { value in
                        setField.bind(text: path, at: 1)
                        setField.bind(text: value, at: 2)
                        setField.bind(text: key, at: 3)
                        try setField.run()
                        return setField.changes == 1
                    }
                }
            }
        }
    }
}
