/// Which records an enumeration gives, and in which order.
public struct HistoryQuery: Equatable, Sendable {
    /// What the records are sorted by.
    public enum Order: String, CaseIterable, Sendable {
        /// By the bytes of the key.
        case key
        /// By the sequence.
        case sequence
        /// Not at all; the driver's order does not count.
        case unsorted
    }

    /// What the records are sorted by.
    public var order = Order.key
    /// From the end to the start.
    public var descending = false
    /// The first key that may come, in the direction of the walk; used with the order `key`.
    public var startKey: String?
    /// The last key that may come, in the direction of the walk; used with the order `key`.
    public var endKey: String?
    /// The first sequence that may come, in the direction of the walk; used with `sequence`.
    public var startSequence: Int64?
    /// The last sequence that may come, in the direction of the walk; used with `sequence`.
    public var endSequence: Int64?
    /// The most records that come; nil for all, and always nil with `unsorted`.
    public var limit: Int?
    /// Tombstones too.
    public var includesDeleted = false
    /// Only those with the flag `conflicted`.
    public var onlyConflicted = false
    /// Only those with the flag `hasAttachments`.
    public var onlyWithAttachments = false
    /// How much of each record is read.
    public var level = HistoryLevel.all

    /// All that are alive, by key.
    public init() {}
}

extension HistoryQuery: CustomStringConvertible {
    /// What differs from all by key, in words.
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
