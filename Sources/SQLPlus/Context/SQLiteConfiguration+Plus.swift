public import SQLCore
internal import StorePlatform

extension SQLiteConfiguration {
    /// SQLite with encryption: databases get a key by `SQLContext.key(_:)` or `PRAGMA key`, before
    /// anything else; without one they are plain.
    ///
    /// Opening fails where SQLite has no file system of its own.
    public static var plus: SQLiteConfiguration { plus() }

    /// The same, with a key for the main database, and what else is to be set up behind that.
    ///
    /// The key is derived once for all connections that are opened with it: keep it, or the
    /// configuration, for those that come.
    public static func plus(
        key: EncryptionKey? = nil,
        setUp: @escaping @Sendable (SQLContext) throws -> Void = { _ in }
    ) -> SQLiteConfiguration {
        plus(key: key, vfs: EncryptingVFS.system?.name ?? EncryptingVFS.systemName, setUp: setUp)
    }

    /// The same over another file system than the system's.
    package static func plus(
        key: EncryptionKey? = nil, over base: String
    ) throws -> SQLiteConfiguration {
        plus(key: key, vfs: try EncryptingVFS.over(base).name) { _ in }
    }

    /// This configuration, with encryption over its file system.
    package func encrypted(with key: EncryptionKey) throws -> SQLiteConfiguration {
        let setUp = setUp
        guard let vfs else { return .plus(key: key, setUp: setUp) }
        return .plus(key: key, vfs: try EncryptingVFS.over(vfs).name, setUp: setUp)
    }

    private static func plus(
        key: EncryptionKey?, vfs: String, setUp: @escaping @Sendable (SQLContext) throws -> Void
    ) -> SQLiteConfiguration {
        .custom(vfs: vfs) { context in
            if let key { try context.key(key) }
            try setUp(context)
        }
    }
}

extension EncryptingVFS {
    /// How the one over the system's is called.
    static let systemName = "sqlplus"

    /// The one over the system's; nil if that cannot be had.
    static let system = try? registered(systemName, over: nil)

    static let others = Locked<[String: EncryptingVFS]>([:])

    /// The one over a file system of a name, made and registered the first time.
    static func over(_ base: String) throws -> EncryptingVFS {
        try others.withLock { others in
            if let found = others[base] { return found }
            let made = try registered("\(systemName)-\(base)", over: base)
            others[base] = made
            return made
        }
    }

    private static func registered(_ name: String, over base: String?) throws -> EncryptingVFS {
        let vfs = try EncryptingVFS(name: name, over: base)
        try vfs.register()
        return vfs
    }
}
