/// Callbacks for writes of a repository, called after the commit, on the thread that wrote.
///
/// They are called for writes of the repository only, not for those of its store or of other
/// processes; observe ``ServerStore/file`` for these. A write that fails calls none.
/// ```swift
/// let executor = DatabaseExecutor(
///     didStoreServers: { servers in print("\(servers.count) servers") },
///     didUpdateLoads: { loads in print("\(loads.count) loads") })
/// ```
public struct DatabaseExecutor: Sendable {
    /// Called with the servers passed to `upsert` or `replaceList`, including unchanged ones.
    /// Removals by `delete` do not call it.
    public var didStoreServers: @Sendable ([VPNServer]) -> Void
    /// Called with the loads passed to `upsert`, including those without a server.
    public var didUpdateLoads: @Sendable ([ContinuousServerProperties]) -> Void

    /// Creates an executor; a callback that is not specified does nothing.
    ///
    /// - Parameters:
    ///   - didStoreServers: called with stored servers.
    ///   - didUpdateLoads: called with stored loads.
    public init(
        didStoreServers: @escaping @Sendable ([VPNServer]) -> Void = { _ in },
        didUpdateLoads: @escaping @Sendable ([ContinuousServerProperties]) -> Void = { _ in }
    ) {
        (self.didStoreServers, self.didUpdateLoads) = (didStoreServers, didUpdateLoads)
    }
}
