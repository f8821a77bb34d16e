/// The setup of a connection when it is opened.
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
