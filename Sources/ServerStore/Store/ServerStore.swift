public import DocumentStore

/// The list of servers of a VPN client on KeyStores.
///
/// ```swift
/// let store = try ServerStore(path: "servers.cblite2")
/// try store.write { try store.replaceList(servers, in: $0) }
/// let groups = try store.read { try store.groups(filteredBy: [.features(.p2p)], in: $0) }
/// ```
/// Everything is in collections of the scope `vpn` of one file, which other programs can open as a
/// Couchbase Lite database. Reading takes a `Snapshot`, changing a `Transaction`. Questions about
/// servers are answered by the list of the snapshot (`list(in:)`), which is kept until it changes.
/// `ServerRepository` is what an application uses.
public struct ServerStore: Sendable {
    /// The file.
    public let file: DataFile
    /// The names of countries, for search and for groups in the order of names.
    public let names: CountryNames
    let collections: Collections
    let cache = ListCache()

    /// Opens a file, or creates it.
    ///
    /// Throws `ServerStoreError` with `.newerVersion` for a file of a later version of this
    /// library or of the engine, and as `DataFile.init` does.
    public init(
        path: String, options: DataFileOptions = DataFileOptions(access: .create),
        names: CountryNames = .current
    ) throws {
        try self.init(path: path, options: options, names: names, ifNewer: .fail)
    }

    /// A store in memory, which goes with the last copy of this value.
    public static func inMemory(names: CountryNames = .current) throws -> ServerStore {
        try ServerStore(DataFile(inMemory: DataFileOptions(access: .create)), names: names)
    }

    /// The store in a file that is open, which may hold other collections too.
    ///
    /// Throws as `init(path:options:names:)` does.
    public init(_ file: DataFile, names: CountryNames = .current) throws {
        try self.init(file, names: names, Migration.all)
    }

    /// The same store with other names of countries, as when the user has chosen another language.
    public func with(names: CountryNames) -> ServerStore {
        ServerStore(file: file, names: names, collections: collections)
    }

    private init(file: DataFile, names: CountryNames, collections: Collections) {
        (self.file, self.names, self.collections) = (file, names, collections)
    }

    init(_ file: DataFile, names: CountryNames, _ migrations: [Migration]) throws {
        self.file = file
        self.names = names
        collections = try Collections()
        try migrate(migrations)
    }

    /// Reads, without seeing what others write meanwhile.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try file.read(body) }

    /// Changes; all of it, or nothing if `body` throws.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T { try file.write(body) }

    /// The same from a task, in which nothing waits for the disk.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await file.read(body)
    }

    /// The same from a task, in which nothing waits for the disk.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await file.write(body)
    }
}
