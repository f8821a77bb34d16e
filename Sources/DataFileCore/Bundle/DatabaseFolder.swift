internal import StoreFormat

/// The databases that a path is a part of.
package enum DatabaseFolder {
    /// The database that a file or folder at a path would be a part of; nil if it is in none.
    ///
    /// Links are followed. What is in the folder of its blobs counts, and so does all that is
    /// anywhere below a database whose name ends with `.cblite2`.
    package static func around(_ path: String) -> String? {
        let parent = BundlePath(path).parent
        return candidates(from: FileSystem.resolved(parent)).first {
            FileSystem.entry(BundlePath($0).database) != .nothing
        }
    }

    /// The folders that can be a database, which what is in a folder would be a part of.
    private static func candidates(from folder: String) -> [String] {
        var folders = [folder]
        var inner = folder
        while inner != "/" {
            let outer = BundlePath(inner).parent
            let isBlobs = inner == folder && inner.hasSuffix("/" + BundlePath.attachmentsName)
            if outer.hasSuffix(BundlePath.suffix) || isBlobs { folders.append(outer) }
            inner = outer
        }
        return folders
    }
}

extension BundlePath {
    /// Checks that a new database would not lie in the folder of another one, whose copies would
    /// hold it, too.
    ///
    /// Throws `EEXIST` in the domain `.posix`.
    func requireOutsideOfDatabases() throws {
        guard let database = DatabaseFolder.around(folder) else { return }
        throw StoreError(
            domain: .posix, code: FileSystem.alreadyExists,
            "\(folder) is in the database \(database); give another place")
    }
}
