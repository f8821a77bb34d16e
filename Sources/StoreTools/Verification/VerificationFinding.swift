public import DataFileCore
public import StoreFormat

/// A problem in a file, or a note about it.
///
/// The message describes it completely; the other properties locate it, for example to group
/// findings or to correct an application's own data:
///
/// ```swift
/// let findings = try file.verify().findings
/// let byArea = Dictionary(grouping: findings, by: \.area)
/// for (area, findings) in byArea { show(area.rawValue, findings.count) }
/// let damagedDocuments = findings.filter { $0.area == .body }.compactMap(\.key)
/// ```
///
/// See ``VerificationReport``.
public struct VerificationFinding: Hashable, Sendable {
    /// The severity of a finding.
    ///
    /// ``VerificationReport/errors`` and ``VerificationReport/notes`` count the two.
    ///
    /// ```swift
    /// let notes = try file.verify().findings.filter { $0.severity == .note }
    /// show(notes.map(\.message))
    /// ```
    public enum Severity: String, CaseIterable, Sendable {
        /// A note: the file works. It may use more space than necessary, or contain parts of
        /// another program.
        case note
        /// Something is damaged, lost, or contrary to the format.
        case error
    }

    /// The part of the file that a finding is about.
    ///
    /// ```swift
    /// let errors = try file.verify().findings.filter { $0.severity == .error }
    /// if errors.allSatisfy({ [.index, .trigger].contains($0.area) }) { try file.fix(errors) }
    /// ```
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

    /// The severity. A file with notes only is intact.
    public let severity: Severity
    /// The part of the file.
    public let area: Area
    /// The store concerned; nil if it concerns none, or several. `CollectionName(store)` is its
    /// collection.
    public let store: KeyStoreName?
    /// The key of the record concerned; the first one of several, nil if it concerns no record.
    public let key: String?
    /// The name of the index concerned; nil if it concerns none.
    public let index: String?
    /// The blob concerned; nil if it concerns none.
    public let blob: BlobDigest?
    /// The number of the page, starting at 1; nil if it is not known.
    public let page: Int?
    /// A description of the problem in one line. Its wording is not stable: do not parse it.
    public let message: String
    /// Whether `DataFile.fix` can fix it without losing anything.
    ///
    /// ```swift
    /// let (fixable, others) = try file.verify().findings.reduce(into: (0, 0)) { counts, finding in
    ///     if finding.isFixable { counts.0 += 1 } else { counts.1 += 1 }
    /// }
    /// ```
    public let isFixable: Bool
    /// The kind of the finding.
    let kind: VerificationKind
    /// The SQLite table, trigger or index concerned.
    let object: String?
}
