internal import DocumentStore
internal import SQLCore

/// The rows of a KeyStore's table, each with the properties of its document.
struct IndexedStore {
    struct Row {
        let number: Int64
        let isDeleted: Bool
        /// Nil if it has none.
        let root: FleeceValue?
    }

    let table: String
    let rows: [Row]

    init(_ name: String, _ context: SQLContext) throws {
        let table = Self.table(name)
        self.table = table
        let keys = try Self.sharedKeys(context)
        let statement = try context.prepare(
            sql: "SELECT rowid, flags, body FROM \(table.sqlName) ORDER BY rowid")
        var rows: [Row] = []
        while try statement.next() {
            let body = statement.byteArray(at: 2) ?? []
            rows.append(
                Row(
                    number: statement.long(at: 0), isDeleted: statement.long(at: 1) & 1 != 0,
                    root: Self.root(body, keys)
                        ?? Self.bodyOfTree(body).flatMap {
                            Self.root($0, keys)
                        }))
        }
        self.rows = rows
    }

    /// The rows of live documents.
    var live: [Row] { rows.filter { !$0.isDeleted } }

    /// Each capital is preceded by a backslash.
    static func table(_ name: String) -> String {
        "kv_" + name.map { $0.isASCII && $0.isUppercase ? "\\\($0)" : "\($0)" }.joined()
    }

    static func sharedKeys(_ context: SQLContext) throws -> SharedKeys {
        let state = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        return try state?.bytesValue.map { try SharedKeys(state: $0) } ?? SharedKeys()
    }

    private static func root(_ bytes: [UInt8], _ keys: SharedKeys) -> FleeceValue? {
        bytes.isEmpty ? nil : try? FleeceDocument(validating: bytes, sharedKeys: keys).root
    }

    /// The body of the first revision of a tree, which 2.x stores in this column: size (4 bytes),
    /// parent (2), flags (1), length of the ID (1), ID, sequence (a varint), body.
    private static func bodyOfTree(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 8 else { return nil }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        let hasBody = bytes[6] & 0x80 != 0
        var at = 8 + Int(bytes[7])
        while at < bytes.count, bytes[at] >= 0x80 { at += 1 }
        at += 1
        guard hasBody, at <= size, size <= bytes.count else { return nil }
        return Array(bytes[at..<size])
    }
}
