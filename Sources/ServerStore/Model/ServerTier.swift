/// The plan required to use a server.
///
/// A user of a tier can use the servers of that tier and of lower ones. Tiers are plain numbers, so
/// that other values of the API can be stored; these are the named ones.
/// ```swift
/// let usable = try repository.servers(
///     filteredBy: [.maxTier(ServerTier.free)], orderedBy: .fastest)
/// ```
public enum ServerTier {
    /// Free of charge (0); ``ServerRefresh`` requests these servers in most refreshes of free
    /// users.
    public static let free = 0
    /// The former basic plan (1); still used in older lists.
    public static let basic = 1
    /// Any paid plan (2).
    public static let plus = 2
    /// The provider's own staff (3).
    public static let `internal` = 3
}
