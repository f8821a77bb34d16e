package import SQLCore
internal import StoreFormat

/// Rows of the raw store `info`, numbers most of them, on a connection that needs no session.
package enum InfoRow {
    /// What the file says under a key.
    package enum Number: Equatable {
        /// There is no row.
        case missing
        /// The row is not 8 bytes.
        case damaged
        case number(UInt64)
    }

    package static func number(_ key: String, in context: SQLContext) throws -> Number {
        let body = try context.first(SchemaSQL.getInfo, [.text(key)]) {
            $0.byteArray(at: 0) ?? []
        }
        guard let body else { return .missing }
        return BigEndian.number(body).map { .number($0) } ?? .damaged
    }

    package static func set(_ key: String, to number: UInt64, in context: SQLContext) throws {
        try set(key, to: BigEndian.bytes(number), in: context)
    }

    /// Writes a body; the row's other columns, which 2.x filled, stay.
    static func set(_ key: String, to body: [UInt8], in context: SQLContext) throws {
        let values: [SQLValue] = [.blob(body), .text(key)]
        let changed = try context.run("UPDATE kv_info SET body=? WHERE key=?", values)
        if changed == 0 { try context.run("INSERT INTO kv_info (body, key) VALUES (?, ?)", values) }
    }
}
