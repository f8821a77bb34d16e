internal import StoreFormat

/// A directory beside a bundle, for what is not done yet.
enum HiddenDirectory {
    /// Makes one, locked for as long as what comes with it lives: nobody takes it for one that was
    /// abandoned.
    ///
    /// - Parameters:
    ///   - purpose: one of those that `AbandonedBundles` knows.
    ///   - shown: the path that an error names, since nobody knows that of the directory.
    static func make(
        beside bundle: BundlePath, _ purpose: String, _ permissions: FilePermissions, shown: String
    ) throws -> (path: String, lock: OpenDirectory) {
        while true {
            let path = bundle.unusedSibling(purpose)
            try FileSystem.requireNewDirectory(path, permissions, shown: shown)
            // Before it was locked, somebody may have found it abandoned.
            guard let directory = try OpenDirectory(path),
                try directory.lock(.exclusive, waits: false) != .busy,
                directory.identity == FileSystem.identity(path)
            else { continue }
            return (path, directory)
        }
    }
}

/// A directory of this user's alone, for a database that is soon of no use; it goes with all that is
/// in it when this is released. What a killed process has left of it goes with the next one.
package final class WorkDirectory {
    /// The database in it, which is not made here.
    package let database: String
    private let path: String
    private let lock: OpenDirectory

    /// Makes one in a directory: throws the error of the system if it cannot be made.
    package init(in parent: String) throws {
        AbandonedBundles.remove(in: parent)
        (path, lock) = try HiddenDirectory.make(
            beside: BundlePath(parent + "/work"), "work", FilePermissions(bits: 0o700),
            shown: parent)
        database = path + "/copy.cblite2"
    }

    /// Makes one beside a database: on the same disk, which may be encrypted, or not keep what
    /// temporary files would.
    package convenience init(beside database: String) throws {
        try self.init(in: BundlePath(database).parent)
    }

    deinit { try? FileSystem.removeTree(path) }
}

/// The databases that a path is a part of.
package enum EnclosingDatabase {
    /// The database that a file or directory at a path would be a part of; nil if it is in none.
    ///
    /// Links are followed. What is in the directory of its blobs counts, and so does all that is
    /// anywhere below a database whose name ends with `.cblite2`.
    package static func around(_ path: String) -> String? {
        let parent = BundlePath(path).parent
        return candidates(from: FileSystem.resolved(parent)).first {
            FileSystem.entry(BundlePath($0).database) != .nothing
        }
    }

    /// The directories that can be a database, which what is in a directory would be a part of.
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
    /// Checks that a new database would not lie in the directory of another one, whose copies would
    /// hold it, too.
    ///
    /// Throws `EEXIST` in the domain `.posix`.
    func requireOutsideOfDatabases() throws {
        guard let database = EnclosingDatabase.around(directory) else { return }
        throw StoreError(
            domain: .posix, code: FileSystem.alreadyExists,
            "\(directory) is in the database \(database); give another place")
    }
}
