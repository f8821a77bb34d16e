/// What the server grants clients.
package struct HTTPLimits: Sendable {
    /// How many connections there are at the same time; further ones are closed.
    package var connections = 256
    /// How many commands run at the same time.
    package var commands = 64
    /// How many of them may take long for one database; each uses a connection with the database,
    /// of which it has four by default.
    package var longCommands = 3
    /// The largest body of a request with documents, in bytes.
    package var documentBytes = 64 << 20
    /// The largest body of another request.
    package var bodyBytes = 1 << 20
    /// How long a client may send nothing of a request, or none.
    package var idleSeconds = 60
    /// How long a client may take nothing of a response. The snapshot of its command would keep the
    /// WAL from being reset.
    package var stallSeconds = 30
    /// How long a body that is too large is read, so that its client sees the response.
    package var refusalSeconds = 10
    /// How often a client that waits for events gets a sign of life.
    package var pingSeconds = 15

    package init() {}
}
