extension FleeceLimits {
    /// The values that an iteration yields unless it is told otherwise: a small document that
    /// uses its parts again and again can stand for a very large one.
    public static let deepValues = 1 << 22
}
