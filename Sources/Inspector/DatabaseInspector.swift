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
/// Task { try await inspector.serve() }
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

    /// Starts to listen. Clients wait for an answer until ``serve()`` is called.
    ///
    /// - Parameters:
    ///   - files: the databases, open; they stay open as long as this value is used.
    ///   - host: the address on which it listens. Another one than this machine's own has no
    ///     encryption: who can read the network can read the token.
    ///   - port: the port; 0 for any that is free.
    ///   - token: what a client must show, at least 16 characters; nil for 128 random bits.
    ///   - isWritable: whether clients may change the databases.
    /// - Throws: a `StoreError` with `.invalidParameter` for a database in memory, a token that is
    ///   too short, and an address that cannot be used.
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
        guard token.map({ $0.utf8.count >= 16 }) ?? true else {
            throw StoreError(.invalidParameter, "the token has less than 16 characters")
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

    /// Answers browsers until the task is cancelled.
    ///
    /// - Throws: an error if the server can no longer accept connections.
    public func serve() async throws {
        do {
            try await server.serve()
        } catch is CancellationError {
            // The end that was asked for.
        }
    }
}
