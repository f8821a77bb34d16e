internal import FleeceLite
public import StoreFormat

/// What happened to a record.
public struct RecordChange: Sendable, Hashable {
    /// The kind of a change; of several to one record the latest counts.
    public enum Kind: Sendable, Hashable {
        /// It was inserted or rewritten.
        case saved
        /// It became a tombstone.
        case deleted
        /// It was removed permanently.
        case purged
        /// It was removed since its time had come.
        case expired
        /// It changed while its sequence stayed: its flags, its expiration, or what an update with
        /// `keepsSequence` wrote.
        case metadata
    }

    /// The record's key.
    public let key: String
    /// What happened.
    public let kind: Kind
    /// The record's sequence; of one that is gone the last it had, 0 if that is not known.
    public let sequence: Int64

    /// A change of one record.
    public init(key: String, kind: Kind, sequence: Int64) {
        self.key = key
        self.kind = kind
        self.sequence = sequence
    }
}

/// What was committed in one KeyStore since the last time that was told.
public struct KeyStoreChanges: Sendable {
    /// The store.
    public let store: KeyStoreName
    /// One change for each record, in the order of the first change to it.
    public internal(set) var changes: [RecordChange] = []
    /// The sequences that were given; nil if there were none.
    public internal(set) var sequences: ClosedRange<Int64>?
    /// Whether `changes` names all records: not after more than 10,000, nor when another process
    /// has purged some. What was saved can then be read by its sequence.
    public internal(set) var isComplete = true

    /// The most records that are named.
    public static let largestCount = 10_000

    private var places: [ExactString: Int] = [:]

    package init(_ store: KeyStoreName) {
        self.store = store
    }

    /// Whether nothing has happened.
    package var isEmpty: Bool { changes.isEmpty && sequences == nil && isComplete }

    /// Adds what happened later.
    package mutating func add(_ change: RecordChange) {
        if change.sequence > 0, change.kind == .saved || change.kind == .deleted {
            let first = min(sequences?.lowerBound ?? change.sequence, change.sequence)
            let last = max(sequences?.upperBound ?? change.sequence, change.sequence)
            sequences = first...last
        }
        let key = ExactString(change.key)
        if let place = places[key] {
            // Flags of a record that was saved as well: the save says more.
            let before = changes[place].kind
            let isLess = change.kind == .metadata && (before == .saved || before == .deleted)
            if !isLess { changes[place] = change }
        } else if changes.count < Self.largestCount {
            places[key] = changes.count
            changes.append(change)
        } else {
            isComplete = false
        }
    }

    /// Notes that sequences up to this one were given.
    mutating func extend(to sequence: Int64) {
        let first = sequences?.lowerBound ?? sequence
        sequences = min(first, sequence)...max(sequences?.upperBound ?? sequence, sequence)
    }

    /// Notes that more happened than is named.
    mutating func addUnnamed() { isComplete = false }

    /// Adds all that happened later.
    package mutating func add(_ later: KeyStoreChanges) {
        for change in later.changes { add(change) }
        if let range = later.sequences {
            let first = min(sequences?.lowerBound ?? range.lowerBound, range.lowerBound)
            sequences = first...max(sequences?.upperBound ?? range.upperBound, range.upperBound)
        }
        if !later.isComplete { isComplete = false }
    }
}

/// What a transaction has changed, store by store.
struct ChangeLog {
    /// Whether somebody wanted to hear of it when the transaction began.
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

/// What was found by a comparison.
struct FoundChanges {
    var changes: [KeyStoreName: KeyStoreChanges] = [:]
    var known: [KeyStoreName: ChangeNotifier.Known] = [:]
    /// The latest observer who had come by then.
    var observer: Int
}
