public import DocumentStore

extension CollectionMigration {
    /// All of them, the oldest first.
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

    /// The version of a store that is up to date.
    static var version: Int { all.count }
}

extension OONIStore {
    /// Brings a store up to date.
    ///
    /// Throws `.newerVersion`.
    func migrate(_ migrations: [CollectionMigration]) throws {
        do {
            try CollectionMigrator(migrations, versionIn: schema.info).migrate(file)
        } catch let error as CollectionMigrationError {
            throw OONIStoreError(error)
        }
    }

    /// The version of the store; 0 for a file that has none yet.
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
        try self.init(file, CollectionMigration.all)
    }

    init(_ file: DataFile, _ migrations: [CollectionMigration]) throws {
        try self.init(file: file, schema: ProbeSchema())
        try migrate(migrations)
    }
}

extension OONIStore {
    var collections: Collections { Collections(schema) }

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
