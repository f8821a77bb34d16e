internal import DocumentStore
internal import KVToolCore

/// Serves databases to browsers.
package struct InspectorServer: Sendable {
    private let databases: [InspectedDatabase]
    private let settings: InspectorSettings
    private let http: HTTPServer
    private let token: AccessToken
    private let run: CommandLineRunner

    /// Listens.
    ///
    /// - Parameter run: runs the commands that answer requests.
    package init(
        _ databases: [InspectedDatabase], _ settings: InspectorSettings,
        run: @escaping CommandLineRunner
    ) async throws {
        self.databases = databases
        self.settings = settings
        self.run = run
        token = AccessToken(settings.token)
        http = try await HTTPServer(
            host: settings.host, port: settings.port, settings.limits)
    }

    /// The URL with the token, which a browser does not send to the server.
    package var url: String {
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        return "http://\(host):\(http.port)/#token=\(token.text)"
    }

    /// Answers requests until the task is cancelled.
    package func serve() async {
        let access = AccessCheck(
            token, host: settings.host, isLoopback: settings.isLoopback)
        let handler = InspectorHandler(databases, settings, access, run)
        defer {
            for database in databases { database.close() }
        }
        // In an application, the threads that tasks share may be busy.
        await withTaskExecutorPreference(DedicatedThread()) { await http.run(handler) }
    }
}
