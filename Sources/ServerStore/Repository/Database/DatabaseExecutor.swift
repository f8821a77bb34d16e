/// Who hears of what was written through a repository, after it was, on the thread that wrote.
public struct DatabaseExecutor: Sendable {
    /// Takes the servers that were stored, also those that were as they are.
    public var didStoreServers: @Sendable ([VPNServer]) -> Void
    /// Takes the loads that were stored, also those of no server.
    public var didUpdateLoads: @Sendable ([ContinuousServerProperties]) -> Void

    /// Tells of what is given here.
    public init(
        didStoreServers: @escaping @Sendable ([VPNServer]) -> Void = { _ in },
        didUpdateLoads: @escaping @Sendable ([ContinuousServerProperties]) -> Void = { _ in }
    ) {
        (self.didStoreServers, self.didUpdateLoads) = (didStoreServers, didUpdateLoads)
    }
}
