internal import StoreFormat

/// A directory next to a bundle, for unfinished work.
enum HiddenDirectory {
    /// Creates one. It is locked as long as the returned lock exists, so that no process takes it
    /// for an abandoned one.
    ///
    /// - Parameters:
    ///   - purpose: one of the purposes that `AbandonedBundles` recognizes.
    ///   - shown: the path for error messages, since the directory's own means nothing to users.
    static func make(
        beside bundle: BundlePath, _ purpose: String, _ permissions: FilePermissions, shown: String
    ) throws -> (path: String, lock: OpenDirectory) {
        while true {
            let path = bundle.unusedSibling(purpose)
            try FileSystem.requireNewDirectory(path, permissions, shown: shown)
            // Before it was locked, another process may have considered it abandoned.
            guard let directory = try OpenDirectory(path),
                try directory.lock(.exclusive, waits: false) != .busy,
                directory.identity == FileSystem.identity(path)
            else { continue }
            return (path, directory)
        }
    }
}

/// A directory with access for this user only, for a temporary database. It is removed with its
/// contents on deinitialization; what a killed process leaves is removed by the next one.
package final class WorkDirectory {
    /// The path of the database in it, which is not created here.
    package let database: String
    private let path: String
    private let lock: OpenDirectory

    /// Creates one in a directory; throws the system's error if that fails.
    package init(in parent: String) throws {
        AbandonedBundles.remove(in: parent)
        (path, lock) = try HiddenDirectory.make(
            beside: BundlePath(parent + "/work"), "work", .ownersDirectory,
            shown: parent)
        database = path + "/copy.cblite2"
    }

    /// Creates one next to a database: on the same disk, which unlike that of temporary files may
    /// be encrypted.
    package convenience init(beside database: String) throws {
        try self.init(in: BundlePath(database).parent)
    }

    deinit { try? FileSystem.removeTree(path) }
}

/// Finds the database that a path is inside of.
package enum EnclosingDatabase {
    /// The database that a file or directory at a path would be inside of; nil if there is none.
    ///
    /// Follows links. Includes the directory of a database's blobs, and everything at any depth
    /// below a database whose name ends with `.cblite2`.
    package static func around(_ path: String) -> String? {
        let parent = BundlePath(path).parent
        return candidates(from: FileSystem.resolved(parent)).first {
            FileSystem.entry(BundlePath($0).database) != .nothing
        }
    }

    /// The possible databases that the contents of a directory would be inside of.
    private static func candidates(from directory: String) -> [String] {
        var directories = [directory]
        var inner = directory
        while inner != "/" {
            let outer = BundlePath(inner).parent
            let isBlobs = inner == directory && inner.hasSuffix("/" + BundlePath.attachmentsName)
            if outer.hasSuffix(BundlePath.suffix) || isBlobs { directories.append(outer) }
            inner = outer
        }
        return directories
    }
}

extension BundlePath {
    /// Checks that a new database would not be inside the directory of another one, whose copies
    /// would contain it.
    ///
    /// Throws `EEXIST` in the domain `.posix`.
    func requireOutsideOfDatabases() throws {
        guard let database = EnclosingDatabase.around(directory) else { return }
        throw StoreError(
            domain: .posix, code: FileSystem.alreadyExists,
            "\(directory) is in the database \(database); specify another path")
    }
}
