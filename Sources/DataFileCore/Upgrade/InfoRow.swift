internal import SQLCore

/// Rows of the raw store `info` that are numbers, on a connection that needs no session.
enum InfoRow {
    /// What the file says under a key.
    enum Number: Equatable {
        /// There is no row.
        case missing
        /// The row is not 8 bytes.
        case damaged
        case number(UInt64)
    }

    static func number(_ key: String, in context: SQLContext) throws -> Number {
        let body = try context.first("SELECT body FROM kv_info WHERE key=?", [.text(key)]) {
            $0.byteArray(at: 0) ?? []
        }
        guard let body else { return .missing }
        return BigEndian.number(body).map { .number($0) } ?? .damaged
    }

    /// Writes a number; the row's other columns, which 2.x filled, stay.
    static func set(_ key: String, to number: UInt64, in context: SQLContext) throws {
        let values: [SQLValue] = [.blob(BigEndian.bytes(number)), .text(key)]
        let changed = try context.run("UPDATE kv_info SET body=? WHERE key=?", values)
        if changed == 0 { try context.run("INSERT INTO kv_info (body, key) VALUES (?, ?)", values) }
    }
}
