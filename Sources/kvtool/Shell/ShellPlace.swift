internal import DataFileCore
internal import FleeceLite

/// The database that the shell is in, kept open, and the collection.
final class ShellPlace {
    let path: String
    let file: DataFile
    /// Nil for the default one.
    private(set) var collection: CollectionName?

    /// - Parameter access: what must be possible; the file itself is kept open for reading only.
    init(
        _ address: DatabaseAddress, _ access: DataFileOptions.Access, timeoutMilliseconds: Int
    ) throws {
        guard !address.path.isEmpty else { throw ToolError("the database's path is empty") }
        path = Self.withoutSlash(address.path)
        func options(_ access: DataFileOptions.Access) -> DataFileOptions {
            var options = DataFileOptions(access: access)
            options.busyTimeoutMilliseconds = timeoutMilliseconds
            options.upgrade = .never
            options.housekeeping = false
            options.logger = NoteHandler.logger
            return options
        }
        if access != .readOnly { try DataFile(path: path, options: options(access)).close() }
        file = try DataFile(path: path, options: options(.readOnly))
        if let name = address.collection { try enter(name) }
    }

    private static func withoutSlash(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    /// The database's name, as the prompt has it.
    var name: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".cblite2") ? String(name.dropLast(".cblite2".count)) : name
    }

    /// The argument that names the database and the collection for a command.
    var argument: String {
        guard let collection, path.hasSuffix(".cblite2") else { return path }
        return "\(path)//\(collection)"
    }

    /// Goes to a collection, as `NAME`, `SCOPE.NAME` or `SCOPE/NAME`; to the default one with `..`
    /// or nothing.
    func enter(_ name: String) throws {
        let name = name.replacing("/", with: ".")
        guard !name.isEmpty, name != "..", name != "." else { return collection = nil }
        let found = try CollectionName(name)
        guard try file.read({ try Collection(found).exists(in: $0) }) else {
            throw ToolError("\(path) has no collection \(found)", status: .notFound)
        }
        collection = found == .default ? nil : found
    }

    // What can be completed; nothing where the file does not tell.

    func collections() -> [String] {
        (try? file.read { try $0.collectionNames().map(\.description) }) ?? []
    }

    func indexes() -> [String] {
        (try? file.read { try $0.indexes().map(\.name) }) ?? []
    }

    /// The ids that begin so.
    func documents(_ beginning: String, limit: Int) -> [String] {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.startKey = beginning.isEmpty ? nil : beginning
        options.limit = limit
        let ids = try? file.read { snapshot in
            let records = try Collection(collection ?? .default).records(options, in: snapshot)
            var ids: [String] = []
            while let record = try records.next() {
                guard record.key.utf8.starts(with: beginning.utf8) else { break }
                ids.append(record.key)
            }
            return ids
        }
        return ids ?? []
    }

    /// The names of properties that the file has numbers for: nearly all that documents have.
    func properties() -> [String] {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.limit = 1
        let keys = try? file.read { snapshot in
            let records = try Collection(collection ?? .default).records(options, in: snapshot)
            var keys: [String] = []
            try records.forEachRow { row in
                keys = row.sharedKeys.keys
                return false
            }
            return keys
        }
        return (keys ?? []).filter { $0.first?.isNumber == false }
    }
}
