/// Which records an enumeration returns, and in which order.
public struct HistoryQuery: Equatable, Sendable {
    /// What the records are sorted by.
    public enum Order: String, CaseIterable, Sendable {
        /// By the bytes of the key.
        case key
        /// By the sequence.
        case sequence
        /// In any order; the driver's order is ignored.
        case unsorted
    }

    /// What the records are sorted by.
    public var order = Order.key
    /// Whether the order is descending.
    public var descending = false
    /// The first possible key, in the direction of the query; used with the order `key`.
    public var startKey: String?
    /// The last possible key, in the direction of the query; used with the order `key`.
    public var endKey: String?
    /// The first possible sequence, in the direction of the query; used with the order `sequence`.
    public var startSequence: Int64?
    /// The last possible sequence, in the direction of the query; used with the order `sequence`.
    public var endSequence: Int64?
    /// The maximum number of records; nil for all, and always nil with `unsorted`.
    public var limit: Int?
    /// Whether tombstones are included.
    public var includesDeleted = false
    /// Whether only records with the flag `conflicted` are included.
    public var onlyConflicted = false
    /// Whether only records with the flag `hasAttachments` are included.
    public var onlyWithAttachments = false
    /// How much of each record is read.
    public var level = HistoryLevel.all

    /// All live records, by key.
    public init() {}
}

extension HistoryQuery: CustomStringConvertible {
    /// The differences from all live records by key.
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
