/// Records as values of a key-value database: the fields, which have a fixed size, one after the
/// other.
final class BinaryRecords: RecordDatabase {
    private let database: any KeyValueDatabase

    init(_ database: any KeyValueDatabase) {
        self.database = database
    }

    func connect() throws -> any RecordConnection { Connection(try database.connect()) }

    func close() throws { try database.close() }

    private final class Connection: RecordConnection {
        private let connection: any KeyValueConnection
        /// Depends on each field that was read, so that reading is not optimized away.
        private var touched: UInt8 = 0

        init(_ connection: any KeyValueConnection) {
            self.connection = connection
        }

        func insert(_ records: [FieldRecord]) throws {
            try connection.put(records.map { KeyValuePair($0.key, $0.bytes) }[...])
        }

        func read(_ key: String) throws -> Int? {
            var size: Int?
            _ = try connection.get(key) { size = self.size($0) }
            return size
        }

        func update(_ key: String, field: Int, to value: String) throws -> Bool {
            try connection.change(key) { Self.set(field, value, &$0) }
        }

        func modify(_ key: String, field: Int, to value: String) throws -> Int? {
            var size: Int?
            _ = try connection.change(key) { record in
                size = record.withUnsafeBytes { self.size($0) }
                Self.set(field, value, &record)
            }
            return size
        }

        func scan(from key: String, limit: Int) throws -> (count: Int, bytes: Int) {
            try connection.scan(from: key, limit: limit, isDescending: false)
        }

        func delete(_ keys: [String]) throws { try connection.delete(keys[...]) }

        func fields(of key: String) throws -> [String]? {
            var fields: [String]?
            _ = try connection.get(key) { record in
                fields = (0..<FieldRecord.fieldCount).map { field in
                    let start = field * FieldRecord.fieldSize
                    return String(
                        decoding: record[start..<start + FieldRecord.fieldSize], as: UTF8.self)
                }
            }
            return fields
        }

        func count() throws -> Int { try connection.count() }

        /// Reads the first byte of each field.
        private func size(_ record: UnsafeRawBufferPointer) -> Int {
            for start in stride(from: 0, to: record.count, by: FieldRecord.fieldSize) {
                touched ^= record[start]
            }
            return record.count
        }

        private static func set(_ field: Int, _ value: String, _ record: inout [UInt8]) {
            let start = field * FieldRecord.fieldSize
            value.withBytes { value in
                record.withUnsafeMutableBytes {
                    $0[start..<start + value.count].copyBytes(from: value)
                }
            }
        }
    }
}
