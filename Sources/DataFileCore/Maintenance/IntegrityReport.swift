public import StoreFormat

/// One thing that is wrong with a file.
public struct IntegrityFinding: Hashable, Sendable {
    /// What SQLite says of it.
    public let message: String
    /// The table that it belongs to, if that is known; `sqlite_schema` for the list of tables.
    public let table: String?
    /// The index that it belongs to.
    public let index: String?
    /// The page that it is on, from 1.
    public let page: Int?
    /// The KeyStore of the table.
    public var keyStore: KeyStoreName? {
        table.flatMap { StoreTable.store(ofTable: $0)?.store }
    }
}

/// What a check of a file has found.
public struct IntegrityReport: Hashable, Sendable {
    /// What is wrong; empty if nothing is.
    public let findings: [IntegrityFinding]
    /// Whether there may be more than these: the check ends after as many as were asked for.
    public let isCutOff: Bool
    /// Why indexes were not compared with their rows, as when a function is missing; nil if they
    /// were.
    public let uncheckedIndexes: String?
    /// Whether pages could be traced to their tables, for which SQLite needs `dbstat`.
    public let tracesPages: Bool

    /// Whether nothing is wrong.
    public var isIntact: Bool { findings.isEmpty }
}
