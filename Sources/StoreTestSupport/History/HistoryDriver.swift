public import DocumentStore

/// What a history is run on: one method for each operation, and plain values for what it answers.
///
/// A driver keeps the transaction or snapshot that it is in; outside of one, a read has a snapshot
/// of its own. Stores are named as the history's configuration does, and are there from the start.
public protocol HistoryDriver: AnyObject {
    /// Runs `body` in a transaction, and commits it or rolls it back. What `body` throws is rolled
    /// back and thrown on.
    func transaction(rollsBack: Bool, _ body: () throws -> Void) throws
    /// Runs `body` in a savepoint of the transaction that is under way.
    func savepoint(rollsBack: Bool, _ body: () throws -> Void) throws
    /// Closes the store and opens it again.
    func reopen() throws

    /// Saves a record.
    func save(_ update: HistoryUpdate, in store: String) throws -> HistorySaved
    /// Adds flags to a record that has this sequence, and counts its subsequence up.
    ///
    /// Returns false if there is no such record.
    func addFlags(
        _ flags: DocumentFlags, key: String, sequence: Int64, in store: String
    ) throws -> Bool
    /// Removes a record, if it is the version that is expected (nil: any); returns whether it did.
    func purge(_ key: String, expecting: HistoryVersion?, in store: String) throws -> Bool
    /// Sets when a record expires; returns false if there is none.
    func setExpiration(_ time: Int64?, key: String, in store: String) throws -> Bool
    /// Purges what expires at `time` or before; returns how many records that were.
    func purgeExpired(at time: Int64, in store: String) throws -> Int
    /// Moves a record that is alive into another store, under a new sequence there.
    func move(_ key: String, from store: String, to target: String) throws -> HistoryMoved
    /// Writes the columns `version` and `body` of a raw store's record.
    func putRaw(_ key: String, _ content: HistoryContent, in store: String) throws

    /// The record of a key, alive or a tombstone.
    func get(_ key: String, _ level: HistoryLevel, in store: String) throws -> HistoryRecord?
    /// The record with a sequence, alive or a tombstone.
    func get(
        sequence: Int64, _ level: HistoryLevel, in store: String
    ) throws -> HistoryRecord?
    /// The records of many keys, in the order of the keys.
    func get(
        many keys: [String], _ level: HistoryLevel, in store: String
    ) throws -> [HistoryRecord?]
    /// The columns `version` and `body` of a raw store's record.
    func getRaw(_ key: String, in store: String) throws -> HistoryContent?
    /// The records of a query, in its order.
    func enumerate(_ query: HistoryQuery, in store: String) throws -> [HistoryRecord]
    /// How many records are alive, and how many are tombstones.
    func count(in store: String) throws -> HistoryCount
    /// The sequence of the latest change.
    func lastSequence(in store: String) throws -> Int64
    /// How many records were purged.
    func purgeCount(in store: String) throws -> Int64
    /// When the next record expires; nil if none does.
    func nextExpiration(in store: String) throws -> Int64?

    /// Throws if something is wrong that answers do not show, such as an index. Called after each
    /// `reopen` and at the end, outside of transactions.
    func checkInvariants() throws
}

extension HistoryDriver {
    /// Finds nothing wrong.
    public func checkInvariants() throws {}
}

/// What is to be saved.
public struct HistoryUpdate: Equatable, Sendable {
    /// The record's key.
    public var key: String
    /// The new columns.
    public var content: HistoryContent
    /// The new flags.
    public var flags: DocumentFlags
    /// The version that must be there; nil if there must be none, alive or a tombstone.
    public var expected: HistoryVersion?
    /// Whether the sequence stays, and the subsequence is counted up; only with `expected`.
    public var keepsSequence: Bool
}

/// A version of a record as writers expect it.
public struct HistoryVersion: Equatable, Sendable {
    /// The record's sequence.
    public var sequence: Int64
    /// The record's subsequence.
    public var subsequence: Int
}

/// What saving did.
public enum HistorySaved: Equatable, Sendable {
    /// The record has this sequence and subsequence now.
    case saved(sequence: Int64, subsequence: Int)
    /// What is there is not what was expected; nothing has changed.
    case conflict
}

/// What moving did.
public enum HistoryMoved: Equatable, Sendable {
    /// The record has this sequence in the other store.
    case moved(sequence: Int64)
    /// There is no such record that is alive.
    case missing
    /// The other store has the key, alive or a tombstone.
    case conflict
}

/// How many records a store has.
public struct HistoryCount: Equatable, Sendable {
    /// Those that are alive.
    public var live: Int
    /// Tombstones.
    public var deleted: Int

    /// Makes a count from its parts.
    public init(live: Int, deleted: Int) {
        self.live = live
        self.deleted = deleted
    }
}
