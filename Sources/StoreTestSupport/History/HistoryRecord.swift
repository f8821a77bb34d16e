public import DocumentStore

/// A record as read by a driver; columns that are `NULL` or were not read are empty.
public struct HistoryRecord: Sendable {
    /// The key; keys are equal if their bytes are.
    public var key: String
    /// The number of the change that wrote it.
    public var sequence: Int64
    /// The number of saves since then that kept the sequence.
    public var subsequence: Int
    /// The flags of the document.
    public var flags: DocumentFlags
    /// The columns `version`, `body` and `extra`.
    public var content: HistoryContent
    /// When it expires, in milliseconds since 1970; nil for never.
    public var expiration: Int64?

    /// Creates a record from its parts.
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
public struct HistoryContent: Equatable, Sendable {
    /// The revision; never empty in a record that a history writes.
    public var version: [UInt8]
    /// Empty for `NULL`.
    public var body: [UInt8]
    /// Empty for `NULL`.
    public var extra: [UInt8]

    /// Creates contents from their parts.
    public init(version: [UInt8], body: [UInt8] = [], extra: [UInt8] = []) {
        self.version = version
        self.body = body
        self.extra = extra
    }
}

/// How much of a record is read.
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
    /// Such as `"k3" 17.1 [deleted] version 01 body 4 bytes, expires 900`.
    public var description: String {
        let expires = expiration.map { ", expires \($0)" } ?? ""
        let names = flags.names.joined(separator: " ")
        return "\"\(key)\" \(sequence).\(subsequence) [\(names)] \(content)\(expires)"
    }
}

extension HistoryContent: CustomStringConvertible {
    /// The bytes of the version, and the size and sum of the other columns.
    public var description: String {
        "version \(version) body \(Self.brief(body)) extra \(Self.brief(extra))"
    }

    private static func brief(_ bytes: [UInt8]) -> String {
        bytes.count <= 4
            ? "\(bytes)" : "\(bytes.count) bytes (sum \(bytes.reduce(0) { $0 + Int($1) }))"
    }
}
