import DocumentStore
import SQLCore
import StoreTestSupport
@testable import StoreFormat

extension GoldenDatabase {
    /// A writable copy, in the current schema.
    func writableCopy(to directory: TemporaryDirectory) throws -> String {
        let path = try copy(to: directory)
        // The first transaction upgrades the schema.
        let file = try Self.open(path)
        try file.write { _ in }
        file.close()
        return path
    }

    /// A writable copy of a file with revision trees whose rows have the format of Couchbase Lite
    /// 2, for which there is no real file with conflicts, remotes and blobs.
    func writableCopyInOlderForm(to directory: TemporaryDirectory) throws -> String {
        let path = try writableCopy(to: directory)
        let contents = try FileContents(path)
        let rows = contents.documents().values
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try SQLFunctions.register(in: context, sharedKeys: contents.sharedKeys)
        for row in rows {
            var tree = try RevisionTree(binary: row.extra ?? [])
            tree.revisions[0].body = row.bodyColumn
            // The triggers update the indexes.
            try context.exec(
                sql: "UPDATE \(row.table.sqlName) SET body = ?, extra = NULL WHERE key = ?",
                parameters: [.blob(.init(tree.written(withCurrentBody: true))), .text(row.key)])
        }
        try context.exec(
            sql: "UPDATE kv_info SET body = ? WHERE key = 'versioning'",
            parameters: [.blob(.init(BigEndian.bytes(0)))])
        return path
    }

    /// Opens a writable copy; maintenance does not move any rows by itself.
    static func open(_ path: String) throws -> DataFile {
        var options = DataFileOptions(access: .readWrite)
        options.maintenance = false
        return try DataFile(path: path, options: options)
    }
}
