public import StoreFormat

/// What a verification has looked at, and found.
public struct VerificationReport: Hashable, Sendable {
    /// What was looked at of a store.
    public struct Store: Hashable, Sendable {
        /// The store.
        public let name: KeyStoreName
        /// The rows that were looked at, tombstones included.
        public internal(set) var rows = 0
        /// How many of those are tombstones.
        public internal(set) var tombstones = 0
        /// All rows of its tables, as far as they could be counted.
        public internal(set) var allRows = 0
    }

    /// Something that was not checked.
    public struct Unchecked: Hashable, Sendable {
        /// What was not checked.
        public let subject: String
        /// Why not.
        public let reason: String
    }

    /// The stores, sorted by name.
    public internal(set) var stores: [Store] = []
    /// How many indexes are registered.
    public internal(set) var indexes = 0
    /// How many blobs there are.
    public internal(set) var blobs = 0
    /// How many bytes they have.
    public internal(set) var blobBytes = 0
    /// The findings that are listed; of each kind no more of one store than the options say.
    public internal(set) var findings: [VerificationFinding] = []
    /// How many findings there are that are errors, listed or not.
    public internal(set) var errors = 0
    /// How many findings there are that are notes, listed or not.
    public internal(set) var notes = 0
    /// What was not checked, and why.
    public internal(set) var unchecked: [Unchecked] = []

    /// Whether nothing is wrong; there may be notes.
    public var isIntact: Bool { errors == 0 }
    /// How many findings are not listed.
    public var unlisted: Int { errors + notes - findings.count }
}
