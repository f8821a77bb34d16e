public import StoreFormat

/// The result of a verification: counts, findings, and what could not be checked.
///
/// A file is intact if there are no errors. Notes describe harmless peculiarities, such as blobs to
/// which nothing refers. Pass the findings to `DataFile.fix` to fix those that are fixable.
public struct VerificationReport: Hashable, Sendable {
    /// What was checked in a store.
    public struct Store: Hashable, Sendable {
        /// The store's name.
        public let name: KeyStoreName
        /// The number of checked rows, including tombstones.
        public internal(set) var rows = 0
        /// The number of tombstones among them.
        public internal(set) var tombstones = 0
        /// The number of rows of its tables, as far as they could be counted.
        public internal(set) var allRows = 0
    }

    /// Something that was not checked.
    public struct Unchecked: Hashable, Sendable {
        /// What was not checked.
        public let subject: String
        /// The reason.
        public let reason: String
    }

    /// The stores, sorted by name.
    public internal(set) var stores: [Store] = []
    /// The number of registered indexes.
    public internal(set) var indexes = 0
    /// The number of blobs.
    public internal(set) var blobs = 0
    /// The size of the blobs in bytes.
    public internal(set) var blobBytes = 0
    /// The listed findings, at most ``VerificationOptions/limit`` of each kind in each store.
    public internal(set) var findings: [VerificationFinding] = []
    /// The number of errors among all findings, listed or not.
    public internal(set) var errors = 0
    /// The number of notes among all findings, listed or not.
    public internal(set) var notes = 0
    /// What was not checked, and why.
    public internal(set) var unchecked: [Unchecked] = []

    /// Whether there are no errors. There may be notes.
    public var isIntact: Bool { errors == 0 }
    /// The number of findings that are not listed.
    public var unlisted: Int { errors + notes - findings.count }
}
