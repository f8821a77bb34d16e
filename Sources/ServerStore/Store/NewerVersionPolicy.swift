public import DocumentStore
internal import Foundation

/// What to do with a file that a later version of this library, or of the engine, has written, as
/// when a user has installed an older application over a newer one.
public enum NewerVersionPolicy: Hashable, Sendable {
    /// It is an error, `.newerVersion`, and the file stays as it is.
    case fail
    /// For builds that are debugged: a failed assertion, so that nobody overlooks it; where
    /// assertions are not checked it is an error.
    case assert
    /// For builds that are shipped: the file goes with all that belongs to it, and a new one is
    /// made. The list is fetched again anyhow; profiles and recents are lost.
    case recreate
    /// The file is kept beside the new one, under its name with `.newer-1` or a higher number.
    case setAside
}

extension ServerStore {
    /// Opens a file, and does with one of a later version what a policy says.
    ///
    /// - Parameter log: told in one line what was done.
    ///
    /// Throws as the other initializer, and as `DataFile.delete` and `DataFile.rename` do, which
    /// fail while somebody has the file open.
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
                log("\(path) is kept as \(kept): \(error.message)")
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

    /// Opens the file. A schema of the engine that cannot even be read is a newer version, too.
    private static func openFile(_ path: String, _ options: DataFileOptions) throws -> DataFile {
        do {
            return try DataFile(path: path, options: options)
        } catch let error as StoreError where error.has(.databaseTooNew) {
            throw ServerStoreError(.newerVersion, error.message)
        }
    }

    /// Under the first number that is free.
    private static func setAside(_ path: String) throws -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).newer-\(number)") { number += 1 }
        let kept = "\(path).newer-\(number)"
        try DataFile.rename(path: path, to: kept, waitMilliseconds: waitMilliseconds)
        return kept
    }

    private static let waitMilliseconds = 1_000
}
