public import StoreFormat

/// What a record is to become, and what it must be now.
///
/// ```swift
/// let update = RecordUpdate("ada", body: bytes, flags: [], expecting: .revision(of: record))
/// guard case .saved(let sequence, _) = try store.put(update, in: transaction) else { … }
/// ```
public struct RecordUpdate: Sendable {
    /// The state that a record must be in for a change to be made.
    public enum Expectation: Sendable, Hashable {
        /// There is none of this key, not even a tombstone.
        case absent
        /// It was written by this change, and has been saved so often since without a new sequence.
        case revision(sequence: Int64, subsequence: Int)

        /// It is as it was read.
        public static func revision(of record: Record) -> Expectation {
            .revision(sequence: record.sequence, subsequence: record.subsequence)
        }

        /// It is as it was read, nil for a key of which there was none.
        static func state(of record: Record?) -> Expectation {
            record.map { .revision(of: $0) } ?? .absent
        }
    }

    /// The key.
    public var key: String
    /// The revision in binary form; see `docs/file-format.md`.
    public var version: [UInt8]
    /// The Fleece of the body; nil becomes `NULL`.
    public var body: [UInt8]?
    /// What goes with the revision; nil becomes `NULL`.
    public var extra: [UInt8]?
    /// What the document is. With `.deleted` the record becomes a tombstone.
    public var flags: DocumentFlags
    /// The state that the record must be in.
    public var expectation: Expectation
    /// Whether the record keeps its sequence; its subsequence grows by one then.
    public var keepsSequence = false

    /// An update that gives the record a new sequence.
    public init(
        _ key: String, version: [UInt8] = [], body: [UInt8]?, extra: [UInt8]? = nil,
        flags: DocumentFlags = [], expecting expectation: Expectation
    ) {
        self.key = key
        self.version = version
        self.body = body
        self.extra = extra
        self.flags = flags
        self.expectation = expectation
    }
}

/// What became of an update.
public enum PutResult: Sendable, Hashable {
    /// The record is stored, and can be updated next with these numbers.
    case saved(sequence: Int64, subsequence: Int)
    /// The record was not as expected; nothing was changed.
    case conflict
}

/// The columns of a row that is to be written, borrowed for the length of a call.
struct RowContent {
    var version: UnsafeRawBufferPointer?
    /// Nil becomes `NULL`.
    var body: UnsafeRawBufferPointer?
    var extra: UnsafeRawBufferPointer?
    var flags: DocumentFlags
    /// The version that a row must have to be replaced; nil for any.
    var oldVersion: UnsafeRawBufferPointer?
}

extension [UInt8]? {
    /// Lends the bytes.
    func withOptionalBytes<T>(_ body: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        guard let self else { return try body(nil) }
        return try self.withUnsafeBytes { try body($0) }
    }
}
