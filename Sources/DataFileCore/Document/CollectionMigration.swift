internal import FleeceLite

/// A step that migrates the collections of an application from one schema version to the next.
///
/// ```swift
/// let step = CollectionMigration("names in upper case") { transaction in
///     try people.forEach(in: transaction) { result in
///         var person = try result.get().mutableCopy()
///         guard let name = person["name"]?.string else { return }
///         person["name"] = .string(name.uppercased())
///         _ = try people.save(&person, in: transaction)
///     }
/// }
/// ```
///
/// A ``CollectionMigrator`` applies it. Do not change a step after it was shipped, and do not use
/// types of the application or anything that depends on a locale in it: it has to do the same to
/// old files forever. To undo a step, append another one.
public struct CollectionMigration: Sendable {
    /// A description of the step for people. It is not stored, so it may be changed.
    public let name: String
    let migrate: @Sendable (Transaction) throws -> Void

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - name: a description of the step for people; it is not stored.
    ///   - migrate: changes collections, indexes and documents. If it throws, the migration ends
    ///     and changes nothing.
    public init(_ name: String, migrate: @escaping @Sendable (Transaction) throws -> Void) {
        (self.name, self.migrate) = (name, migrate)
    }
}

/// Migrates the collections of an application to its newest schema version.
///
/// List all steps, and call ``migrate(_:)`` each time the program opens the file:
///
/// ```swift
/// let info = try DocumentCollection(CollectionName("app.info"))
/// let migrator = CollectionMigrator(
///     [
///         CollectionMigration("collections") { transaction in
///             try info.create(in: transaction)
///             try people.create(in: transaction)
///         },
///         CollectionMigration("index of names") { transaction in
///             try people.createIndex(.value("byName", on: "name"), in: transaction)
///         },
///     ],
///     versionIn: info)
/// try migrator.migrate(file)
/// ```
///
/// The schema version of a file is the number of steps applied to it. It is stored in the document
/// `schema` of a collection that the application chooses, so one file can contain the collections
/// of several applications or libraries, each with its own version. A step for which many documents
/// must be changed delays other writers; readers see the former version until it is committed.
///
/// Documents that differ between versions can also be migrated when they are read, by optional
/// properties of a `Codable` type; then no step is needed.
public struct CollectionMigrator: Sendable {
    private let migrations: [CollectionMigration]
    private let collection: DocumentCollection

    /// Creates a migrator.
    ///
    /// - Parameters:
    ///   - migrations: all steps, oldest first. Later versions of an application append to them.
    ///   - collection: the collection that stores the version. A step must create it, unless it is
    ///     the default collection.
    public init(_ migrations: [CollectionMigration], versionIn collection: DocumentCollection) {
        (self.migrations, self.collection) = (migrations, collection)
    }

    private static var documentID: String { "schema" }

    /// The version of a file to which all steps were applied: their number.
    public var newestVersion: Int { migrations.count }

    /// The version of a file; 0 for one without a version.
    ///
    /// ```swift
    /// let migrator = CollectionMigrator([], versionIn: people)
    /// let version = try file.read { try migrator.version(in: $0) }
    /// ```
    ///
    /// - Throws: ``CollectionMigrationError/invalidVersion(_:)`` if the document with the version
    ///   is not valid; ``StoreError`` if it cannot be read.
    public func version(in snapshot: Snapshot) throws -> Int {
        guard try collection.exists(in: snapshot),
            let schema = try collection.get(Self.documentID, in: snapshot)
        else { return 0 }
        guard let version = schema["version"]?.int, version > 0 else {
            throw CollectionMigrationError.invalidVersion(collection.name)
        }
        return Int(clamping: version)
    }

    /// Applies the missing steps in one transaction: all of them, or none if one throws. An
    /// up-to-date file is only read.
    ///
    /// ```swift
    /// let migrator = CollectionMigrator([], versionIn: people)
    /// do {
    ///     try migrator.migrate(file)
    /// } catch CollectionMigrationError.newerVersion(let version, let known) {
    ///     show("written by a newer version of this program", version, known)
    /// }
    /// ```
    ///
    /// Several processes may call it at the same time: the first one applies the steps.
    ///
    /// - Parameter file: the file, opened for writing.
    /// - Throws: ``CollectionMigrationError``, what a step throws, and as `DataFile.write` does.
    ///   The file is not changed then.
    public func migrate(_ file: DataFile) throws {
        guard try isOutdated(file.read(version(in:))) else { return }
        try file.write { transaction in
            // Another process may have migrated the file meanwhile.
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

/// The reason why the collections of an application were not migrated. The file is not changed.
///
/// ```swift
/// func advice(_ error: CollectionMigrationError) -> String {
///     switch error {
///     case .newerVersion: "update the program"
///     case .invalidVersion(let collection): "restore \(collection) from a backup"
///     }
/// }
/// ```
public enum CollectionMigrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A newer version of the application has written the file: more steps were applied to it than
    /// this version has. The values are the version of the file, and the number of known steps.
    case newerVersion(Int, known: Int)
    /// The document `schema` of the collection has no valid version: another program changed it.
    case invalidVersion(CollectionName)

    /// One line: what is wrong and what to do.
    public var description: String {
        switch self {
        case .newerVersion(let version, let known):
            "the file has version \(version) of this store, and this program only has versions "
                + "up to \(known): open it with a newer program"
        case .invalidVersion(let collection):
            "\(collection)/schema contains no version: another program has changed it"
        }
    }
}
