import DocumentStore

/// Records as documents of this project.
final class DocumentRecords: RecordDatabase {
    private let file: DataFile

    init(_ directory: String, _ durability: Durability) throws {
        file = try DataFile.standard(directory, durability)
    }

    /// The file serves all threads.
    func connect() -> any RecordConnection { Connection(file) }

    func close() { file.close() }

    private final class Connection: RecordConnection {
        private static let records = DocumentCollection(.default)

        private let file: DataFile

        init(_ file: DataFile) {
            self.file = file
        }

        func insert(_ records: [FieldRecord]) throws {
            try file.write { transaction in
                for record in records {
                    _ = try Self.records.save(record.key, in: transaction) { encoder in
                        encoder.beginDictionary()
                        for (name, value) in zip(FieldRecord.names, record.fields) {
                            try encoder.writeKey(name)
                            encoder.writeString(value)
                        }
                        try encoder.endDictionary()
                    }
                }
            }
        }

        func read(_ key: String) throws -> Int? {
            try file.read { try Self.records.get(key, in: $0) }.map(Self.size)
        }

        func update(_ key: String, field: Int, to value: String) throws -> Bool {
            try modify(key, field: field, to: value) { _ in true } ?? false
        }

        func modify(_ key: String, field: Int, to value: String) throws -> Int? {
            try modify(key, field: field, to: value, Self.size)
        }

        private func modify<T>(
            _ key: String, field: Int, to value: String, _ read: (Document) -> T
        ) throws -> T? {
            try file.write { transaction in
                guard let document = try Self.records.get(key, in: transaction) else {
                    return nil
                }
                let result = read(document)
                var copy = document.mutableCopy()
                copy[FieldRecord.names[field]] = .string(value)
                guard try Self.records.save(&copy, in: transaction).saved != nil else {
                    throw StandardError("the document \(key) has been changed")
                }
                return result
            }
        }

        func scan(from key: String, limit: Int) throws -> (count: Int, bytes: Int) {
            var options = RecordEnumerator.Options()
            options.startKey = key
            options.limit = limit
            var (count, bytes) = (0, 0)
            try file.read { snapshot in
                try Self.records.forEach(options, in: snapshot) { document in
                    count += 1
                    bytes += Self.size(try document.get())
                }
            }
            return (count, bytes)
        }

        func delete(_ keys: [String]) throws {
            try file.write { transaction in
                for key in keys { _ = try Self.records.purge(key, in: transaction) }
            }
        }

        func fields(of key: String) throws -> [String]? {
            try file.read { snapshot in
                try Self.records.get(key, in: snapshot).map { document in
                    FieldRecord.names.map { document[$0]?.string ?? "" }
                }
            }
        }

        func count() throws -> Int { try file.read { try Self.records.count(in: $0).live } }

        /// Reads each field as a string.
        private static func size(_ document: Document) -> Int {
            guard let properties = document.properties else { return 0 }
            return properties.reduce(0) { $0 + ($1.value.string?.utf8.count ?? 0) }
        }
    }
}
