public import DataFileCore
public import StoreFormat

/// A problem in a file, or a note about it.
public struct VerificationFinding: Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, CaseIterable, Sendable {
        /// A note: the file works.
        case note
        /// Something is damaged, lost, or contrary to the format.
        case error
    }

    /// The part of the file that a finding is about.
    public enum Area: String, CaseIterable, Sendable {
        /// SQLite's structures, and the file's properties.
        case file
        /// A table of records.
        case table
        /// The shared keys: the strings that integer keys in bodies stand for.
        case sharedKeys
        /// The key of a record.
        case key
        /// The flags of a record.
        case flags
        /// The properties of a document.
        case body
        /// The version and history of a document.
        case revision
        /// The sequences of a store.
        case sequence
        /// The expiration of a document.
        case expiration
        /// An index, or a table that belongs to one.
        case index
        /// A trigger, which maintains the table of an index.
        case trigger
        /// A blob.
        case blob
    }

    /// The severity.
    public let severity: Severity
    /// The part of the file.
    public let area: Area
    /// The store concerned, if any.
    public let store: KeyStoreName?
    /// The key of the record concerned, if any; the first one of several.
    public let key: String?
    /// The name of the index concerned, if any.
    public let index: String?
    /// The blob concerned, if any.
    public let blob: BlobDigest?
    /// The number of the page, starting at 1, if it is known.
    public let page: Int?
    /// A description of the problem in one line.
    public let message: String
    /// Whether `DataFile.fix` can fix it.
    public let isFixable: Bool
    /// The kind of the finding.
    let kind: VerificationKind
    /// The SQLite table, trigger or index concerned.
    let object: String?
}
