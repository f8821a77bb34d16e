public import DocumentStore

/// The store that a history is run on: one method for each operation, with plain values as results.
///
/// A driver holds its current transaction or snapshot; outside of one, a read uses a snapshot of
/// its own. Stores have the names in the history's configuration, and exist from the start. A
/// method that throws makes the history fail: conflicts and missing records are results, not
/// errors.
///
/// ```swift
/// let driver = try makeDriver()
/// let content = HistoryContent(version: [1], body: [2])
/// try driver.transaction(rollsBack: true) {
///     try driver.putRaw("a", content, in: "notes")
/// }
/// let read = try driver.getRaw("a", in: "notes")
/// #expect(read == nil)
/// ```
///
/// Keys are compared by their bytes, and sequences number the changes of a store from 1: the rules
/// are listed in the article on histories. All methods are called on one thread, one after the
/// other.
public protocol HistoryDriver: AnyObject {
    /// Runs `body` in a transaction, and commits it or rolls it back. If `body` throws, the
    /// transaction is rolled back and the error rethrown.
    ///
    /// - Parameters:
    ///   - rollsBack: whether the transaction is rolled back after `body`.
    ///   - body: calls further methods of the driver, including ``savepoint(rollsBack:_:)``.
    func transaction(rollsBack: Bool, _ body: () throws -> Void) throws
    /// Runs `body` in a savepoint of the current transaction; savepoints may be nested.
    ///
    /// - Parameters:
    ///   - rollsBack: whether the changes since the start of the savepoint are undone after `body`.
    ///   - body: calls further methods of the driver.
    func savepoint(rollsBack: Bool, _ body: () throws -> Void) throws
    /// Closes the store and opens it again, outside of transactions.
    func reopen() throws

    /// Saves a record, if its version is the expected one.
    ///
    /// - Parameters:
    ///   - update: the record, and what is expected.
    ///   - store: the name of the store.
    /// - Returns: the new sequence and subsequence, or a conflict.
    func save(_ update: HistoryUpdate, in store: String) throws -> HistorySaved
    /// Adds flags to the record that has this sequence, and increments its subsequence.
    ///
    /// - Returns: false if there is no such record.
    func addFlags(
        _ flags: DocumentFlags, key: String, sequence: Int64, in store: String
    ) throws -> Bool
    /// Purges a record, live or a tombstone, if it has the expected version (nil: any); returns
    /// whether it did.
    func purge(_ key: String, expecting: HistoryVersion?, in store: String) throws -> Bool
    /// Sets when a record expires, in milliseconds since 1970 (nil: never); returns false if there
    /// is none.
    func setExpiration(_ time: Int64?, key: String, in store: String) throws -> Bool
    /// Purges the records that expire at `time` or before; returns their number.
    func purgeExpired(at time: Int64, in store: String) throws -> Int
    /// Moves a live record into another store, under a new sequence there. Its expiration moves
    /// along.
    func move(_ key: String, from store: String, to target: String) throws -> HistoryMoved
    /// Writes the columns `version` and `body` of a raw store's record, replacing an existing one.
    func putRaw(_ key: String, _ content: HistoryContent, in store: String) throws

    /// The record with a key, live or a tombstone; nil if there is none.
    func get(_ key: String, _ level: HistoryLevel, in store: String) throws -> HistoryRecord?
    /// The record with a sequence, live or a tombstone; nil if there is none.
    func get(
        sequence: Int64, _ level: HistoryLevel, in store: String
    ) throws -> HistoryRecord?
    /// The records with many keys, in the order of the keys; nil for those that do not exist.
    func get(
        many keys: [String], _ level: HistoryLevel, in store: String
    ) throws -> [HistoryRecord?]
    /// The columns `version` and `body` of a raw store's record; nil if there is none.
    func getRaw(_ key: String, in store: String) throws -> HistoryContent?
    /// The records that a query returns, in its order.
    func enumerate(_ query: HistoryQuery, in store: String) throws -> [HistoryRecord]
    /// The number of live records, and of tombstones.
    func count(in store: String) throws -> HistoryCount
    /// The sequence of the latest change; 0 if there was none.
    func lastSequence(in store: String) throws -> Int64
    /// The number of purged records; 0 if there were none.
    func purgeCount(in store: String) throws -> Int64
    /// When the next record expires, in milliseconds since 1970; nil if none does.
    func nextExpiration(in store: String) throws -> Int64?

    /// Throws if something is wrong that results do not show, such as an index. Called after each
    /// `reopen` and at the end, outside of transactions.
    func checkInvariants() throws
}

extension HistoryDriver {
    /// Does not check anything: the default of a driver.
    public func checkInvariants() throws {}
}

/// A record to be saved, as the driver gets it.
///
/// Deleting is saving with the flag `deleted`: the record becomes a tombstone, which another save
/// can revive.
public struct HistoryUpdate: Equatable, Sendable {
    /// The record's key.
    ///
    /// It is any of ``HistoryConfiguration/keys``, so a driver must not assume that it is
    /// printable.
    public var key: String
    /// The new columns, which replace those of an existing record.
    ///
    /// With ``keepsSequence`` they are those that the record has already.
    public var content: HistoryContent
    /// The new flags, which replace the existing ones.
    ///
    /// With the flag `deleted` the record becomes a tombstone; without it, a tombstone is revived.
    public var flags: DocumentFlags
    /// The expected version; nil if the record must not exist, live or as a tombstone.
    ///
    /// A record with another version is a ``HistorySaved/conflict``.
    public var expected: HistoryVersion?
    /// Whether the sequence stays, and the subsequence is incremented; only with `expected`.
    public var keepsSequence: Bool
}

/// A version of a record as expected by a writer.
///
/// Both numbers must be those of the stored record; otherwise the write is a conflict.
public struct HistoryVersion: Equatable, Sendable {
    /// The record's sequence: the number of the change that wrote it.
    public var sequence: Int64
    /// The record's subsequence: the number of changes since the sequence was assigned.
    ///
    /// Added flags, and saves that preserve the sequence, increment it.
    public var subsequence: Int
}

/// The outcome of saving: see ``HistoryDriver/save(_:in:)``.
public enum HistorySaved: Equatable, Sendable {
    /// The record has this sequence and subsequence now.
    case saved(sequence: Int64, subsequence: Int)
    /// The stored version is not the expected one; nothing was changed, and no sequence was
    /// assigned.
    case conflict
}

/// The outcome of moving: see ``HistoryDriver/move(_:from:to:)``.
public enum HistoryMoved: Equatable, Sendable {
    /// The record has this sequence in the other store.
    case moved(sequence: Int64)
    /// There is no such live record; nothing was changed.
    case missing
    /// The other store has the key, live or as a tombstone; nothing was changed.
    case conflict
}

/// The number of records of a store: see ``HistoryDriver/count(in:)``.
public struct HistoryCount: Equatable, Sendable {
    /// The number of live records.
    public var live: Int
    /// The number of tombstones; purged records leave none.
    public var deleted: Int

    /// Creates a count from its parts.
    ///
    /// - Parameters:
    ///   - live: the number of live records.
    ///   - deleted: the number of tombstones.
    public init(live: Int, deleted: Int) {
        self.live = live
        self.deleted = deleted
    }
}
