import DataFileCore
import FleeceLite
import SQLCore
import StoreTestSupport

/// A data file in a folder of its own.
struct StoreFixture {
    let folder: TemporaryFolder
    let path: String
    let people = Collection(.default)

    init() throws {
        folder = try TemporaryFolder()
        path = folder("test.cblite2")
        try DataFile(path: path, options: DataFileOptions(access: .create)).close()
    }

    func open(_ access: DataFileOptions.Access = .readWrite) throws -> DataFile {
        try DataFile(path: path, options: DataFileOptions(access: access))
    }

    /// The SQLite file on a connection of its own.
    func sqlite() throws -> SQLContext {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.setBusyTimeout(milliseconds: 5000)
        return context
    }

    @discardableResult
    func save(_ id: String, _ json: String, in file: DataFile) throws -> Collection.Saved {
        try file.write { transaction in
            try people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
    }

    /// The document as one line of JSON with sorted keys, nil if it is not there.
    func json(_ id: String, in file: DataFile) throws -> String? {
        try file.read { try json(id, in: $0) }
    }

    func json(_ id: String, in snapshot: Snapshot) throws -> String? {
        guard let document = try people.get(id, in: snapshot) else { return nil }
        var writer = JSONWriter(options: .init(canonical: true))
        try document.write(to: &writer)
        return writer.text.string
    }
}
