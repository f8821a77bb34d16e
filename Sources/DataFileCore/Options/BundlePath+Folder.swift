internal import StoreFormat

extension BundlePath {
    /// The directory of blobs.
    package var attachments: String { directory + "/" + Self.attachmentsName }
    package static let attachmentsName = "Attachments"

    /// The directory that the bundle is in.
    var parent: String {
        guard let slash = directory.lastIndex(of: "/"), slash > directory.startIndex else { return "/" }
        return String(directory[..<slash])
    }

    /// A path beside the bundle that nothing has: a bundle in the making, or one on its way out.
    ///
    /// Beside it, since only within a file system can a directory be moved at once.
    func unusedSibling(_ purpose: String) -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return (parent == "/" ? "" : parent) + "/\(Self.hiddenPrefix)\(purpose)-\(number)"
    }

    /// So the names of such directories begin.
    static let hiddenPrefix = ".store-"

    /// Checks that the path itself is a bundle: a directory, no link to one, with a database in it.
    ///
    /// Throws `.notFound`, `.invalidParameter` or `.notADatabaseFile`.
    package func requireBundle() throws {
        switch FileSystem.entry(directory) {
        case .directory: break
        case .nothing: throw StoreError(.notFound, "\(directory) does not exist")
        case .link:
            throw StoreError(
                .invalidParameter,
                "\(directory) is a symbolic link; give the directory that it leads to: "
                    + FileSystem.resolved(directory))
        case .file, .other:
            throw StoreError(.notADatabaseFile, "\(directory) is no database, but a file")
        }
        if FileSystem.entry(database) == .link {
            throw StoreError(.cannotOpenFile, BundlePath.linkMessage(database, directory))
        }
        guard FileSystem.entry(database) == .file else {
            throw StoreError(
                .notADatabaseFile,
                "\(directory) is no database: there is no file db.sqlite3 in it; it was left as it is")
        }
    }
}
