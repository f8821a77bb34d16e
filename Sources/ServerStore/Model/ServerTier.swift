/// The plan required to use a server. Tiers are plain numbers; these are the named ones.
public enum ServerTier {
    /// Free of charge.
    public static let free = 0
    /// The former basic plan; still used in older lists.
    public static let basic = 1
    /// Any paid plan.
    public static let plus = 2
    /// The provider's own staff.
    public static let `internal` = 3
}
