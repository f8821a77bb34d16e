/// How the inspector is served.
package struct InspectorSettings: Sendable {
    /// The address on which it listens.
    package var host = "127.0.0.1"
    /// The port; 0 for any that is free.
    package var port = 0
    /// The token that clients must show; nil for a random one.
    package var token: String?
    /// Whether clients may change the databases.
    package var isWritable = false
    /// What it grants clients.
    package var limits = HTTPLimits()
    /// The version of the program.
    package var version = ""

    package init() {}

    /// Whether only programs of this machine reach it.
    var isLoopback: Bool { host == "::1" || host == "localhost" || host.hasPrefix("127.") }
}
