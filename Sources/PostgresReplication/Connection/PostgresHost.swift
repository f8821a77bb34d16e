/// A host to connect with.
struct PostgresHost: Sendable {
    /// The connection string.
    let parameters: String
    /// How long it may be silent.
    let seconds: Int
}
