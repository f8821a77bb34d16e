package import SQLCore
package import StoreFormat

/// A bundle in the making: a directory beside its place, moved there when it is whole.
///
/// Whatever fails, nothing is left behind and nothing stands at the target.
package enum NewBundle {
    /// Makes a directory, lets `fill` make the database in it, and moves it to `target`.
    ///
    /// What killed processes have left beside the target is removed first.
    ///
    /// - Parameter source: a database whose permissions the new one gets; nil for those of any new
    ///   file.
    ///
    /// Throws `EEXIST` in the domain `.posix` if there is something at the target, or it is in the
    /// directory of a database, and `ENOSPC` if there is no space for it.
    package static func make<T>(
        at target: BundlePath, like source: BundlePath? = nil, fill: (BundlePath) throws -> T
    ) throws -> T {
        guard FileSystem.entry(target.directory) == .nothing else {
            throw FileSystem.exists(target.directory)
        }
        try target.requireOutsideOfDatabases()
        AbandonedBundles.remove(in: target.parent)
        let permissions = source.flatMap { FilePermissions(of: $0.directory) }?.forNewDirectory
        let (directory, lock) = try HiddenDirectory.make(
            beside: target, "new", permissions ?? .anyDirectory, shown: target.directory)
        let draft = BundlePath(directory)
        do {
            return try withExtendedLifetime(lock) {
                try makeFile(draft, like: source)
                let result = try fill(draft)
                try FileSystem.syncDirectory(draft.directory)
                try FileSystem.move(draft.directory, to: target.directory)
                try FileSystem.syncDirectory(target.parent)
                return result
            }
        } catch {
            try? FileSystem.removeTree(draft.directory)
            throw StoreError.making(target.directory, in: target.parent, error)
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

/// Bundles that a killed process was making, deleting or working with: hidden directories beside their
/// place.
enum AbandonedBundles {
    /// Removes those in a directory that nobody works on any more.
    ///
    /// Who makes a bundle keeps its directory locked (`HiddenDirectory`): one that can be locked was
    /// abandoned. Nothing is removed where the file system has no locks, and what cannot be removed
    /// stays.
    static func remove(in parent: String) {
        guard let directory = try? OpenDirectory(FileSystem.resolved(parent)) else { return }
        var names: [String] = []
        try? directory.forEachName { if isHidden($0) { names.append($0) } }
        for name in names {
            let path = "\(directory.path)/\(name)"
            guard let found = try? OpenDirectory(path),
                (try? found.lock(.exclusive, waits: false)) == .locked
            else { continue }
            try? FileSystem.removeTree(path)
        }
    }

    /// Whether a name is one that `BundlePath.unusedSibling` has made.
    private static func isHidden(_ name: String) -> Bool {
        ["new", "deleted", "work"].contains { purpose in
            let prefix = BundlePath.hiddenPrefix + purpose + "-"
            guard name.hasPrefix(prefix) else { return false }
            let number = name.dropFirst(prefix.count)
            return (1...16).contains(number.count) && number.allSatisfy(\.isHexDigit)
        }
    }
}

/// Makes the tables and rows that LiteCore needs to accept a file as its own.
package enum NewFile {
    /// Fills an empty database; one that has tables is left as it is.
    package static func create(
        in context: SQLContext, pageSize: Int, versioning: Versioning = .versionVectors
    ) throws {
        guard try isEmpty(context) else { return }
        // Before the first table, and outside a transaction, or it has no effect.
        try context.exec(sql: SchemaSQL.newFilePragmas(pageSize: pageSize))
        try context.transaction(.immediate) {
            // Another process may have come first.
            guard try isEmpty(context) else { return }
            try createTables(in: context, versioning)
            try context.exec(sql: "PRAGMA user_version=\(SchemaSQL.currentVersion)")
        }
    }

    /// Whether nothing was stored in it yet.
    static func isEmpty(_ context: SQLContext) throws -> Bool {
        try context.schemaVersion() == 0
            && context.selectValue(sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
    }

    private static func createTables(
        in context: SQLContext, _ versioning: Versioning
    ) throws {
        try context.exec(sql: SchemaSQL.createMeta)
        let names = KeyStoreName.self
        let tables = [
            names.default.tableName, names.default.tombstoneTableName, names.info.tableName,
        ]
        for sql in tables.flatMap({ SchemaSQL.createStore(table: $0) }) {
            try context.exec(sql: sql)
        }
        let rows: [(String, [UInt8])] = [
            (InfoKey.publicUUID, UUIDBytes.random()),
            (InfoKey.privateUUID, UUIDBytes.random()),
            (InfoKey.versioning, versioning.stored),
            (InfoKey.unmovedTombstones, BigEndian.bytes(0)),
        ]
        for (key, body) in rows {
            try context.exec(sql: SchemaSQL.putInfo, parameters: [.text(key), .blob(body)])
        }
    }
}
