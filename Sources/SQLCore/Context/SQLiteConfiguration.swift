/// How a connection is set up when it is opened.
public struct SQLiteConfiguration: Sendable {
    /// The name of the VFS, nil for SQLite's own.
    package let vfs: String?
    /// What is done first on a connection.
    package let setUp: @Sendable (SQLContext) throws -> Void

    /// SQLite as the platform has it.
    public static let platform = SQLiteConfiguration.custom()

    /// SQLite with a VFS of one's own, and calls to be made on each connection before any other:
    /// functions to be registered, pragmas, a key.
    ///
    /// Opening fails with what `setUp` throws.
    public static func custom(
        vfs: String? = nil, setUp: @escaping @Sendable (SQLContext) throws -> Void = { _ in }
    ) -> SQLiteConfiguration {
        SQLiteConfiguration(vfs: vfs, setUp: setUp)
    }
}
