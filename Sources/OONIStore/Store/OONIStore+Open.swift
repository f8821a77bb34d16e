public import DocumentStore

extension CollectionMigration {
    /// All migrations, oldest first.
    static var all: [CollectionMigration] {
        [
            CollectionMigration("the collections and their indexes") { transaction in
                let schema = try ProbeSchema()
                for collection in schema.all { try collection.create(in: transaction) }
                for (collection, spec) in ProbeSchema.indexes {
                    _ = try schema[keyPath: collection].createIndex(spec, in: transaction)
                }
            }
        ]
    }

    /// The version of an up-to-date store.
    static var version: Int { all.count }
}

extension OONIStore {
    /// Migrates a store to the current version.
    ///
    /// Throws `.newerVersion`.
    func migrate(_ migrations: [CollectionMigration]) throws {
        do {
            try CollectionMigrator(migrations, versionIn: schema.info).migrate(file)
        } catch let error as CollectionMigrationError {
            throw OONIStoreError(error)
        }
    }

    /// The version of the store; 0 for a file without one.
    func version(in snapshot: Snapshot) throws -> Int {
        do {
            return try CollectionMigrator(CollectionMigration.all, versionIn: schema.info)
                .version(in: snapshot)
        } catch let error as CollectionMigrationError {
            throw OONIStoreError(error)
        }
    }
}

extension OONIStoreError {
    fileprivate init(_ error: CollectionMigrationError) {
        switch error {
        case .newerVersion: self.init(.newerVersion, error.description)
        case .invalidVersion: self.init(.notReadable, error.description)
        }
    }
}

extension OONIStore {
    /// Opens a file, and migrates its store to the current version.
    ///
    /// With the default options the file is created if it does not exist. A file that contains
    /// other collections gets those of the store in addition. A file that is up to date is not
    /// written to.
    ///
    /// ```swift
    /// let store = try OONIStore(path: "probe.cblite2")
    /// let reader = try OONIStore(path: "probe.cblite2", options: .init(access: .readOnly))
    /// ```
    ///
    /// - Parameters:
    ///   - path: the path of the database: a directory, by convention with the extension `cblite2`.
    ///   - options: how the file is opened; creating it if it does not exist (default). A store
    ///     that is opened read-only must be up to date.
    /// - Throws: `OONIStoreError` with ``OONIStoreError/Code/newerVersion`` for a file of a later
    ///   version of this library, and with ``OONIStoreError/Code/notReadable`` if its version is
    ///   invalid; errors of `DataFile.init`.
    public init(path: String, options: DataFileOptions = DataFileOptions(access: .create)) throws {
        try self.init(DataFile(path: path, options: options))
    }

    /// Creates an empty store in memory, for tests and previews.
    ///
    /// It exists until the last copy of the value is released. Unlike with a file, a reader waits
    /// for a writer.
    ///
    /// ```swift
    /// let store = try OONIStore.inMemory()
    /// try store.write { transaction in
    ///     _ = try store.results.insert(.init(name: "websites"), at: startTime, in: transaction)
    /// }
    /// ```
    ///
    /// - Throws: a `StoreError` if SQLite cannot allocate memory.
    public static func inMemory() throws -> OONIStore {
        try OONIStore(DataFile(inMemory: DataFileOptions(access: .create)))
    }

    /// Opens the store in an open file, which may contain other collections, too.
    ///
    /// Collections of the scope `ooni` and their indexes are created if they do not exist.
    ///
    /// ```swift
    /// let store = try OONIStore(file)
    /// let size = store.file.size.database
    /// ```
    ///
    /// - Parameter file: the open file. It stays open as long as the store is used.
    /// - Throws: as ``init(path:options:)``.
    public init(_ file: DataFile) throws {
        try self.init(file, CollectionMigration.all)
    }

    init(_ file: DataFile, _ migrations: [CollectionMigration]) throws {
        try self.init(file: file, schema: ProbeSchema())
        try migrate(migrations)
    }
}

extension OONIStore {
    var collections: Collections { Collections(schema) }

    /// The descriptors: what can be run. See ``Descriptors``.
    public var descriptors: Descriptors { Descriptors(store: collections) }
    /// The results: one for each run of a descriptor. See ``Results``.
    public var results: Results { Results(store: collections) }
    /// The measurements of the results. See ``Measurements``.
    public var measurements: Measurements { Measurements(store: collections) }
    /// The networks in which results were measured. See ``Networks``.
    public var networks: Networks { Networks(store: collections) }
    /// The websites that are tested. See ``Urls``.
    public var urls: Urls { Urls(store: collections) }
    /// OONI's news. See ``Articles``.
    public var articles: Articles { Articles(store: collections) }
}
