public import DocumentStore

/// A record as read by a driver; columns that are `NULL` or were not read are empty.
///
/// A driver creates it from a record of its store:
///
/// ```swift
/// let read = HistoryRecord(
///     key: "a", sequence: 17, subsequence: 0, flags: [.conflicted],
///     content: HistoryContent(version: [1], body: [2]), expiration: nil)
/// print(read)  // "a" 17.0 [conflicted] version [1] body [2] extra []
/// ```
///
/// Records are equal if all parts are, and keys if their bytes are.
public struct HistoryRecord: Sendable {
    /// The key; keys are equal if their bytes are.
    public var key: String
    /// The number of the change that wrote it, within its store.
    public var sequence: Int64
    /// The number of changes since then that preserved the sequence.
    public var subsequence: Int
    /// The flags of the document; `deleted` for a tombstone.
    public var flags: DocumentFlags
    /// The columns `version`, `body` and `extra`.
    public var content: HistoryContent
    /// When it expires, in milliseconds since 1970; nil for never.
    public var expiration: Int64?

    /// Creates a record from its parts.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - sequence: the number of the change that wrote it.
    ///   - subsequence: the number of changes since then that preserved the sequence.
    ///   - flags: the flags.
    ///   - content: the columns; those that were not read are empty.
    ///   - expiration: when it expires, in milliseconds since 1970; nil for never.
    public init(
        key: String, sequence: Int64, subsequence: Int, flags: DocumentFlags,
        content: HistoryContent, expiration: Int64?
    ) {
        self.key = key
        self.sequence = sequence
        self.subsequence = subsequence
        self.flags = flags
        self.content = content
        self.expiration = expiration
    }
}

/// The contents of a record; all columns are opaque bytes.
///
/// ```swift
/// let content = HistoryContent(version: [1], body: Array("body".utf8))
/// ```
///
/// Bodies are random bytes, so a driver must not interpret them. `NULL` and an empty column are
/// equal.
public struct HistoryContent: Equatable, Sendable {
    /// The revision; never empty in a record that a history writes.
    public var version: [UInt8]
    /// The body; empty for `NULL`, and if it was not read.
    public var body: [UInt8]
    /// The extra column; empty for `NULL`, and if it was not read. Raw stores do not have it.
    public var extra: [UInt8]

    /// Creates contents from their parts.
    ///
    /// - Parameters:
    ///   - version: the revision.
    ///   - body: the body; empty by default.
    ///   - extra: the extra column; empty by default.
    public init(version: [UInt8], body: [UInt8] = [], extra: [UInt8] = []) {
        self.version = version
        self.body = body
        self.extra = extra
    }
}

/// How much of a record is read.
///
/// A driver returns empty columns for what the level does not include.
public enum HistoryLevel: String, CaseIterable, Sendable {
    /// All columns except `body` and `extra`.
    case metadata
    /// All columns except `extra`.
    case body
    /// All columns.
    case all
}

extension HistoryRecord: Equatable {
    /// Compares all parts, the keys byte by byte: Swift treats different strings as equal.
    public static func == (one: HistoryRecord, other: HistoryRecord) -> Bool {
        one.key.utf8.elementsEqual(other.key.utf8) && one.sequence == other.sequence
            && one.subsequence == other.subsequence && one.flags == other.flags
            && one.content == other.content && one.expiration == other.expiration
    }
}

extension HistoryRecord: CustomStringConvertible {
    /// The record in one line, such as `"k3" 17.1 [deleted] version [1] body [] extra [], expires
    /// 900`.
    public var description: String {
        let expires = expiration.map { ", expires \($0)" } ?? ""
        let names = flags.names.joined(separator: " ")
        return "\"\(key)\" \(sequence).\(subsequence) [\(names)] \(content)\(expires)"
    }
}

extension HistoryContent: CustomStringConvertible {
    /// The bytes of the version, and of the other columns up to four bytes; of longer ones the size
    /// and the sum.
    public var description: String {
        "version \(version) body \(Self.brief(body)) extra \(Self.brief(extra))"
    }

    private static func brief(_ bytes: [UInt8]) -> String {
        bytes.count <= 4
            ? "\(bytes)" : "\(bytes.count) bytes (sum \(bytes.reduce(0) { $0 + Int($1) }))"
    }
}
