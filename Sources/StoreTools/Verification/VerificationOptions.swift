/// What a verification checks, and how thoroughly.
public struct VerificationOptions: Hashable, Sendable {
    /// The scope of a verification.
    public enum Level: String, CaseIterable, Sendable {
        /// SQLite's quick check, all rows, the schema of indexes, and blobs by name and length.
        case quick
        /// Everything that `quick` checks, and the contents of indexes and blobs.
        case full
    }

    /// The scope.
    public var level: Level
    /// The approximate number of rows to check in each table of records, evenly distributed by
    /// `rowid`; nil for all. Checks by SQL, such as that sequences are unique, always include all
    /// rows.
    public var sample: Int?
    /// The maximum number of listed findings per kind and store. Further ones are only counted.
    public var limit: Int

    /// Creates options. By default, everything is checked.
    ///
    /// - Parameters:
    ///   - level: the scope.
    ///   - sample: the approximate number of rows to check per table; nil for all.
    ///   - limit: the maximum number of listed findings per kind and store.
    public init(level: Level = .full, sample: Int? = nil, limit: Int = 100) {
        self.level = level
        self.sample = sample
        self.limit = limit
    }
}

/// The progress of a verification in terms of rows, which take most of the time.
public struct VerificationProgress: Hashable, Sendable {
    /// The number of checked rows.
    public let rows: Int
    /// The number of rows to check, as far as known.
    public let allRows: Int
}
