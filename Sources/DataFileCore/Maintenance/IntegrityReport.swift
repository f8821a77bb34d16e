public import StoreFormat

/// A problem in a file, as found by SQLite.
///
/// ```swift
/// for finding in try file.integrityCheck().findings {
///     show(finding.message, finding.index ?? finding.table ?? "")
/// }
/// ```
///
/// If only indexes are concerned, rebuild them; if tables are, recover the documents with `Salvage`
/// of the product StoreTools.
public struct IntegrityFinding: Hashable, Sendable {
    /// SQLite's message, in English.
    public let message: String
    /// The table concerned, if known; `sqlite_schema` for the list of tables.
    public let table: String?
    /// The index concerned; nil if it is not an index, or unknown.
    public let index: String?
    /// The number of the page concerned, starting at 1; nil if the message does not name one.
    public let page: Int?
    /// The KeyStore of the table; nil if the table is unknown or does not contain records.
    public var keyStore: KeyStoreName? {
        table.flatMap { StoreTable.store(ofTable: $0)?.store }
    }
}

/// The result of an integrity check, which covers SQLite's pages and indexes.
///
/// ```swift
/// let report = try file.integrityCheck(limit: 20)
/// if !report.isIntact {
///     let indexes = Set(report.findings.compactMap(\.index))
///     if report.findings.allSatisfy({ $0.index != nil }) { try file.reindex() }
///     show("damaged:", indexes)
/// }
/// ```
///
/// It neither checks documents and blobs nor compares the tables of full-text, array and predictive
/// indexes with the documents: `DataFile.verify` of the product StoreTools does.
public struct IntegrityReport: Hashable, Sendable {
    /// The problems; empty if the file is intact. They are at most as many as the check's limit.
    public let findings: [IntegrityFinding]
    /// Whether there may be more problems: the check stops at the requested number.
    public let isCutOff: Bool
    /// Why indexes were not compared with their rows, such as a missing function; nil if they were
    /// compared. The pages were checked nevertheless.
    public let uncheckedIndexes: String?
    /// Whether pages were traced to their tables, which requires SQLite's `dbstat`. Otherwise
    /// findings about pages do not name a table.
    public let tracesPages: Bool

    /// Whether no problems were found. If ``uncheckedIndexes`` is not nil, indexes may still be
    /// incorrect.
    public var isIntact: Bool { findings.isEmpty }
}
