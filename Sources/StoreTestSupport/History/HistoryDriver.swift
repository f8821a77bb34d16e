public import DocumentStore

/// The store that a history is run on: one method for each operation, with plain values as results.
///
/// A driver holds its current transaction or snapshot; outside of one, a read uses a snapshot of
/// its own. Stores have the names in the history's configuration, and exist from the start.
public protocol HistoryDriver: AnyObject {
    /// Runs `body` in a transaction, and commits it or rolls it back. If `body` throws, the
    /// transaction is rolled back and the error rethrown.
    func transaction(rollsBack: Bool, _ body: () throws -> Void) throws
    /// Runs `body` in a savepoint of the current transaction.
    func savepoint(rollsBack: Bool, _ body: () throws -> Void) throws
    /// Closes the store and opens it again.
    func reopen() throws

    /// Saves a record.
    func save(_ update: HistoryUpdate, in store: String) throws -> HistorySaved
    /// Adds flags to the record that has this sequence, and increments its subsequence.
    ///
    /// Returns false if there is no such record.
    func addFlags(
        _ flags: DocumentFlags, key: String, sequence: Int64, in store: String
    ) throws -> Bool
    /// Purges a record, if it has the expected version (nil: any); returns whether it did.
    func purge(_ key: String, expecting: HistoryVersion?, in store: String) throws -> Bool
    /// Sets when a record expires; returns false if there is none.
    func setExpiration(_ time: Int64?, key: String, in store: String) throws -> Bool
    /// Purges the records that expire at `time` or before; returns their number.
    func purgeExpired(at time: Int64, in store: String) throws -> Int
    /// Moves a live record into another store, under a new sequence there.
    func move(_ key: String, from store: String, to target: String) throws -> HistoryMoved
    /// Writes the columns `version` and `body` of a raw store's record.
    func putRaw(_ key: String, _ content: HistoryContent, in store: String) throws

    /// The record with a key, live or a tombstone.
    func get(_ key: String, _ level: HistoryLevel, in store: String) throws -> HistoryRecord?
    /// The record with a sequence, live or a tombstone.
    func get(
        sequence: Int64, _ level: HistoryLevel, in store: String
    ) throws -> HistoryRecord?
    /// The records with many keys, in the order of the keys.
    func get(
        many keys: [String], _ level: HistoryLevel, in store: String
    ) throws -> [HistoryRecord?]
    /// The columns `version` and `body` of a raw store's record.
    func getRaw(_ key: String, in store: String) throws -> HistoryContent?
    /// The records that a query returns, in its order.
    func enumerate(_ query: HistoryQuery, in store: String) throws -> [HistoryRecord]
    /// The number of live records, and of tombstones.
    func count(in store: String) throws -> HistoryCount
    /// The sequence of the latest change.
    func lastSequence(in store: String) throws -> Int64
    /// The number of purged records.
    func purgeCount(in store: String) throws -> Int64
    /// When the next record expires; nil if none does.
    func nextExpiration(in store: String) throws -> Int64?

    /// Throws if something is wrong that results do not show, such as an index. Called after each
    /// `reopen` and at the end, outside of transactions.
    func checkInvariants() throws
}

extension HistoryDriver {
    /// Does not check anything.
    public func checkInvariants() throws {}
}

/// A record to be saved.
public struct HistoryUpdate: Equatable, Sendable {
    /// The record's key.
    public var key: String
    /// The new columns.
    public var content: HistoryContent
    /// The new flags.
    public var flags: DocumentFlags
    /// The expected version; nil if the record must not exist, live or as a tombstone.
    public var expected: HistoryVersion?
    /// Whether the sequence stays, and the subsequence is incremented; only with `expected`.
    public var keepsSequence: Bool
}

/// A version of a record as expected by a writer.
public struct HistoryVersion: Equatable, Sendable {
    /// The record's sequence.
    public var sequence: Int64
    /// The record's subsequence.
    public var subsequence: Int
}

/// The outcome of saving.
public enum HistorySaved: Equatable, Sendable {
    /// The record has this sequence and subsequence now.
    case saved(sequence: Int64, subsequence: Int)
    /// The stored version is not the expected one; nothing was changed.
    case conflict
}

/// The outcome of moving.
public enum HistoryMoved: Equatable, Sendable {
    /// The record has this sequence in the other store.
    case moved(sequence: Int64)
    /// There is no such live record.
    case missing
    /// The other store has the key, live or as a tombstone.
    case conflict
}

/// The number of records of a store.
public struct HistoryCount: Equatable, Sendable {
    /// The number of live records.
    public var live: Int
    /// The number of tombstones.
    public var deleted: Int

    /// Creates a count from its parts.
    public init(live: Int, deleted: Int) {
        self.live = live
        self.deleted = deleted
    }
}
