public import DocumentStore

/// One operation of a history.
///
/// It does not contain sequence numbers: expectations are relative, so that the operation still
/// makes sense when previous ones are left out. Its description is how a ``HistoryFailure`` prints
/// it.
///
/// ```swift
/// let content = HistoryContent(version: [1], body: [2, 3])
/// let steps: [HistoryStep] = [
///     .operation(.save(key: "a", store: "default", content, flags: [], .right)),
///     .operation(.get(key: "a", store: "default", .all)),
/// ]
/// try HistoryTest().run(steps, on: makeDriver())
/// ```
public enum HistoryOperation: Equatable, Sendable {
    /// Saves a record under a new sequence; with the flag `deleted` it becomes a tombstone.
    case save(
        key: String, store: String, HistoryContent, flags: DocumentFlags, HistoryExpectation)
    /// Saves the same content with other flags and the same sequence; the flag `deleted` does not
    /// change.
    case saveFlags(key: String, store: String, flags: DocumentFlags, HistoryExpectation)
    /// Sets flags in addition to the existing ones, if the record has the expected sequence.
    case addFlags(key: String, store: String, flags: DocumentFlags, HistoryExpectation)
    /// Purges a record, live or a tombstone, if it has the expected version.
    case purge(key: String, store: String, HistoryExpectation)
    /// Sets when a record expires, in milliseconds since 1970; nil for never.
    case setExpiration(key: String, store: String, time: Int64?)
    /// Purges the records that expire at this time or before.
    case purgeExpired(store: String, time: Int64)
    /// Moves a live record into another store.
    case move(key: String, store: String, target: String)
    /// Writes a record of a raw store.
    case putRaw(key: String, store: String, HistoryContent)

    /// Reads the record with a key.
    case get(key: String, store: String, HistoryLevel)
    /// Reads the record with a key by its sequence; by an unused sequence if there is no such key.
    case getBySequence(key: String, store: String, HistoryLevel)
    /// Reads many records at once, in the order of the keys.
    case getMany(keys: [String], store: String, HistoryLevel)
    /// Reads a record of a raw store.
    case getRaw(key: String, store: String)
    /// Reads many records in an order.
    case enumerate(store: String, HistoryQuery)
    /// Counts the live records and the tombstones.
    case count(store: String)
    /// Reads the sequence of the latest change.
    case lastSequence(store: String)
    /// Reads the number of purged records.
    case purgeCount(store: String)
    /// Reads when the next record expires.
    case nextExpiration(store: String)
}

/// What a writer expects of the record that it is about to change.
///
/// It becomes a ``HistoryVersion`` when the operation is executed, from the record that the model
/// has then. In random histories, three quarters of the expectations are right.
public enum HistoryExpectation: String, CaseIterable, Sendable {
    /// The current version: a new record if there is none.
    case right
    /// That the record does not exist.
    case none
    /// A sequence other than the record's, as of a writer that has read an older version.
    case staleSequence
    /// The record's sequence with another subsequence, as of a writer that has not read the latest
    /// flags.
    case staleSubsequence
    /// Nothing: any version (for `purge` only).
    case anything
}

extension HistoryOperation {
    /// Whether it writes.
    ///
    /// Outside of a transaction, such an operation has a transaction of its own, which is
    /// committed.
    public var isWrite: Bool {
        switch self {
        case .save, .saveFlags, .addFlags, .purge, .setExpiration, .purgeExpired, .move, .putRaw:
            true
        default: false
        }
    }

    /// Simpler variants, the simplest first, for the shrinker.
    var simpler: [HistoryOperation] {
        let least = HistoryContent(version: [1])
        switch self {
        case .save(let key, let store, let content, let flags, let expectation):
            guard content != least else { return [] }
            return [.save(key: key, store: store, least, flags: flags, expectation)]
        case .putRaw(let key, let store, let content):
            guard content != least else { return [] }
            return [.putRaw(key: key, store: store, least)]
        case .getMany(let keys, let store, let level):
            guard keys.count > 1 else { return [] }
            return keys.map { .getMany(keys: [$0], store: store, level) }
        case .enumerate(let store, let query):
            return query.simpler.map { .enumerate(store: store, $0) }
        default: return []
        }
    }
}

extension HistoryQuery {
    fileprivate var simpler: [HistoryQuery] {
        let changes: [(inout HistoryQuery) -> Void] = [
            { $0 = HistoryQuery() }, { $0.startKey = nil }, { $0.endKey = nil },
            { $0.startSequence = nil }, { $0.endSequence = nil }, { $0.limit = nil },
            { $0.onlyConflicted = false }, { $0.onlyWithAttachments = false },
            { $0.descending = false }, { $0.includesDeleted = false }, { $0.level = .all },
        ]
        return changes.map { change in
            var query = self
            change(&query)
            return query
        }.filter { $0 != self }
    }
}

extension HistoryOperation: CustomStringConvertible {
    /// The operation with all its arguments, in one line, such as `purge "a" in default expecting
    /// right`.
    public var description: String {
        switch self {
        case .save(let key, let store, let content, let flags, let expectation):
            "save \"\(key)\" in \(store) [\(flags.names.joined(separator: " "))] "
                + "expecting \(expectation.rawValue): \(content)"
        case .saveFlags(let key, let store, let flags, let expectation):
            "save flags [\(flags.names.joined(separator: " "))] of \"\(key)\" in \(store) "
                + "expecting \(expectation.rawValue)"
        case .addFlags(let key, let store, let flags, let expectation):
            "add flags [\(flags.names.joined(separator: " "))] to \"\(key)\" in \(store) "
                + "expecting \(expectation.rawValue)"
        case .purge(let key, let store, let expectation):
            "purge \"\(key)\" in \(store) expecting \(expectation.rawValue)"
        case .setExpiration(let key, let store, let time):
            "set expiration of \"\(key)\" in \(store) to \(time.map { "\($0)" } ?? "never")"
        case .purgeExpired(let store, let time): "purge expired at \(time) in \(store)"
        case .move(let key, let store, let target): "move \"\(key)\" from \(store) to \(target)"
        case .putRaw(let key, let store, let content): "put raw \"\(key)\" in \(store): \(content)"
        default: readingDescription
        }
    }

    private var readingDescription: String {
        switch self {
        case .get(let key, let store, let level):
            "get \"\(key)\" in \(store) (\(level.rawValue))"
        case .getBySequence(let key, let store, let level):
            "get by the sequence of \"\(key)\" in \(store) (\(level.rawValue))"
        case .getMany(let keys, let store, let level):
            "get \(keys) in \(store) (\(level.rawValue))"
        case .getRaw(let key, let store): "get raw \"\(key)\" in \(store)"
        case .enumerate(let store, let query): "enumerate \(store) \(query)"
        case .count(let store): "count \(store)"
        case .lastSequence(let store): "last sequence of \(store)"
        case .purgeCount(let store): "purge count of \(store)"
        case .nextExpiration(let store): "next expiration in \(store)"
        default: ""
        }
    }
}
