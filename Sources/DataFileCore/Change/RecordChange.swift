internal import FleeceLite
public import StoreFormat

/// A change of one record.
///
/// It names the record, but does not contain it: read it in a snapshot. By then it may have changed
/// again.
///
/// ```swift
/// func update(_ event: KeyStoreChanges) throws {
///     try file.read { snapshot in
///         for change in event.changes {
///             let document = try people.get(change.key, in: snapshot)
///             show(change.key, document == nil ? "is gone" : "is new or changed")
///         }
///     }
/// }
/// ```
public struct RecordChange: Sendable, Hashable {
    /// The kind of a change; the latest of several changes to one record.
    ///
    /// A change of flags or expiration does not replace an earlier save or deletion in the same
    /// event.
    public enum Kind: Sendable, Hashable {
        /// It was inserted or rewritten. It has a new sequence, except in raw stores.
        case saved
        /// It became a tombstone, with a new sequence.
        case deleted
        /// It was removed permanently, or moved to another store.
        case purged
        /// It was purged because it expired; see ``KeyStore/purgeExpired(at:limit:in:)``.
        case expired
        /// It changed without a new sequence: its flags, its expiration, or by an update with
        /// ``RecordUpdate/keepsSequence``. Changes of this kind are reported only within the
        /// process that makes them.
        case metadata
    }

    /// The record's key: a document ID, or the key of a raw record.
    public let key: String
    /// The kind of change.
    public let kind: Kind
    /// The record's sequence; for a record that no longer exists its last one. 0 if unknown, and in
    /// raw stores.
    public let sequence: Int64

    /// Creates the change of one record, for example to test an observer.
    ///
    /// ```swift
    /// let change = RecordChange(key: "ada", kind: .saved, sequence: 7)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the record's key.
    ///   - kind: the kind of change.
    ///   - sequence: the record's sequence; 0 if unknown.
    public init(key: String, kind: Kind, sequence: Int64) {
        self.key = key
        self.kind = kind
        self.sequence = sequence
    }
}

/// The changes committed in one KeyStore since the previous notification.
///
/// It is the element of a ``KeyStoreChangeStream``. An observer that copies the documents elsewhere
/// handles all cases as follows:
///
/// ```swift
/// func apply(_ event: KeyStoreChanges, since position: Int64) throws {
///     if event.isComplete {
///         for change in event.changes { show("update", change.key) }
///     } else {
///         show("read all records after", position, "and compare the keys")
///     }
/// }
/// ```
public struct KeyStoreChanges: Sendable {
    /// The store in which they were made.
    public let store: KeyStoreName
    /// One change per record, in the order in which the records first changed; at most
    /// ``largestCount``.
    public internal(set) var changes: [RecordChange] = []
    /// The sequences from the first to the last change, inclusive; nil if none was assigned. The
    /// upper bound is the position to remember for ``DataFile/changes(of:since:)``.
    public internal(set) var sequences: ClosedRange<Int64>?
    /// Whether `changes` contains all records; false for more than ``largestCount``, if another
    /// process purged records, and if the store was deleted. Saved records can then be found by
    /// sequence, purged ones only by comparing the keys.
    public internal(set) var isComplete = true

    /// The maximum number of records in ``changes``: 10,000. It bounds the memory of an event
    /// however long its observer is busy.
    public static let largestCount = 10_000

    private var indexes: [ExactString: Int] = [:]

    package init(_ store: KeyStoreName) {
        self.store = store
    }

    /// Whether there are no changes.
    package var isEmpty: Bool { changes.isEmpty && sequences == nil && isComplete }

    /// Adds a later change.
    package mutating func add(_ change: RecordChange) {
        if change.sequence > 0, change.kind == .saved || change.kind == .deleted {
            let first = min(sequences?.lowerBound ?? change.sequence, change.sequence)
            let last = max(sequences?.upperBound ?? change.sequence, change.sequence)
            sequences = first...last
        }
        let key = ExactString(change.key)
        if let index = indexes[key] {
            // Flags of a record that was also saved: the save is more informative.
            let before = changes[index].kind
            let isLess = change.kind == .metadata && (before == .saved || before == .deleted)
            if !isLess { changes[index] = change }
        } else if changes.count < Self.largestCount {
            indexes[key] = changes.count
            changes.append(change)
        } else {
            isComplete = false
        }
    }

    /// Records that sequences up to this one were assigned.
    mutating func extend(to sequence: Int64) {
        let first = sequences?.lowerBound ?? sequence
        sequences = min(first, sequence)...max(sequences?.upperBound ?? sequence, sequence)
    }

    /// Records that there were more changes than are listed.
    mutating func addUnnamed() { isComplete = false }

    /// Adds all later changes.
    package mutating func add(_ later: KeyStoreChanges) {
        for change in later.changes { add(change) }
        if let range = later.sequences {
            let first = min(sequences?.lowerBound ?? range.lowerBound, range.lowerBound)
            sequences = first...max(sequences?.upperBound ?? range.upperBound, range.upperBound)
        }
        if !later.isComplete { isComplete = false }
    }
}

/// The changes of a transaction, by store.
struct ChangeLog {
    /// Whether there were observers when the transaction started.
    let isRecording: Bool
    private(set) var stores: [KeyStoreName: KeyStoreChanges] = [:]

    init(isRecording: Bool) {
        self.isRecording = isRecording
    }

    mutating func add(
        _ kind: RecordChange.Kind, _ key: String, _ sequence: Int64, _ store: KeyStoreName
    ) {
        stores[store, default: KeyStoreChanges(store)]
            .add(RecordChange(key: key, kind: kind, sequence: sequence))
    }

    mutating func addUnnamed(_ store: KeyStoreName) {
        stores[store, default: KeyStoreChanges(store)].addUnnamed()
    }
}

/// The result of comparing the file with the last reported state.
struct FoundChanges {
    var changes: [KeyStoreName: KeyStoreChanges] = [:]
    var reported: [KeyStoreName: ChangeNotifier.StorePosition] = [:]
    /// The latest observer at the time of the comparison.
    var observer: Int
}
