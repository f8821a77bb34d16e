internal import StoreFormat

extension BundlePath {
    /// The directory of blobs.
    package var attachments: String { directory + "/" + Self.attachmentsName }
    package static let attachmentsName = "Attachments"

    /// The parent directory of the bundle.
    var parent: String {
        guard let slash = directory.lastIndex(of: "/"), slash > directory.startIndex
        else { return "/" }
        return String(directory[..<slash])
    }

    /// An unused path next to the bundle, for one that is being created or deleted.
    ///
    /// It has the same parent, since a directory can only be renamed within a file system.
    func unusedSibling(_ purpose: String) -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return (parent == "/" ? "" : parent) + "/\(Self.hiddenPrefix)\(purpose)-\(number)"
    }

    /// The prefix of the names of such directories.
    static let hiddenPrefix = ".store-"

    /// Checks that the path is a bundle: a directory, not a link to one, that contains a database.
    ///
    /// Throws `.notFound`, `.invalidParameter` or `.notADatabaseFile`.
    package func requireBundle() throws {
        switch FileSystem.entry(directory) {
        case .directory: break
        case .nothing: throw StoreError(.notFound, "\(directory) does not exist")
        case .link:
            throw StoreError(
                .invalidParameter,
                "\(directory) is a symbolic link; specify the directory that it leads to: "
                    + FileSystem.resolved(directory))
        case .file, .other:
            throw StoreError(
                .notADatabaseFile, "\(directory) is a file, not the directory of a database")
        }
        if FileSystem.entry(database) == .link {
            throw StoreError(.cannotOpenFile, BundlePath.linkMessage(database, directory))
        }
        guard FileSystem.entry(database) == .file else {
            throw StoreError(
                .notADatabaseFile,
                "\(directory) is not a database: there is no db.sqlite3 in it; it was not changed")
        }
    }
}
