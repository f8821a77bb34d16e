internal import DocumentStore
internal import KVToolCore

/// The database of the shell, which stays open, and the current collection.
final class ShellLocation {
    let path: String
    let file: DataFile
    /// Nil for the default collection.
    private(set) var collection: CollectionName?

    private let timeoutMilliseconds: Int

    /// - Parameter access: checked here; the file itself stays open for reading only.
    init(
        _ address: DatabaseAddress, _ access: DataFileOptions.Access, timeoutMilliseconds: Int
    ) throws {
        guard !address.path.isEmpty else { throw ToolError("the database's path is empty") }
        path = Self.withoutSlash(address.path)
        self.timeoutMilliseconds = timeoutMilliseconds
        if access != .readOnly { try Self.open(path, access, timeoutMilliseconds).close() }
        file = try Self.open(path, .readOnly, timeoutMilliseconds)
        guard let name = address.collection else { return }
        let found = try Self.collection(name)
        try enter(found, exists: try file.read { try DocumentCollection(found).exists(in: $0) })
    }

    /// Opens the file again, for a transaction of the shell.
    ///
    /// - Parameter upgrades: whether the transaction upgrades a file with an older schema.
    func openForWriting(upgrades: Bool) throws -> DataFile {
        try Self.open(path, .readWrite, timeoutMilliseconds, upgrades: upgrades)
    }

    private static func open(
        _ path: String, _ access: DataFileOptions.Access, _ timeoutMilliseconds: Int,
        upgrades: Bool = false
    ) throws -> DataFile {
        let options = DataFileOptions.tool(
            access, timeoutMilliseconds: timeoutMilliseconds, upgrades: upgrades)
        return try DatabaseAddress.open(path, options)
    }

    private static func withoutSlash(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    /// The database name in the prompt.
    var name: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".cblite2") ? String(name.dropLast(".cblite2".count)) : name
    }

    /// The argument that names the database and the collection for a command.
    var argument: String { collection.map { "\(path)//\($0)" } ?? path }

    /// Changes to a collection, given as `NAME`, `SCOPE.NAME` or `SCOPE/NAME`; to the default one
    /// for `..` or an empty name.
    ///
    /// - Parameter transaction: the open transaction, in which the collection may have been
    ///   created.
    func enter(_ name: String, in transaction: HeldTransaction?) async throws {
        let found = try Self.collection(name)
        let exists =
            if let transaction {
                try await transaction.perform { try DocumentCollection(found).exists(in: $0) }
            } else {
                try await file.reading { try DocumentCollection(found).exists(in: $0) }
            }
        try enter(found, exists: exists)
    }

    private static func collection(_ name: String) throws -> CollectionName {
        guard !["", ".", ".."].contains(name) else { return .default }
        return try CollectionName(argument: name.replacing("/", with: "."))
    }

    private func enter(_ name: CollectionName, exists: Bool) throws {
        guard exists || name == .default else {
            throw ToolError("\(path) has no collection \(name)", status: .notFound)
        }
        collection = name == .default ? nil : name
    }

    // Completion candidates; empty if the file cannot be read.

    func collections() -> [String] {
        (try? file.read { try $0.collectionNames().map(\.description) }) ?? []
    }

    func indexes() -> [String] {
        (try? file.read { try $0.indexes().map(\.name) }) ?? []
    }

    /// Returns the document IDs with a prefix.
    func documents(_ beginning: String, limit: Int) -> [String] {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.startKey = beginning.isEmpty ? nil : beginning
        options.limit = limit
        let ids = try? file.read { snapshot in
            let records = try DocumentCollection(collection ?? .default).records(
                options, in: snapshot)
            var ids: [String] = []
            while let record = try records.next() {
                guard record.key.utf8.starts(with: beginning.utf8) else { break }
                ids.append(record.key)
            }
            return ids
        }
        return ids ?? []
    }

    /// Returns the property names at a path, whose first name may be that of the collection.
    ///
    /// - Parameter name: the collection as written in a statement; the current one if it does not
    ///   exist.
    func properties(behind path: [String], of name: String? = nil) -> [String] {
        let names = collections()
        let found = name.flatMap { names.contains($0) ? try? CollectionName(argument: $0) : nil }
        let properties = try? file.read {
            try SampledProperties(DocumentCollection(found ?? collection ?? .default), in: $0)
        }
        guard let properties else { return [] }
        let whole = properties.names(behind: path)
        return whole.isEmpty && !path.isEmpty
            ? properties.names(behind: Array(path.dropFirst())) : whole
    }
}
