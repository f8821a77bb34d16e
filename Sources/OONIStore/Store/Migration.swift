internal import DocumentStore

typealias Migration = CollectionMigration<Collections>

extension CollectionMigration<Collections> {
    /// All of them, the oldest first.
    static var all: [Migration] {
        [
            Migration(name: "the collections and their indexes") { collections, transaction in
                for collection in collections.all { try collection.create(in: transaction) }
                for (collection, spec) in OONIStore.indexes {
                    _ = try collections[keyPath: collection].createIndex(spec, in: transaction)
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
        try storedVersion.bringUpToDate(collections, migrations, of: file)
    }

    /// The version of the store; 0 for a file that has none yet.
    func version(in snapshot: Snapshot) throws -> Int { try storedVersion.number(in: snapshot) }

    private var storedVersion: CollectionVersion {
        CollectionVersion(
            in: collections.info, newerVersion: { OONIStoreError(.newerVersion, $0) },
            notReadable: { OONIStoreError(.notReadable, $0) })
    }
}
