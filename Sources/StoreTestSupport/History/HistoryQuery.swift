/// Which records an enumeration returns, and in which order.
///
/// A driver translates it into the options of its store. Start and end are in the direction of the
/// query: a descending one begins with the higher key.
///
/// ```swift
/// var query = HistoryQuery()
/// (query.order, query.descending) = (.sequence, true)
/// query.startSequence = 100
/// query.limit = 10
/// let driver = try makeDriver()
/// let records = try driver.enumerate(query, in: "default")
/// #expect(records.allSatisfy { $0.sequence <= 100 })
/// ```
public struct HistoryQuery: Equatable, Sendable {
    /// What the records are sorted by.
    public enum Order: String, CaseIterable, Sendable {
        /// By the bytes of the key, in UTF-8.
        case key
        /// By the sequence, which is the order of the latest changes.
        case sequence
        /// In any order; the driver's order is ignored.
        case unsorted
    }

    /// What the records are sorted by; the key by default.
    public var order = Order.key
    /// Whether the order is descending; false by default. The start is then the higher end.
    public var descending = false
    /// The first possible key, in the direction of the query and inclusive; nil for no limit.
    ///
    /// Used with the order ``Order/key``. The key need not exist.
    public var startKey: String?
    /// The last possible key, in the direction of the query and inclusive; nil for no limit.
    ///
    /// Used with the order ``Order/key``.
    public var endKey: String?
    /// The first possible sequence, in the direction of the query and inclusive; nil for no limit.
    ///
    /// Used with the order ``Order/sequence``.
    public var startSequence: Int64?
    /// The last possible sequence, in the direction of the query and inclusive; nil for no limit.
    ///
    /// Used with the order ``Order/sequence``.
    public var endSequence: Int64?
    /// The maximum number of records, which may be 0; nil for all.
    ///
    /// It is always nil with ``Order/unsorted``, since any records could be missing.
    public var limit: Int?
    /// Whether tombstones are included; false by default.
    public var includesDeleted = false
    /// Whether only records with the flag `conflicted` are included; false by default.
    public var onlyConflicted = false
    /// Whether only records with the flag `hasAttachments` are included; false by default.
    public var onlyWithAttachments = false
    /// How much of each record is read; all of it by default.
    ///
    /// A column that is not read is empty in the result.
    public var level = HistoryLevel.all

    /// Creates a query of all live records, by key.
    public init() {}
}

extension HistoryQuery: CustomStringConvertible {
    /// The differences from all live records by key, in one line, such as `by sequence descending
    /// limit 10 (all)`.
    public var description: String {
        var words = ["by \(order.rawValue)"]
        if descending { words.append("descending") }
        if let startKey { words.append("from \"\(startKey)\"") }
        if let endKey { words.append("to \"\(endKey)\"") }
        if let startSequence { words.append("from \(startSequence)") }
        if let endSequence { words.append("to \(endSequence)") }
        if let limit { words.append("limit \(limit)") }
        if includesDeleted { words.append("with deleted") }
        if onlyConflicted { words.append("only conflicted") }
        if onlyWithAttachments { words.append("only with attachments") }
        return words.joined(separator: " ") + " (\(level.rawValue))"
    }
}
