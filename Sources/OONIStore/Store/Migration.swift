internal import DocumentStore

typealias Migration = CollectionMigration

extension CollectionMigration {
    /// All of them, the oldest first.
    static var all: [Migration] {
        [
            Migration("the collections and their indexes") { transaction in
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
    func migrate(_ migrations: [Migration]) throws {
        do {
            try CollectionMigrator(migrations, versionIn: schema.info).migrate(file)
        } catch let error as CollectionMigrationError {
            throw OONIStoreError(error)
        }
    }

    /// The version of the store; 0 for a file that has none yet.
    func version(in snapshot: Snapshot) throws -> Int {
        do {
            return try CollectionMigrator(Migration.all, versionIn: schema.info)
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
