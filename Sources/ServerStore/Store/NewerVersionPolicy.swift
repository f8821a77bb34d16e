public import DocumentStore
internal import Foundation

/// What to do with a file written by a later version of this library or of the database engine, for
/// example after a user has installed an older application over a newer one.
///
/// The list can be fetched again, but profiles and recents exist in the file only, so decide
/// whether losing them is worse than an application without a list.
/// ```swift
/// let store = try ServerStore(path: path, ifNewer: .setAside) { line in
///     print("ServerStore: \(line)")
/// }
/// ```
/// The policy applies to a later version only. Any other error of opening the file is thrown with
/// each policy, and nothing is deleted.
public enum NewerVersionPolicy: Hashable, Sendable {
    /// Throws the error `.newerVersion` and leaves the file unchanged.
    case fail
    /// For debug builds: fails an assertion; where assertions are disabled, throws the error.
    case assert
    /// For release builds: deletes the database and creates a new one. The list is fetched again
    /// anyway; profiles and recents are lost.
    case recreate
    /// Renames the file, with the suffix `.newer-1` or a higher number, and creates a new one.
    case setAside
}

extension ServerStore {
    /// Opens a file, and applies a policy to one of a later version.
    ///
    /// A file is of a later version if this version cannot read its schema, if it could read but
    /// not write it, or if it has been migrated by a later version of this library. A file opened
    /// with `access: .readOnly` may have a schema that could not be written.
    /// ```swift
    /// let options = DataFileOptions(access: .create)
    /// let store = try ServerStore(path: path, options: options, ifNewer: .recreate)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the path of the database: a directory, by convention with the extension `cblite2`.
    ///   - options: how the file is opened; by default it is created if it does not exist.
    ///   - names: the names of countries, for searches and for groups in the order of names.
    ///   - policy: what to do with a file of a later version.
    ///   - log: receives one line about a file that was deleted or renamed, on the calling thread.
    /// - Throws: ``ServerStoreError`` with ``ServerStoreError/Code/newerVersion`` for the policies
    ///   `fail` and `assert`, and with ``ServerStoreError/Code/notReadable`` if the stored version
    ///   is invalid; errors of `DataFile.init`. `recreate` and `setAside` wait up to a second for
    ///   other connections to close, and throw as `DataFile.delete` and `DataFile.rename` do if the
    ///   file stays open.
    public init(
        path: String, options: DataFileOptions = DataFileOptions(access: .create),
        names: CountryNames = .current, ifNewer policy: NewerVersionPolicy,
        log: (String) -> Void = { _ in }
    ) throws {
        try self.init(
            path: path, options: options, names: names, ifNewer: policy, log: log,
            CollectionMigration.all)
    }

    init(
        path: String, options: DataFileOptions, names: CountryNames,
        ifNewer policy: NewerVersionPolicy, log: (String) -> Void,
        _ migrations: [CollectionMigration]
    ) throws {
        do {
            try self.init(path: path, options: options, names: names, migrations)
            return
        } catch let error as ServerStoreError where error.code == .newerVersion {
            switch policy {
            case .fail: throw error
            case .assert:
                assertionFailure(error.message)
                throw error
            case .recreate:
                try DataFile.delete(path: path, waitMilliseconds: Self.waitMilliseconds)
                log("\(path) was deleted: \(error.message)")
            case .setAside:
                let kept = try Self.setAside(path)
                log("\(path) was renamed to \(kept): \(error.message)")
            }
        }
        try self.init(path: path, options: options, names: names, migrations)
    }

    private init(
        path: String, options: DataFileOptions, names: CountryNames,
        _ migrations: [CollectionMigration]
    ) throws {
        let file = try Self.openFile(path, options)
        do {
            try self.init(file, names: names, migrations)
        } catch {
            file.close()
            throw error
        }
    }

    /// Opens the file. An unreadable newer schema of the engine counts as a newer version, too.
    private static func openFile(_ path: String, _ options: DataFileOptions) throws -> DataFile {
        do {
            return try DataFile(path: path, options: options)
        } catch let error as StoreError where error.has(.databaseTooNew) {
            throw ServerStoreError(.newerVersion, error.message)
        }
    }

    /// Renames the database with the first unused number.
    private static func setAside(_ path: String) throws -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).newer-\(number)") { number += 1 }
        let kept = "\(path).newer-\(number)"
        try DataFile.rename(path: path, to: kept, waitMilliseconds: waitMilliseconds)
        return kept
    }

    private static let waitMilliseconds = 1_000
}
