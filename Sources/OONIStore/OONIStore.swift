public import DocumentStore

/// The measurements of an OONI Probe: which descriptors were run, what came of them, and what is
/// still to be uploaded.
///
/// ```swift
/// let store = try OONIStore(path: "probe.cblite2")
/// let result = try store.write { transaction in
///     let card = OONIStore.DescriptorReference(name: "websites")
///     return try store.results.insert(card, at: now, in: transaction)
/// }
/// let newest = try store.read { try store.results.page(in: $0) }
/// ```
/// Everything is in collections of the scope `ooni` of one file, which other programs can open as
/// a Couchbase Lite database. Reading takes a `Snapshot`, changing a `Transaction`, so what belongs
/// together is seen and done together.
public struct OONIStore: Sendable {
    /// The file.
    public let file: DataFile
    let collections: Collections

    /// Opens a file, which is made if it is not there.
    ///
    /// Throws `OONIStoreError` with `.newerVersion` for a file of a later version of this library,
    /// and as `DataFile.init` does.
    public init(path: String, options: DataFileOptions = DataFileOptions(access: .create)) throws {
        try self.init(DataFile(path: path, options: options))
    }

    /// A store in memory, which goes with the last copy of this value.
    public static func inMemory() throws -> OONIStore {
        try OONIStore(DataFile(inMemory: DataFileOptions(access: .create)))
    }

    /// The store in a file that is open, which may hold other collections too.
    ///
    /// Throws as `init(path:options:)` does.
    public init(_ file: DataFile) throws {
        try self.init(file, Migration.all)
    }

    init(_ file: DataFile, _ migrations: [Migration]) throws {
        self.file = file
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

extension OONIStore {
    /// What was run.
    public var descriptors: Descriptors { Descriptors(store: collections) }
    /// What came of it.
    public var results: Results { Results(store: collections) }
    /// What each result is made of.
    public var measurements: Measurements { Measurements(store: collections) }
    /// The networks in which results were made.
    public var networks: Networks { Networks(store: collections) }
    /// The websites that are tested.
    public var urls: Urls { Urls(store: collections) }
    /// OONI's news.
    public var articles: Articles { Articles(store: collections) }
}
