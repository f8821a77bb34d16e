public import DocumentStore
internal import InspectorServer
internal import KVToolCommands

/// Shows databases that an application has open in a browser, as `kvtool serve` shows files.
///
/// For builds in which a developer looks at the data: documents, revisions and conflicts, queries
/// with their plans, changes as they are committed, indexes, storage.
///
/// ```swift
/// #if DEBUG
/// let inspector = try await DatabaseInspector(file)
/// print(inspector.url)
/// Task { await inspector.serve() }
/// #endif
/// ```
///
/// The server listens on this machine only, and each request needs the token of ``url``. It reads
/// on the connections of the application's handle or on ones with the same options, and keeps no
/// snapshot open while a browser waits. Nothing is changed unless `isWritable` is true.
///
/// **Cost.** None until a browser asks; then what the commands of kvtool cost that it asks for. It
/// adds swift-nio and the commands of kvtool to the program.
public struct DatabaseInspector: Sendable {
    private let server: InspectorServer

    /// Starts to listen. Clients wait for an answer until ``serve()`` is called; without it, the
    /// port is free again when the last copy of this value is gone.
    ///
    /// - Parameters:
    ///   - files: the databases, open; they stay open as long as this value is used.
    ///   - host: the address on which it listens. Another one than this machine's own has no
    ///     encryption: who can read the network can read the token.
    ///   - port: the port; 0 for any that is free.
    ///   - token: what a client must show, at least 16 letters and digits; nil for 128 random bits.
    ///   - isWritable: whether clients may change the databases.
    /// - Throws: a `StoreError` with `.invalidParameter` for a database in memory, a token of
    ///   another form, and an address that cannot be used.
    public init(
        _ files: DataFile..., host: String = "127.0.0.1", port: Int = 0, token: String? = nil,
        isWritable: Bool = false
    ) async throws {
        guard !files.contains(where: { $0.path == ":memory:" }) else {
            throw StoreError(
                .invalidParameter,
                "a database in memory has one connection, so it cannot be inspected; copy it to a "
                    + "file")
        }
        guard token.map(AccessToken.isValid) ?? true else {
            throw StoreError(.invalidParameter, "the token must be \(AccessToken.rule)")
        }
        var settings = InspectorSettings()
        (settings.host, settings.port, settings.token) = (host, port, token)
        (settings.isWritable, settings.version) = (isWritable, CommandRunner.version)
        let names = InspectedDatabase.names(of: files.map(\.path))
        let databases = zip(files, names).map { InspectedDatabase($0, name: $1) }
        do {
            server = try await InspectorServer(databases, settings) {
                await CommandRunner.run($0)
            }
        } catch {
            throw StoreError(.invalidParameter, "\(host) port \(port) cannot be used: \(error)")
        }
    }

    /// The URL of the pages, with the token, for a browser on this machine.
    public var url: String { server.url }

    /// Answers browsers until the task is cancelled; then it interrupts what runs, and listens no
    /// more. It cannot be called again.
    public func serve() async { await server.serve() }
}
