extension FleeceLimits {
    /// The values that an iteration yields unless it is told otherwise: a small document that
    /// uses its parts again and again can stand for a very large one.
    public static let deepValues = 1 << 22
    /// Bytes of keys that an iteration yields: a long key can be pointed to from many pairs.
    static let deepKeyBytes = 1 << 28
}
