/// The setup of a connection when it is opened.
///
/// Functions, collations, virtual tables and most pragmas belong to a connection, not to the file.
/// A configuration applies them to every new connection, which matters most for a ``SQLPool``: it
/// opens connections on demand.
///
/// ```swift
/// let configuration = SQLiteConfiguration.custom { context in
///     context.foreignKeysEnabled = true
///     try context.setPragma("cache_size", to: .long(-8000))
///     try context.registerFunction("shout") { (text: String) in text.uppercased() }
/// }
/// var options = SQLPool.Options()
/// options.configuration = configuration
/// let pool = try SQLPool(path: databasePath, options: options)
/// ```
/// It is `Sendable`: the closure runs on the thread that opens the connection, which need not be
/// the one that created the configuration. A configuration with encryption is
/// `SQLiteConfiguration.plus` of SQLPlus.
public struct SQLiteConfiguration: Sendable {
    /// The name of the VFS; nil for the default VFS.
    package let vfs: String?
    /// Called with the new connection before any other use.
    package let setUp: @Sendable (SQLContext) throws -> Void

    /// The SQLite library of the platform, without further setup.
    public static let platform = SQLiteConfiguration.custom()

    /// Returns a configuration with a VFS and with calls on each new connection, such as
    /// registering functions, pragmas or a key.
    ///
    /// ```swift
    /// let exclusive = SQLiteConfiguration.custom(vfs: "unix-excl") {
    ///     try $0.setPragma("temp_store", to: .text("memory"))
    /// }
    /// let context = try SQLContext(path: databasePath, configuration: exclusive)
    /// ```
    ///
    /// - Parameters:
    ///   - vfs: The name of the VFS; nil for the default VFS.
    ///   - setUp: Called with the new connection before any other use. If it throws, opening fails
    ///     with its error.
    public static func custom(
        vfs: String? = nil, setUp: @escaping @Sendable (SQLContext) throws -> Void = { _ in }
    ) -> SQLiteConfiguration {
        SQLiteConfiguration(vfs: vfs, setUp: setUp)
    }
}
