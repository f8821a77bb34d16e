public import DataFileCore
public import StoreFormat

/// Something that is wrong with a file, or worth knowing of it.
public struct VerificationFinding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, CaseIterable, Sendable {
        /// The file works as it is.
        case note
        /// Something is damaged, lost, or not what the format says.
        case error
    }

    /// What it is about.
    public enum Area: String, CaseIterable, Sendable {
        /// SQLite's own structures, and what the file says of itself.
        case file
        /// A table of records.
        case table
        /// The numbers that stand for keys in bodies.
        case sharedKeys
        /// The key of a record.
        case key
        /// The flags of a record.
        case flags
        /// The properties of a document.
        case body
        /// The version and the history of a document.
        case revision
        /// The sequences of a store.
        case sequence
        /// When a document expires.
        case expiration
        /// An index, or a table that belongs to one.
        case index
        /// A trigger, which keeps the table of an index current.
        case trigger
        /// The bytes that documents refer to.
        case blob
    }

    /// How bad it is.
    public let severity: Severity
    /// What it is about.
    public let area: Area
    /// The store, if it is one's.
    public let store: KeyStoreName?
    /// The key of the record, if it is one's; of several the first.
    public let key: String?
    /// The name of the index, if it is one's.
    public let index: String?
    /// The blob, if it is one's.
    public let blob: BlobDigest?
    /// The page of the file, from 1, if it is known.
    public let page: Int?
    /// One line: what is wrong.
    public let message: String
    /// Whether `DataFile.fix` can put it right.
    public let isFixable: Bool
    /// What kind of finding it is.
    let kind: VerificationKind
    /// The table, trigger or index of SQLite's own that it is about.
    let object: String?
}
