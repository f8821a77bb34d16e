/// What a verification checks, and how thoroughly.
///
/// ```swift
/// let options = VerificationOptions(level: .quick, sample: 10_000, limit: 20)
/// let report = try file.verify(options)
/// show(report.errors, report.stores.map(\.rows))
/// ```
///
/// A full verification of a large file with many blobs takes long, since it reads everything. A
/// quick one, perhaps of a sample, is suited to a check on each start of a program.
public struct VerificationOptions: Hashable, Sendable {
    /// The scope of a verification.
    ///
    /// The raw values are the names of the cases, for example for a command's option:
    ///
    /// ```swift
    /// let level = VerificationOptions.Level(rawValue: "quick") ?? .full
    /// show(VerificationOptions.Level.allCases.map(\.rawValue))
    /// ```
    public enum Level: String, CaseIterable, Sendable {
        /// SQLite's quick check, all rows, the schema of indexes, and blobs by name and length. It
        /// reads blobs' sizes, not their bytes.
        case quick
        /// Everything that `quick` checks, and the contents of indexes and blobs: index entries are
        /// compared with the documents, and each blob with its digest.
        case full
    }

    /// The scope; ``Level/full`` by default.
    public var level: Level
    /// The approximate number of rows to check in each table of records, evenly distributed by
    /// `rowid`; nil (default) for all. Checks by SQL, such as that sequences are unique, always
    /// include all rows.
    ///
    /// With a sample, blobs to which no reference was found are not reported as unused.
    public var sample: Int?
    /// The maximum number of listed findings per kind and store; 100 by default. Further ones are
    /// only counted.
    ///
    /// It bounds the size of the report, not the work: everything is checked. `DataFile.fix`
    /// handles listed findings only, but most of its fixes concern a whole store or index.
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
///
/// `DataFile.verify` passes it to its handler after every 1,024 rows, on the thread that verifies.
/// The handler returns false to cancel.
///
/// ```swift
/// let report = try file.verify(progress: { progress in
///     show("\(progress.rows) of \(progress.allRows) rows")
///     return true
/// })
/// ```
public struct VerificationProgress: Hashable, Sendable {
    /// The number of checked rows, in all tables so far.
    public let rows: Int
    /// The number of rows to check, as far as known; never less than ``rows``.
    public let allRows: Int
}
