public import SQLCore
internal import StorePlatform

extension SQLiteConfiguration {
    /// SQLite with encryption: `SQLContext.key(_:of:)` or `PRAGMA key` sets the key of a database
    /// as its first operation; without a key the database is plaintext.
    ///
    /// Opening fails if SQLite has no default VFS.
    ///
    /// ```swift
    /// let database = try SQLContext(path: path, configuration: .plus)
    /// try database.key("correct horse battery staple")
    /// ```
    public static var plus: SQLiteConfiguration { plus() }

    /// Returns a configuration with encryption and with a key for the main database.
    ///
    /// The page keys are derived once for all connections that use the same `EncryptionKey`, so
    /// retain the key or the configuration for later connections.
    ///
    /// ```swift
    /// let key = try EncryptionKey("correct horse battery staple")
    /// var options = SQLPool.Options()
    /// options.configuration = .plus(key: key) { $0.foreignKeysEnabled = true }
    /// let pool = try SQLPool(path: path, options: options)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the main database; nil for none.
    ///   - setUp: Called with each new connection after the key is set.
    public static func plus(
        key: EncryptionKey? = nil,
        setUp: @escaping @Sendable (SQLContext) throws -> Void = { _ in }
    ) -> SQLiteConfiguration {
        plus(key: key, vfs: EncryptingVFS.system?.name ?? EncryptingVFS.systemName, setUp: setUp)
    }

    /// Returns a configuration with encryption over a VFS other than the default.
    package static func plus(
        key: EncryptionKey? = nil, over base: String
    ) throws -> SQLiteConfiguration {
        plus(key: key, vfs: try EncryptingVFS.over(base).name) { _ in }
    }

    /// Returns this configuration with encryption over its VFS.
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
    /// The name of the encrypting VFS over the default VFS.
    static let systemName = "sqlplus"

    /// The encrypting VFS over the default VFS; nil if it cannot be created.
    static let system = try? registered(systemName, over: nil)

    static let others = Locked<[String: EncryptingVFS]>([:])

    /// Returns the encrypting VFS over a named VFS, which is created and registered at the first
    /// call.
    static func over(_ base: String) throws -> EncryptingVFS {
        try others.withLock { others in
            if let existing = others[base] { return existing }
            let vfs = try registered("\(systemName)-\(base)", over: base)
            others[base] = vfs
            return vfs
        }
    }

    private static func registered(_ name: String, over base: String?) throws -> EncryptingVFS {
        let vfs = try EncryptingVFS(name: name, over: base)
        try vfs.register()
        return vfs
    }
}
