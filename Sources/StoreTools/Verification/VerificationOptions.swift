/// How thoroughly a file is verified.
public struct VerificationOptions: Hashable, Sendable {
    /// What is looked at.
    public enum Level: String, CaseIterable, Sendable {
        /// SQLite's quick check, all rows, the schema of the indexes; blobs by name and length.
        case quick
        /// Also the contents of the indexes and of the blobs.
        case full
    }

    /// What is looked at.
    public var level: Level
    /// About how many rows of each store's tables are looked at, evenly spread by `rowid`; nil for
    /// all. What is asked by SQL, such as whether sequences are unique, is always of all rows.
    public var sample: Int?
    /// The most findings of one kind that are listed of one store; the others are counted.
    public var limit: Int

    /// Options; without any, everything is looked at.
    public init(level: Level = .full, sample: Int? = nil, limit: Int = 100) {
        self.level = level
        self.sample = sample
        self.limit = limit
    }
}

/// How far a verification has come with the rows, which are most of its work.
public struct VerificationProgress: Hashable, Sendable {
    /// The rows that were looked at.
    public let rows: Int
    /// The rows that will be looked at, as far as that is known.
    public let allRows: Int
}
