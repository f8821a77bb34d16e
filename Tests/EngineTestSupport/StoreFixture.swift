package import DataFileCore
internal import FleeceLite
package import SQLCore
package import StoreTestSupport

/// A data file in a temporary directory.
package struct StoreFixture {
    package let directory: TemporaryDirectory
    package let path: String
    package let people = DocumentCollection(.default)

    package init() throws {
        directory = try TemporaryDirectory()
        path = directory("test.cblite2")
        try DataFile(path: path, options: DataFileOptions(access: .create)).close()
    }

    package func open(_ access: DataFileOptions.Access = .readWrite) throws -> DataFile {
        try DataFile(path: path, options: DataFileOptions(access: access))
    }

    /// The SQLite file on a separate connection.
    package func sqlite() throws -> SQLContext {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.setBusyTimeout(milliseconds: 5000)
        return context
    }

    @discardableResult
    package func save(_ id: String, _ json: String, in file: DataFile) throws
        -> DocumentCollection.Saved
    {
        try file.write { transaction in
            try people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
    }

    /// The document as one line of JSON with sorted keys, nil if it does not exist.
    package func json(_ id: String, in file: DataFile) throws -> String? {
        try file.read { try json(id, in: $0) }
    }

    package func json(_ id: String, in snapshot: Snapshot) throws -> String? {
        guard let document = try people.get(id, in: snapshot) else { return nil }
        var writer = JSONWriter(options: .init(canonical: true))
        try document.write(to: &writer)
        return writer.text.string
    }
}
