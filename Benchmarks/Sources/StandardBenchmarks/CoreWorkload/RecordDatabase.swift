/// A database of records with fields.
package protocol RecordDatabase: AnyObject {
    /// A connection for one thread.
    func connect() throws -> any RecordConnection
    /// Closes the database, whose connections have been released.
    func close() throws
}

/// A connection to a database of records, used by one thread at a time. Each call is a transaction
/// or a snapshot of its own.
package protocol RecordConnection: AnyObject {
    /// Inserts records in one transaction.
    func insert(_ records: [FieldRecord]) throws
    /// Reads all fields. Returns the number of their bytes; nil if there is no such record.
    func read(_ key: String) throws -> Int?
    /// Sets one field. Returns whether there is such a record.
    func update(_ key: String, field: Int, to value: String) throws -> Bool
    /// Reads all fields, and sets one. Returns the number of bytes read; nil if there is no such
    /// record.
    func modify(_ key: String, field: Int, to value: String) throws -> Int?
    /// Reads all fields of records in the order of their keys, from the first key on or, if it does
    /// not exist, the next one. Returns the number of records and of bytes.
    func scan(from key: String, limit: Int) throws -> (count: Int, bytes: Int)
    /// Removes records in one transaction.
    func delete(_ keys: [String]) throws
    /// The values of all fields, for checks; nil if there is no such record.
    func fields(of key: String) throws -> [String]?
    /// The number of records.
    func count() throws -> Int
}

/// The databases of the core workloads, by the names in reports.
package enum RecordEngine: String, CaseIterable, Sendable {
    /// A table with a key and the bytes of all fields, through SQLite's C interface.
    case plain = "SQLite key-value in C"
    /// A table with a key and JSON text, through SQLite's C interface and its JSON functions.
    case json = "SQLite JSON1 in C"
    /// A table with a column for each field, through GRDB.
    case grdb = "GRDB"
    /// The bytes of all fields by key, in LMDB.
    case lmdb = "LMDB"
    /// Documents of this project.
    case documents = "documents"

    /// Opens the database of an existing directory, and creates it if it does not exist.
    package func open(
        _ directory: String, _ durability: Durability
    ) throws -> any RecordDatabase {
        switch self {
        case .plain:
            BinaryRecords(try PlainKeyValue(directory, durability, table: .ordinary))
        case .json: try JSONRecords(directory, durability)
        case .grdb: try GRDBRecords(directory, durability)
        case .lmdb: BinaryRecords(try LMDBKeyValue(directory, durability))
        case .documents: try DocumentRecords(directory, durability)
        }
    }

    /// Creates and fills a database with the records 0 to below `count`.
    package func fill(_ directory: String, count: Int) throws {
        let database = try open(directory, .normal)
        try fill(database.connect(), count: count)
        try database.close()
    }

    private func fill(_ connection: any RecordConnection, count: Int) throws {
        let batch = 10_000
        for first in stride(from: 0, to: count, by: batch) {
            let numbers = first..<min(first + batch, count)
            try connection.insert(numbers.map(FieldRecord.init(number:)))
        }
        let found = try connection.count()
        guard found == count else {
            throw StandardError("\(rawValue): \(found) records were stored, not \(count)")
        }
    }
}
