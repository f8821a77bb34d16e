public import StoreFormat

/// The result of a verification: counts, findings, and what could not be checked.
///
/// A file is intact if there are no errors. Notes describe harmless peculiarities, such as blobs to
/// which nothing refers. Pass the findings to `DataFile.fix` to fix those that are fixable.
///
/// ```swift
/// let report = try file.verify()
/// for store in report.stores { show(store.name.rawName, "\(store.rows) rows checked") }
/// for finding in report.findings where finding.severity == .error { show(finding.message) }
/// if report.unlisted > 0 { show("and \(report.unlisted) more") }
/// ```
///
/// An intact report does not cover what was not checked:
///
/// ```swift
/// let report = try file.verify()
/// for part in report.unchecked { show("\(part.subject) was not checked: \(part.reason)") }
/// ```
public struct VerificationReport: Hashable, Sendable {
    /// What was checked in a store.
    ///
    /// ```swift
    /// let report = try file.verify(VerificationOptions(sample: 1000))
    /// for store in report.stores where store.rows < store.allRows {
    ///     show("\(store.name.rawName): \(store.rows) of \(store.allRows) rows")
    /// }
    /// ```
    public struct Store: Hashable, Sendable {
        /// The store's name.
        public let name: KeyStoreName
        /// The number of checked rows, including tombstones. It is less than ``allRows`` with a
        /// sample, or if rows could not be read.
        public internal(set) var rows = 0
        /// The number of tombstones among them.
        public internal(set) var tombstones = 0
        /// The number of rows of its tables, as far as they could be counted.
        public internal(set) var allRows = 0
    }

    /// Something that was not checked, such as the contents of an index whose model is not
    /// registered.
    ///
    /// It is neither correct nor incorrect as far as is known, and does not affect
    /// ``VerificationReport/isIntact``. An application that must be certain treats it as an error:
    ///
    /// ```swift
    /// let report = try file.verify()
    /// let isCertain = report.isIntact && report.unchecked.isEmpty
    /// ```
    public struct Unchecked: Hashable, Sendable {
        /// What was not checked, as the subject of a sentence, such as `the index byAge`.
        public let subject: String
        /// The reason, in one line.
        public let reason: String
    }

    /// The stores, sorted by name.
    public internal(set) var stores: [Store] = []
    /// The number of registered indexes; those that stores create for themselves are not counted.
    public internal(set) var indexes = 0
    /// The number of blobs, whether or not documents refer to them. Damaged ones whose size cannot
    /// be read are not counted.
    public internal(set) var blobs = 0
    /// The size of the blobs in bytes.
    public internal(set) var blobBytes = 0
    /// The listed findings, at most ``VerificationOptions/limit`` of each kind in each store, in
    /// the order in which they were found.
    public internal(set) var findings: [VerificationFinding] = []
    /// The number of errors among all findings, listed or not.
    public internal(set) var errors = 0
    /// The number of notes among all findings, listed or not.
    public internal(set) var notes = 0
    /// What was not checked, and why. Empty if the check was complete.
    public internal(set) var unchecked: [Unchecked] = []

    /// Whether there are no errors. There may be notes, and parts that were not checked.
    public var isIntact: Bool { errors == 0 }
    /// The number of findings that are not listed, since there were more than
    /// ``VerificationOptions/limit`` of their kind.
    public var unlisted: Int { errors + notes - findings.count }
}
