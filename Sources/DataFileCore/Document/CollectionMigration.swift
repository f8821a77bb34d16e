internal import FleeceLite

/// A step that brings the collections of an application from one schema version to the next.
///
/// Once a step has been shipped, keep it as it is, and use neither types of the application nor
/// anything that depends on a locale in it: it must do the same to old files for ever. To undo a
/// step, add another one.
public struct CollectionMigration: Sendable {
    /// What the step is for, for people.
    public let name: String
    let migrate: @Sendable (Transaction) throws -> Void

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - name: what the step is for, for people; it is not stored.
    ///   - migrate: changes collections, indexes and documents. What it throws ends the migration,
    ///     which then changes nothing.
    public init(_ name: String, migrate: @escaping @Sendable (Transaction) throws -> Void) {
        (self.name, self.migrate) = (name, migrate)
    }
}

/// Brings the collections of an application to its newest schema version.
///
/// ```swift
/// let migrator = CollectionMigrator(
///     [
///         CollectionMigration("people") { try people.create(in: $0) },
///         CollectionMigration("index of names") {
///             try people.createIndex(.value("byName", on: "name"), in: $0)
///         },
///     ],
///     versionIn: DocumentCollection(CollectionName("app.info")))
/// try migrator.migrate(file)
/// ```
/// The schema version of a file is the number of steps that it has gone through. It is kept in the
/// document `schema` of a collection that the application names, so one file can hold the
/// collections of several applications or libraries, each with a version of its own.
public struct CollectionMigrator: Sendable {
    private let migrations: [CollectionMigration]
    private let collection: DocumentCollection

    /// Creates a migrator.
    ///
    /// - Parameters:
    ///   - migrations: all steps, the oldest first. Later versions of an application append to
    ///     them.
    ///   - collection: where the version is stored. A step must create the collection, unless it is
    ///     the default one.
    public init(_ migrations: [CollectionMigration], versionIn collection: DocumentCollection) {
        (self.migrations, self.collection) = (migrations, collection)
    }

    private static var documentID: String { "schema" }

    /// The version of a file that has gone through all steps.
    public var newestVersion: Int { migrations.count }

    /// The version of a file; 0 for one without a version.
    ///
    /// Throws `CollectionMigrationError.invalidVersion`.
    public func version(in snapshot: Snapshot) throws -> Int {
        guard try collection.exists(in: snapshot),
            let schema = try collection.get(Self.documentID, in: snapshot)
        else { return 0 }
        guard let version = schema["version"]?.int, version > 0 else {
            throw CollectionMigrationError.invalidVersion(collection.name)
        }
        return Int(clamping: version)
    }

    /// Applies the steps that a file has not gone through, in one transaction: all of them, or none
    /// if one throws. A file that is up to date is only read.
    ///
    /// Throws `CollectionMigrationError`, what a step throws, and as `DataFile.write` does.
    public func migrate(_ file: DataFile) throws {
        guard try isOutdated(file.read(version(in:))) else { return }
        try file.write { transaction in
            // Another process may have migrated the file in the meantime.
            let version = try version(in: transaction)
            guard try isOutdated(version) else { return }
            for migration in migrations.dropFirst(version) {
                try migration.migrate(transaction)
            }
            _ = try collection.save(Self.documentID, in: transaction) {
                try $0.encode(["version": newestVersion])
            }
        }
    }

    private func isOutdated(_ version: Int) throws -> Bool {
        guard version <= newestVersion else {
            throw CollectionMigrationError.newerVersion(version, known: newestVersion)
        }
        return version < newestVersion
    }
}

/// Why the collections of an application could not be migrated. The file stays as it was.
public enum CollectionMigrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A newer version of the application has written the file: it has gone through more steps than
    /// this one knows.
    case newerVersion(Int, known: Int)
    /// The document `schema` of the collection has no version: another program has changed it.
    case invalidVersion(CollectionName)

    /// One line: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .newerVersion(let version, let known):
            "the file has version \(version) of this store, and this program knows none later than "
                + "\(known): open it with a newer program"
        case .invalidVersion(let collection):
            "\(collection)/schema says no version: another program has changed it"
        }
    }
}
