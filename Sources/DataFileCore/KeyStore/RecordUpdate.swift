public import StoreFormat

/// What a record is to become, and what it must be now.
///
/// An update is optimistic: it is written only if the record still has the state in which it was
/// read, so that no change of another writer is lost. Otherwise ``KeyStore/put(_:in:)`` returns
/// ``PutResult/conflict`` and writes nothing.
///
/// ```swift
/// let result = try file.write { transaction in
///     let record = try store.get("ada", in: transaction)
///     let update = RecordUpdate(
///         "ada", version: record?.version ?? [], body: bytes,
///         expecting: record.map { .revision(of: $0) } ?? .absent)
///     return try store.put(update, in: transaction)
/// }
/// guard case .saved(let sequence, _) = result else { return }
/// show("change \(sequence)")
/// ```
///
/// The columns are stored as they are. For a collection, the version must be a revision ID or
/// version vector, and the body Fleece whose integer keys are those of the file's shared keys.
/// Encode a body with the transaction's, and without adding to them, since only saving a document
/// writes new keys to the file:
///
/// ```swift
/// var encoder = FleeceEncoder(sharedKeys: transaction.sharedKeys)
/// encoder.addsSharedKeys = false
/// encoder.beginDictionary()
/// try encoder.write("name", "Ada")
/// try encoder.endDictionary()
/// let update = RecordUpdate("ada", body: try encoder.finish(), expecting: .absent)
/// ```
///
/// Applications save documents with ``DocumentCollection``, which does all this.
public struct RecordUpdate: Sendable {
    /// The state that a record must have for a change to be made.
    ///
    /// It is part of a ``RecordUpdate``, and an optional parameter of
    /// ``KeyStore/purge(_:expecting:in:)`` and ``KeyStore/move(_:to:as:expecting:in:)``, for which
    /// nil means any state.
    public enum Expectation: Sendable, Hashable {
        /// There is no record with the key, not even a tombstone.
        case absent
        /// It was written by the change with this sequence, and has since been saved this number of
        /// times without a new sequence.
        case revision(sequence: Int64, subsequence: Int)

        /// It has not changed since `record` was read.
        ///
        /// Setting an expiration is not a change in this sense; adding flags is.
        ///
        /// - Parameter record: the record as it was read; its content is not compared, so it can be
        ///   read with `.metadata`.
        public static func revision(of record: Record) -> Expectation {
            .revision(sequence: record.sequence, subsequence: record.subsequence)
        }

        /// It has not changed since it was read; nil if there was no record with the key.
        static func state(of record: Record?) -> Expectation {
            record.map { .revision(of: $0) } ?? .absent
        }
    }

    /// The key: not empty, and without U+0000. Keys are compared by their bytes.
    public var key: String
    /// The revision ID or version vector in binary form; see `docs/file-format.md`. Empty is stored
    /// as `NULL`, as in raw stores.
    public var version: [UInt8]
    /// The body as Fleece; nil is stored as `NULL`. It is not validated: a damaged body is an error
    /// when the document is read.
    public var body: [UInt8]?
    /// The other revisions: those of a tree, or those of remotes; nil is stored as `NULL`.
    public var extra: [UInt8]?
    /// The document's flags. With `.deleted` the record becomes a tombstone.
    public var flags: DocumentFlags
    /// The state that the record must have; otherwise the result is ``PutResult/conflict``.
    public var expectation: Expectation
    /// Whether the record keeps its sequence; false by default. Its subsequence is incremented
    /// then.
    ///
    /// Readers by sequence do not find such a change. It is for changes that are not changes of the
    /// document, such as pruning old revisions. A new record has no sequence to keep, which is an
    /// error.
    public var keepsSequence = false

    /// Creates an update that gives the record a new sequence.
    ///
    /// - Parameters:
    ///   - key: the key: not empty, and without NUL.
    ///   - version: the revision ID or version vector in binary form.
    ///   - body: the body as Fleece, encoded with the shared keys of the transaction; nil for
    ///     `NULL`.
    ///   - extra: the other revisions; nil for `NULL`.
    ///   - flags: the document's flags. With `.deleted` the record becomes a tombstone.
    ///   - expectation: the state that the record must have.
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

/// The result of an update: stored, or not stored because of a conflict.
///
/// ```swift
/// let update = RecordUpdate("ada", body: bytes, expecting: .absent)
/// switch try store.put(update, in: transaction) {
/// case .saved(let sequence, let subsequence):
///     // The next update of this writer expects:
///     show(RecordUpdate.Expectation.revision(sequence: sequence, subsequence: subsequence))
/// case .conflict: show("another writer was first")
/// }
/// ```
public enum PutResult: Sendable, Hashable {
    /// The record was stored. Its next update expects this sequence and subsequence.
    case saved(sequence: Int64, subsequence: Int)
    /// The state was not as expected, since another writer has changed the record. Nothing was
    /// changed: read the record again and retry.
    case conflict
}

/// The columns of a row to write, valid for the duration of a call.
struct RowContent {
    var version: UnsafeRawBufferPointer?
    /// Nil is stored as `NULL`.
    var body: UnsafeRawBufferPointer?
    var extra: UnsafeRawBufferPointer?
    var flags: DocumentFlags
    /// The version that a row must have to be replaced; nil for any.
    var oldVersion: UnsafeRawBufferPointer?
}

extension [UInt8]? {
    /// Passes the bytes to `body`.
    func withOptionalBytes<T>(_ body: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        guard let self else { return try body(nil) }
        return try self.withUnsafeBytes { try body($0) }
    }
}
