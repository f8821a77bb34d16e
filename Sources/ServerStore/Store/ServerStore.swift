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
        try self.init(file, names: names, CollectionMigration.all)
    }

    /// The same store with other names of countries, as when the user has chosen another language.
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

/// The collections of a store.
struct Collections: Sendable {
    /// What is known of servers for hours, with their endpoints.
    let logicals: DocumentCollection
    /// What changes of them from minute to minute.
    let loads: DocumentCollection
    /// What is known of the list besides its servers.
    let metadata: DocumentCollection
    /// What users have made of servers.
    let profiles: DocumentCollection
    /// The servers that were used last.
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
    /// What is known of the list; nil if nothing is.
    public func metadata(
        _ key: ServerMetadata.Key, in snapshot: Snapshot
    ) throws -> String? {
        try collections.metadata.get(key.rawValue, in: snapshot)?["value"]?.string
    }

    /// Says what is known of the list; nil removes it. What is so already is not written.
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

// How often a list was written, so that an answer that comes too late is found out.
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

// `list(in:)` answers what is about servers: reading all of them costs no more than a statement
// that finds all of them, and once they are read the next question costs a twentieth or less.
// Counts are statements: they need no list.
extension ServerStore {
    /// The servers that filters find, as lists show them; see `list(in:)`.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> [ServerInfo] {
        try list(in: snapshot).servers(filteredBy: filters, orderedBy: order)
    }

    /// The first server that filters find, with all its endpoints; nil if they find none. See
    /// `list(in:)`.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> VPNServer? {
        try list(in: snapshot).firstServer(filteredBy: filters, orderedBy: order)
    }

    /// The groups of the servers that filters find; see `list(in:)`.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending,
        in snapshot: Snapshot
    ) throws -> [ServerGroupInfo] {
        try list(in: snapshot).groups(
            filteredBy: filters, groupedBy: grouping, orderedBy: order)
    }

    /// How many servers there are.
    public func serverCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(*) FROM vpn.logicals", in: snapshot)
    }

    /// In how many countries traffic leaves.
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
