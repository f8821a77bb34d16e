/// Callbacks for writes of a repository, called after the write, on the thread that wrote.
public struct DatabaseExecutor: Sendable {
    /// Called with the stored servers, including unchanged ones.
    public var didStoreServers: @Sendable ([VPNServer]) -> Void
    /// Called with the stored loads, including those without a server.
    public var didUpdateLoads: @Sendable ([ContinuousServerProperties]) -> Void

    /// Creates an executor from callbacks.
    public init(
        didStoreServers: @escaping @Sendable ([VPNServer]) -> Void = { _ in },
        didUpdateLoads: @escaping @Sendable ([ContinuousServerProperties]) -> Void = { _ in }
    ) {
        (self.didStoreServers, self.didUpdateLoads) = (didStoreServers, didUpdateLoads)
    }
}
