internal import FleeceLite

/// What brings the collections of a program from one version to the next. A step that was shipped
/// is never changed nor taken away; what reverts one is a step of its own. Steps use no types of
/// the application, which change, nor anything that a locale decides.
package struct CollectionMigration<Collections: Sendable>: Sendable {
    /// What it is for.
    package let name: String
    package let apply: @Sendable (Collections, Transaction) throws -> Void

    package init(
        name: String, apply: @escaping @Sendable (Collections, Transaction) throws -> Void
    ) {
        (self.name, self.apply) = (name, apply)
    }
}

/// Where a file says which version the collections of a program have: the document `schema` of one
/// of them. The version is the number of steps that they went through.
package struct CollectionVersion: Sendable {
    private let collection: DocumentCollection
    /// The program's errors, of a message.
    private let newerVersion: @Sendable (String) -> any Error
    private let notReadable: @Sendable (String) -> any Error

    package init(
        in collection: DocumentCollection, newerVersion: @escaping @Sendable (String) -> any Error,
        notReadable: @escaping @Sendable (String) -> any Error
    ) {
        self.collection = collection
        (self.newerVersion, self.notReadable) = (newerVersion, notReadable)
    }

    private static var documentID: String { "schema" }

    /// The version; 0 for a file that has none yet.
    package func number(in snapshot: Snapshot) throws -> Int {
        guard try collection.exists(in: snapshot),
            let schema = try collection.get(Self.documentID, in: snapshot)
        else { return 0 }
        guard let version = schema["version"]?.int, version > 0 else {
            throw notReadable(
                "\(collection.name)/\(Self.documentID) says no version: another program has "
                    + "changed it")
        }
        return Int(clamping: version)
    }

    /// Takes the steps that the collections of a file have not gone through, in one transaction:
    /// all, or none.
    package func bringUpToDate<Collections>(
        _ collections: Collections, _ migrations: [CollectionMigration<Collections>],
        of file: DataFile
    ) throws {
        guard try isBehind(migrations.count, file.read(number(in:))) else { return }
        try file.write { transaction in
            // Another process may have done it meanwhile.
            let version = try number(in: transaction)
            guard try isBehind(migrations.count, version) else { return }
            for migration in migrations.dropFirst(version) {
                try migration.apply(collections, transaction)
            }
            _ = try collection.save(Self.documentID, in: transaction) {
                try $0.encode(["version": migrations.count])
            }
        }
    }

    private func isBehind(_ known: Int, _ version: Int) throws -> Bool {
        guard version <= known else {
            throw newerVersion(
                "the file has version \(version) of this store, and this program knows none later "
                    + "than \(known): open it with a newer program")
        }
        return version < known
    }
}
