extension FleeceLimits {
    /// Bytes of UTF-8 that the `description` of a value has at most, before its `…`.
    public static let descriptionLength = 1000

    /// Bytes of a line of a dump that are shown in hexadecimal.
    static let dumpedBytes = 8
    /// Bytes of a string that a dump shows where the string lies, and where a pointer leads to it.
    static let dumpedText = 48
    static let dumpedPreview = 24
    /// Bytes of two keys that a dump compares to see if they are in order.
    static let comparedKeyBytes = 256
}
