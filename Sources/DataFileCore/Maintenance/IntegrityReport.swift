public import StoreFormat

/// A problem in a file, as found by SQLite.
public struct IntegrityFinding: Hashable, Sendable {
    /// SQLite's message.
    public let message: String
    /// The table concerned, if known; `sqlite_schema` for the list of tables.
    public let table: String?
    /// The index concerned.
    public let index: String?
    /// The number of the page concerned, starting at 1.
    public let page: Int?
    /// The KeyStore of the table.
    public var keyStore: KeyStoreName? {
        table.flatMap { StoreTable.store(ofTable: $0)?.store }
    }
}

/// The result of an integrity check, which covers SQLite's pages and indexes.
///
/// It neither checks documents and blobs nor compares the tables of full-text, array and predictive
/// indexes with the documents: `DataFile.verify` of the target StoreTools does.
public struct IntegrityReport: Hashable, Sendable {
    /// The problems; empty if the file is intact.
    public let findings: [IntegrityFinding]
    /// Whether there may be more problems: the check stops at the requested number.
    public let isCutOff: Bool
    /// Why indexes were not compared with their rows, such as a missing function; nil if they were
    /// compared.
    public let uncheckedIndexes: String?
    /// Whether pages were traced to their tables, which requires SQLite's `dbstat`.
    public let tracesPages: Bool

    /// Whether no problems were found.
    public var isIntact: Bool { findings.isEmpty }
}
