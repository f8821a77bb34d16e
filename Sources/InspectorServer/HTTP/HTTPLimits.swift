/// What the server grants clients.
package struct HTTPLimits: Sendable {
    /// How many connections there are at the same time; further ones are closed.
    package var connections = 256
    /// How many commands run at the same time.
    package var commands = 64
    /// The largest body of a request, in bytes.
    package var bodyBytes = 64 << 20
    /// How long a request may take to arrive, and a connection may be idle.
    package var requestSeconds = 60
    /// How long a client may take nothing of a response. The snapshot of its command would keep the
    /// WAL from being reset.
    package var stallSeconds = 30
    /// How often a client that waits for events gets a sign of life.
    package var pingSeconds = 15

    package init() {}
}
