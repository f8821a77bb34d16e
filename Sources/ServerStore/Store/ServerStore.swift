public import DocumentStore

/// The list of servers of a VPN client, stored in collections.
///
/// ```swift
/// let store = try ServerStore(path: "servers.cblite2")
/// try store.write { try store.replaceList(servers, in: $0) }
/// let groups = try store.read { try store.groups(filteredBy: [.features(.p2p)], in: $0) }
/// ```
/// All data is in collections of the scope `vpn` of one file, which other programs can open as a
/// Couchbase Lite database. Reading takes a `Snapshot` and writing a `Transaction`, so several
/// calls form one consistent read or one atomic change. Queries for servers use the list of the
/// snapshot (``list(in:)``), which is cached until it changes.
///
/// Applications normally use ``ServerRepository``, whose members tests can replace, and
/// ``ServerRefresh``, which decides what to fetch. Use the store itself for profiles and recents,
/// and to combine changes in one transaction:
/// ```swift
/// try serverStore.write { transaction in
///     try serverStore.replaceList(servers, in: transaction)
///     try serverStore.noteUse(of: serverID, at: currentMilliseconds, in: transaction)
/// }
/// ```
/// A store is a value whose copies share the file and the cached list. All its members can be used
/// from any thread; writers wait for one another, readers of a file on disk wait for none. Errors
/// are ``ServerStoreError``, or `StoreError` for those of the database. After `file.close()` each
/// call throws `StoreError` with `.notOpen`.
public struct ServerStore: Sendable {
    /// The file, for what the store has no member for, such as observing changes, copying or
    /// closing it.
    public let file: DataFile
    /// The names of countries, for searches and for groups in the order of names. ``with(names:)``
    /// gives a store with others.
    public let names: CountryNames
    let collections: Collections
    let cache = ListCache()

    /// Opens a file, and migrates its store to the current version.
    ///
    /// With the default options the file is created if it does not exist. An older store is
    /// migrated in one transaction. To handle a file of a later version in another way than by an
    /// error, use ``init(path:options:names:ifNewer:log:)``.
    /// ```swift
    /// let options = DataFileOptions(access: .readOnly)
    /// let shared = try ServerStore(path: path, options: options)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the path of the database: a directory, by convention with the extension `cblite2`.
    ///   - options: how the file is opened, for example with an encryption key.
    ///   - names: the names of countries, for searches and for groups in the order of names.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/newerVersion`` for a file of a
    ///   later version of this library or of the engine, and with
    ///   ``ServerStoreError/Code/notReadable`` if the stored version is invalid; errors of
    ///   `DataFile.init`.
    public init(
        path: String, options: DataFileOptions = DataFileOptions(access: .create),
        names: CountryNames = .current
    ) throws {
        try self.init(path: path, options: options, names: names, ifNewer: .fail)
    }

    /// Creates an empty store in memory, for tests and previews.
    ///
    /// It exists until the last copy of this value is released. It has one connection, so its
    /// readers wait for its writers.
    /// ```swift
    /// let preview = try ServerStore.inMemory()
    /// try preview.replaceList(servers)
    /// let repository = ServerRepository.live(store: preview)
    /// ```
    ///
    /// - Parameter names: the names of countries; by default those of the current locale.
    /// - Returns: a store that no other value shares.
    /// - Throws: a `StoreError` if SQLite cannot create it.
    public static func inMemory(names: CountryNames = .current) throws -> ServerStore {
        try ServerStore(DataFile(inMemory: DataFileOptions(access: .create)), names: names)
    }

    /// Opens the store in an open file, which may contain other collections, too.
    ///
    /// Several libraries can store their collections in one file, so one transaction can change all
    /// of them.
    /// ```swift
    /// let store = try ServerStore(file)
    /// try file.write { transaction in
    ///     try store.replaceList(servers, in: transaction)
    ///     let order = Order(customer: "Ann", total: 9.5, number: 1)
    ///     try orders.save(order, id: id, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - file: an open file; it stays open when this initializer throws.
    ///   - names: the names of countries.
    /// - Throws: as ``init(path:options:names:)``.
    public init(_ file: DataFile, names: CountryNames = .current) throws {
        try self.init(file, names: names, CollectionMigration.all)
    }

    /// Returns the same store with other names of countries, for example after a change of the
    /// language.
    ///
    /// The new value has a cache of its own, so no list in the previous language remains in use.
    ///
    /// - Parameter names: the names of countries.
    /// - Returns: a store that shares the file with this one.
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
    /// Blocks the calling thread, but never waits for a writer of a file on disk. The snapshot is
    /// valid only within `body`; keep it short, since an open snapshot prevents the WAL from being
    /// reset. In a task use the asynchronous variant.
    /// ```swift
    /// let (profiles, recents) = try serverStore.read { snapshot in
    ///     (try serverStore.profiles(in: snapshot), try serverStore.recents(in: snapshot))
    /// }
    /// ```
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
    /// - Throws: errors of `body`, or a `StoreError`; nothing is written then.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T { try file.write(body) }

    /// Reads in one snapshot, without blocking a thread on the disk.
    ///
    /// ```swift
    /// let count = try await serverStore.read { try serverStore.serverCount(in: $0) }
    /// ```
    ///
    /// - Parameter body: reads the store; it is synchronous, since a snapshot must not wait for
    ///   other tasks.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await file.read(body)
    }

    /// Writes in one transaction, without blocking a thread on the disk.
    ///
    /// The transaction is committed when `body` returns and rolled back if it throws.
    ///
    /// - Parameter body: changes the store; the transaction is valid only within it.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`; nothing is written then.
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
    /// Returns the value of a metadata key, by one lookup by key.
    ///
    /// - Parameters:
    ///   - key: the key of the value.
    ///   - snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the string; nil if there is none.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func metadata(
        _ key: ServerMetadata.Key, in snapshot: Snapshot
    ) throws -> String? {
        try collections.metadata.get(key.rawValue, in: snapshot)?["value"]?.string
    }

    /// Stores a metadata value; nil removes it. An unchanged value is not written.
    ///
    /// Metadata that belong to a list are better passed to
    /// ``replaceList(_:scope:metadata:allowsEmpty:in:)``.
    ///
    /// - Parameters:
    ///   - value: the string to store, or nil.
    ///   - key: the key of the value.
    ///   - transaction: the transaction to write in.
    /// - Throws: a `StoreError` if the file cannot be written.
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
    /// Returns the servers that match all filters, as shown in lists.
    ///
    /// It queries the list of the snapshot; see ``list(in:)`` for its cost. Several queries in one
    /// transaction that has written servers should use one list.
    /// ```swift
    /// let free = try serverStore.read { snapshot in
    ///     try serverStore.servers(
    ///         filteredBy: [.maxTier(ServerTier.free)], orderedBy: .fastest, in: snapshot)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - filters: what a server must match; none matches all servers with endpoints.
    ///   - order: the order of the result; by ID by default.
    ///   - snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the servers.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func servers(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> [ServerInfo] {
        try list(in: snapshot).servers(filteredBy: filters, orderedBy: order)
    }

    /// Returns the first server that matches all filters, with all its endpoints.
    ///
    /// It queries the list of the snapshot (``list(in:)``) without sorting it.
    ///
    /// - Parameters:
    ///   - filters: what a server must match.
    ///   - order: the order in which the server is the first; by ID by default.
    ///   - snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the server; nil if none matches.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func firstServer(
        filteredBy filters: [VPNServerFilter] = [], orderedBy order: VPNServerOrder = .none,
        in snapshot: Snapshot
    ) throws -> VPNServer? {
        try list(in: snapshot).firstServer(filteredBy: filters, orderedBy: order)
    }

    /// Returns the groups of the servers that match all filters.
    ///
    /// It queries the list of the snapshot; see ``list(in:)`` for its cost.
    /// ```swift
    /// let cities = try serverStore.read { snapshot in
    ///     try serverStore.groups(
    ///         filteredBy: [.kind(.country("US"))], groupedBy: .cityName, in: snapshot)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - filters: what a server must match to count in a group.
    ///   - grouping: what a group consists of; by default gateways and countries.
    ///   - order: the order of the groups; by default countries are sorted by name.
    ///   - snapshot: a snapshot or a transaction of the store's file.
    /// - Returns: the groups that have at least one server.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func groups(
        filteredBy filters: [VPNServerFilter] = [],
        groupedBy grouping: VPNServerGrouping = .serverType,
        orderedBy order: VPNServerGroupOrder = .localizedCountryNameAscending,
        in snapshot: Snapshot
    ) throws -> [ServerGroupInfo] {
        try list(in: snapshot).groups(
            filteredBy: filters, groupedBy: grouping, orderedBy: order)
    }

    /// Returns the number of servers, by one statement that does not need the list.
    ///
    /// It counts documents, including those that a list leaves out because they cannot be read.
    ///
    /// - Parameter snapshot: a snapshot or a transaction of the store's file.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func serverCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(*) FROM vpn.logicals", in: snapshot)
    }

    /// Returns the number of exit countries, by one statement that does not need the list.
    ///
    /// Secure core servers and those of gateways count with the country where traffic exits.
    ///
    /// - Parameter snapshot: a snapshot or a transaction of the store's file.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func countryCount(in snapshot: Snapshot) throws -> Int {
        try count("SELECT COUNT(DISTINCT exitCountryCode) FROM vpn.logicals", in: snapshot)
    }

    /// Whether there are no servers; see ``serverCount(in:)``.
    ///
    /// - Parameter snapshot: a snapshot or a transaction of the store's file.
    /// - Throws: a `StoreError` if the file cannot be read.
    public func isEmpty(in snapshot: Snapshot) throws -> Bool {
        try serverCount(in: snapshot) == 0
    }

    private func count(_ text: String, in snapshot: Snapshot) throws -> Int {
        Int(try Query(text).rows(in: snapshot).next()?[0].int ?? 0)
    }
}
