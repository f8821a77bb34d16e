import DocumentStore

/// A raw store of this project: bytes by key, without sequences and revisions.
final class RawKeyValue: KeyValueDatabase {
    private let file: DataFile

    init(_ directory: String, _ durability: Durability) throws {
        file = try DataFile.standard(directory, durability)
        try file.write { try Connection.store.create(in: $0) }
    }

    /// The file serves all threads.
    func connect() -> any KeyValueConnection { Connection(file) }

    func close() { file.close() }

    private final class Connection: KeyValueConnection {
        static let store = KeyStore(KeyStoreName("pairs"))

        private let file: DataFile

        init(_ file: DataFile) {
            self.file = file
        }

        func put(_ pairs: ArraySlice<KeyValuePair>) throws {
            try file.write { transaction in
                for pair in pairs {
                    try Self.store.putRaw(
                        RawRecord(body: pair.value), for: pair.key, in: transaction)
                }
            }
        }

        func get(_ key: String, _ use: (UnsafeRawBufferPointer) -> Void) throws -> Bool {
            guard let record = try file.read({ try Self.store.getRaw(key, in: $0) }) else {
                return false
            }
            record.body.withUnsafeBytes(use)
            return true
        }

        func change(_ key: String, _ change: (inout [UInt8]) -> Void) throws -> Bool {
            try file.write { transaction in
                guard var record = try Self.store.getRaw(key, in: transaction) else {
                    return false
                }
                change(&record.body)
                try Self.store.putRaw(record, for: key, in: transaction)
                return true
            }
        }

        func delete(_ keys: ArraySlice<String>) throws {
            try file.write { transaction in
                for key in keys { try Self.store.putRaw(nil, for: key, in: transaction) }
            }
        }

        func scan(
            from key: String?, limit: Int, isDescending: Bool
        ) throws -> (count: Int, bytes: Int) {
            var options = RecordEnumerator.Options()
            options.startKey = key
            options.descending = isDescending
            options.limit = limit < .max ? limit : nil
            options.content = .body
            var (count, bytes) = (0, 0)
            try file.read { snapshot in
                try Self.store.records(options, in: snapshot).forEachRow { row in
                    count += 1
                    bytes += row.withBody(\.count)
                    return true
                }
            }
            return (count, bytes)
        }

        func count() throws -> Int { try file.read { try Self.store.count(in: $0).live } }
    }
}

extension DataFile {
    /// Opens the file of a directory, and creates it if it does not exist. Its settings are those
    /// of all SQLite databases.
    static func standard(_ directory: String, _ durability: Durability) throws -> DataFile {
        var options = DataFileOptions(access: .create)
        options.synchronous = durability == .full ? .full : .normal
        // Its time would be counted.
        options.maintenance = false
        return try DataFile(path: directory + "/data.cblite2", options: options)
    }
}
