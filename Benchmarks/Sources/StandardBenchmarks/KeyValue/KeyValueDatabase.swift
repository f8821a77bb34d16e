/// A key and its value.
package struct KeyValuePair: Sendable {
    /// The key.
    package let key: String
    /// The value.
    package let value: [UInt8]

    /// Creates a pair.
    package init(_ key: String, _ value: [UInt8]) {
        (self.key, self.value) = (key, value)
    }
}

/// A database that stores bytes by key.
package protocol KeyValueDatabase: AnyObject {
    /// A connection for one thread.
    func connect() throws -> any KeyValueConnection
    /// Closes the database, whose connections have been released.
    func close() throws
}

/// A connection to a key-value database, used by one thread at a time.
package protocol KeyValueConnection: AnyObject {
    /// Stores pairs in one transaction, replacing existing values.
    func put(_ pairs: ArraySlice<KeyValuePair>) throws
    /// Passes the value of a key to `use`, in a snapshot of its own. Returns whether there is one.
    func get(_ key: String, _ use: (UnsafeRawBufferPointer) -> Void) throws -> Bool
    /// Changes the value of a key in one transaction. Returns whether there is one.
    func change(_ key: String, _ change: (inout [UInt8]) -> Void) throws -> Bool
    /// Removes keys in one transaction.
    func delete(_ keys: ArraySlice<String>) throws
    /// Reads values in the order of their keys, in one snapshot.
    ///
    /// - Parameters:
    ///   - key: the first key, or the next one if it does not exist; nil for the first of all.
    ///   - isDescending: whether to start at the last key and go down; `key` must be nil.
    /// - Returns: the number of values and of their bytes.
    func scan(
        from key: String?, limit: Int, isDescending: Bool
    ) throws -> (count: Int, bytes: Int)
    /// The number of keys.
    func count() throws -> Int
}

/// The databases of the key-value workloads, by the names in reports.
package enum KeyValueEngine: String, CaseIterable, Sendable {
    /// A table with a key and a value, through SQLite's C interface.
    case plain = "SQLite key-value in C"
    /// A table with a key and a value, through GRDB.
    case grdb = "GRDB"
    /// The memory-mapped B+ tree of OpenLDAP.
    case lmdb = "LMDB"
    /// A raw store of this project.
    case raw = "raw records"

    /// Opens the database of an existing directory, and creates it if it does not exist.
    package func open(
        _ directory: String, _ durability: Durability
    ) throws -> any KeyValueDatabase {
        switch self {
        case .plain: try PlainKeyValue(directory, durability, table: .withoutRowID)
        case .grdb: try GRDBKeyValue(directory, durability)
        case .lmdb: try LMDBKeyValue(directory, durability)
        case .raw: try RawKeyValue(directory, durability)
        }
    }
}
