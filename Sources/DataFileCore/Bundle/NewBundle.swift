package import SQLCore
internal import StoreFormat

/// A bundle in the making: a folder beside its place, moved there when it is whole.
///
/// Whatever fails, nothing is left behind and nothing stands at the target.
package enum NewBundle {
    /// Makes a folder, lets `fill` make the database in it, and moves it to `target`.
    ///
    /// What killed processes have left beside the target is removed first.
    ///
    /// - Parameter source: a database whose permissions the new one gets; nil for those of any new
    ///   file.
    ///
    /// Throws `EEXIST` in the domain `.posix` if there is something at the target, or it is in the
    /// folder of a database, and `ENOSPC` if there is no room for it.
    package static func make<T>(
        at target: BundlePath, like source: BundlePath? = nil, fill: (BundlePath) throws -> T
    ) throws -> T {
        guard FileSystem.entry(target.folder) == .nothing else {
            throw FileSystem.exists(target.folder)
        }
        try target.requireOutsideOfDatabases()
        AbandonedBundles.remove(in: target.parent)
        let permissions = source.flatMap { FilePermissions(of: $0.folder) }?.forNewFolder
        let (folder, lock) = try HiddenFolder.make(
            beside: target, "new", permissions ?? .anyFolder, shown: target.folder)
        let draft = BundlePath(folder)
        do {
            return try withExtendedLifetime(lock) {
                try makeFile(draft, like: source)
                let result = try fill(draft)
                try FileSystem.syncFolder(draft.folder)
                try FileSystem.move(draft.folder, to: target.folder)
                try FileSystem.syncFolder(target.parent)
                return result
            }
        } catch {
            try? FileSystem.removeTree(draft.folder)
            throw StoreError.making(target.folder, in: target.parent, error)
        }
    }

    /// Makes the empty SQLite file, with the permissions of another one. SQLite gives its log the
    /// same.
    private static func makeFile(_ draft: BundlePath, like source: BundlePath?) throws {
        guard let permissions = source.flatMap({ FilePermissions(of: $0.database) }) else {
            return
        }
        try FileSystem.makeFile(draft.database, permissions.forNewFile) { _ in 0 }
    }
}

extension BundlePath {
    /// A connection for filling the database of a bundle in the making, all of it synced.
    package func openDraft(_ key: (any DatabaseKey)? = nil) throws -> SQLContext {
        let context = try connect(
            [.readWrite, .create], key?.encrypting(.platform) ?? .platform)
        try context.exec(sql: "PRAGMA synchronous=full; PRAGMA fullfsync=on")
        return context
    }
}
