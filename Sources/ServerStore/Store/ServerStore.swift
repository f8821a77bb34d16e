public import DocumentStore

/// The list of servers of a VPN client, stored in collections.
///
/// ```swift
/// let store = try ServerStore(path: "servers.cblite2")
/// try store.write { try store.replaceList(servers, in: $0) }
/// let groups = try store.read { try store.groups(filteredBy: [.features(.p2p)], in: $0) }
/// ```
/// All data is in collections of the scope `vpn` of one file, which other programs can open as a
/// Couchbase Lite database. Reading takes a `Snapshot` and writing a `Transaction`. Queries for
/// servers use the list of the snapshot (`list(in:)`), which is cached until it changes.
/// Applications normally use `ServerRepository`.
public struct ServerStore: Sendable {
    /// The file.
    public let file: DataFile
    /// The names of countries, for searches and for groups in the order of names.
    public let names: CountryNames
    let collections: Collections
    let cache = ListCache()

    /// Opens a file, and migrates its store to the current version.
    ///
    /// With the default options the file is created if it does not exist. To handle a file of a
    /// later version in another way than by an error, use the initializer with `ifNewer`.
    ///
    /// - Parameters:
    ///   - path: the path of the database: a directory, by convention with the
    ///     extension `cblite2`.
    ///   - options: how the file is opened.
    ///   - names: the names of countries, for searches and for groups in the order of names.
    /// - Throws: `ServerStoreError` with `.newerVersion` for a file of a later version of this
    ///   library or of the engine; errors of `DataFile.init`.
    public init(
        path: String, options: DataFileOptions = DataFileOptions(access: .create),
        names: CountryNames = .current
    ) throws {
        try self.init(path: path, options: options, names: names, ifNewer: .fail)
    }

    /// Creates an empty store in memory, for tests and previews. It exists until the last copy of
    /// this value is released.
    public static func inMemory(names: CountryNames = .current) throws -> ServerStore {
        try ServerStore(DataFile(inMemory: DataFileOptions(access: .create)), names: names)
    }

    /// Opens the store in an open file, which may contain other collections, too.
    ///
    /// Throws as `init(path:options:names:)` does.
    public init(_ file: DataFile, names: CountryNames = .current) throws {
        try self.init(file, names: names, CollectionMigration.all)
    }

    /// The same store with other names of countries, for example after a change of the language.
    public func with(names: CountryNames) -> ServerStore {
        ServerStore(file: file, names: names, collections: collections)
    }

    private init(file: DataFile, names: CountryNames, collections: Collections) {
        (self.file, self.names, self.collections) = (file, names, collections)
    }

    init(_ file: DataFile, names: CountryNames, _ migrations: [CollectionMigration]) throws {
        self.file = file
        self.names = names
        collections = try Collections()
        try migrate(migrations)
    }

    /// Reads in one snapshot, which does not change while others write.
    ///
    /// Blocks the calling thread, but never waits for a writer. The snapshot is valid only within
    /// `body`; keep it short, since an open snapshot prevents the WAL from being reset. In a task
    /// use the asynchronous variant.
    ///
    /// - Parameter body: reads the store.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try file.read(body) }

    /// Writes in one transaction, which is committed when `body` returns and rolled back if it
    /// throws.
    ///
    /// Blocks the calling thread while other writers of this or another process are active. Each
    /// commit has a fixed cost, so combine related changes in one transaction.
    ///
    /// - Parameter body: changes the store; the transaction is valid only within it.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T { try file.write(body) }

    /// The asynchronous variant, which does not block a thread on the disk.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await file.read(body)
    }

    /// The asynchronous variant, which does not block a thread on the disk.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await file.write(body)
    }
}

/// The collections of a store.
struct Collections: Sendable {
    /// The properties of servers that are valid for hours, with their endpoints.
    let logicals: DocumentCollection
    /// The properties that change from minute to minute.
    let loads: DocumentCollection
    /// The metadata of the list.
    let metadata: DocumentCollection
    /// The profiles of users.
    let profiles: DocumentCollection
    /// The recently used servers.
    let recents: DocumentCollection
    /// The version of the store.
    let info: DocumentCollection

    init() throws {
        func collection(_ name: String) throws -> DocumentCollection {
            DocumentCollection(try CollectionName("vpn." + name))
        }
        logicals = try collection("logicals")
        loads = try collection("loads")
        metadata = try collection("metadata")
        profiles = try collection("profiles")
        recents = try collection("recents")
        info = try collection("info")
    }
}

extension ServerStore {
    /// The value of a metadata key; nil if there is none.
    public func metadata(
        _ key: ServerMetadata.Key, in snapshot: Snapshot
    ) throws -> String? {
        try collections.metadata.get(key.rawValue, in: snapshot)?["value"]?.string
    }

    /// Stores a metadata value; nil removes it. An unchanged value is not written.
    public func setMetadata(
        _ value: String?, for key: ServerMetadata.Key, in transaction: Transaction
    ) throws {
        guard let value else {
            _ = try collections.metadata.purge(key.rawValue, in: transaction)
            return
        }
        guard try metadata(key, in: transaction) != value else { return }
        _ = try collections.metadata.save(key.rawValue, in: transaction) {
            try $0.encode(["value": value])
        }
    }
}

// How often a list was written, which detects outdated responses.
extension ServerStore {
    private static var generationID: String { "generation" }

    func generation(in snapshot: Snapshot) throws -> Int64 {
        try collections.metadata.get(Self.generationID, in: snapshot)?["value"]?.int ?? 0
    }

    func setGeneration(_ generation: Int64, in transaction: Transaction) throws {
        _ = try collections.metadata.save(Self.generationID, in: transaction) {
            try $0.encode(["value": generation])
        }
    }
}

// Queries for servers use `list(in:)`: reading all servers costs no more than a statement that
// finds all of them, and once they are read, the next query costs a twentieth or less. Counts are
// statements: they do not need the list.
extension ServerStore {
    /// The servers that match all filters, as shown in lists; see `list(in:)`.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> [ServerInfo] {
        try list(in: snapshot).servers(filteredBy: filters, orderedBy: order)
    }

    /// The first server that matches all filters, with all its endpoints; nil if there is none. See
    /// `list(in:)`.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> VPNServer? {
        try list(in: snapshot).firstServer(filteredBy: filters, orderedBy: order)
    }

    /// The groups of the servers that match all filters; see `list(in:)`.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending,
        in snapshot: Snapshot
    ) throws -> [ServerGroupInfo] {
        try list(in: snapshot).groups(
            filteredBy: filters, groupedBy: grouping, orderedBy: order)
    }

    /// The number of servers.
    public func serverCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(*) FROM vpn.logicals", in: snapshot)
    }

    /// The number of exit countries.
    public func countryCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(DISTINCT exitCountryCode) FROM vpn.logicals", in: snapshot)
    }

    /// Whether there are no servers.
    public func isEmpty(in snapshot: Snapshot) throws -> Bool {
        try serverCount(in: snapshot) == 0
    }

    private func count(_ text: String, in snapshot: Snapshot) throws -> Int {
        Int(try Query(text).rows(in: snapshot).next()?[0].int ?? 0)
    }
}
