// A revision of a tree (Couchbase Lite 3) stands in a vector as a version of the source `legacy`:
// its time is the generation above 40 bits, and in those the first 40 bits of the digest.
extension VersionVector.Version {
    /// The version that stands for a revision of a tree.
    ///
    /// Nil if the generation is 0 or takes more than 23 bits, so that there is no valid time.
    package init?(legacy generation: UInt64, _ digest: [UInt8], isCurrent: Bool = false) {
        guard (1..<Self.generationLimit).contains(generation) else { return nil }
        var prefix: UInt64 = 0
        for index in 0..<Self.prefixSize {
            prefix = prefix << 8 | UInt64(index < digest.count ? digest[index] : 0)
        }
        self.init(
            time: LogicalTime(rawValue: generation << Self.prefixBits | prefix), source: .legacy,
            isCurrent: isCurrent)
    }

    /// Whether it stands for a revision of a tree.
    public var isLegacy: Bool { source == .legacy }

    /// The generation of the revision that it stands for, and the first 5 bytes of its digest;
    /// nil if it stands for none.
    public var legacyRevision: (generation: UInt64, prefix: [UInt8])? {
        guard isLegacy else { return nil }
        let prefix = BigEndian.bytes(time.rawValue).suffix(Self.prefixSize)
        return (time.rawValue >> Self.prefixBits, [UInt8](prefix))
    }

    private static let prefixSize = 5
    private static let prefixBits: UInt64 = 40
    private static let generationLimit: UInt64 = 1 << 23
}
