import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport

/// A file of Couchbase Lite 3.0, whose tombstones are stored with the live records.
enum OlderFile {
    static let name = "db_3_0_0_names_100_with_deleted.cblite2"
    /// The last sequence of the golden file, and the number of its records and tombstones.
    private static let lastSequence = 122

    /// A copy of the golden file with several copies of each record: moving the tombstones of 30
    /// takes several steps.
    static func copy(in directory: TemporaryDirectory, copies: Int = 30) throws -> String {
        let path = try directory.copy(of: GoldenFiles.file("litecore/" + name))
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        if copies > 1 {
            try context.exec(
                sql: """
                    WITH RECURSIVE copies (n) AS
                        (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < \(copies - 1))
                    INSERT INTO kv_default (key, sequence, flags, version, body, extra)
                        SELECT key || '-' || n, sequence + \(lastSequence) * n, flags, version,
                            body, extra
                        FROM kv_default, copies
                    """)
        }
        try context.exec(
            sql: "UPDATE kvmeta SET lastSeq = (SELECT max(sequence) FROM kv_default)")
        try context.close()
        return path
    }

    /// All properties of a document.
    struct Row: Equatable {
        let key: String
        let sequence: Int64
        let flags: DocumentFlags
        let version: [UInt8]
        let body: [UInt8]?
        let expiration: Int64?
    }

    /// All documents, by key, in either table.
    static func records(_ file: DataFile) throws -> [Row] {
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        return try file.read { snapshot in
            let records = try KeyStore(.default).records(options, in: snapshot)
            var found: [Row] = []
            while let record = try records.next() {
                found.append(
                    Row(
                        key: record.key, sequence: record.sequence, flags: record.flags,
                        version: record.version, body: record.currentBody,
                        expiration: record.expiration))
            }
            return found
        }
    }
}
