internal import FleeceLite
internal import QueryFunctions
internal import SQLCore
package import StoreFormat

/// A snapshot that can be changed; all its changes become visible at once, or none.
///
/// Valid inside the `DataFile.write` that made it, on that thread.
public final class Transaction: Snapshot {
    /// The logical clock of the file.
    package var clock: HybridClock { state.clock }
    /// What was changed, for those who want to hear of it.
    @exclusivity(unchecked)
    private(set) var wal: ChangeLog
    /// The size at which the table of shared keys was found to lack the reserved ones.
    package var keyCountWithoutReserved = -1
    /// Whether the document that was saved last had not been there: mostly the next is like it.
    var expectsNewDocuments = true
    /// New versions have got times from the clock.
    var usesClock = false
    /// The clock's bound that goes into the file with this transaction, or was found there.
    var newClockBound: LogicalTime?
    /// Something was given an expiration.
    package var hasSetExpiration = false
    /// Stores that were deleted.
    var deletedStores: Set<KeyStoreName> = []
    /// Stores whose rows or counts were taken from another file.
    package var restoredStores: Set<KeyStoreName> = []
    /// How many rows were written in each store, once it is finished: to know when the planner's
    /// statistics are out of date.
    private(set) var writtenRows: [(store: KeyStoreName, count: Int)] = []
    /// How many shared keys the file has.
    package var savedKeyCount = 0
    /// The session's encoder is in use.
    private var isEncoding = false
    private var depth = 0

    override init(session: Session, state: FileState) throws {
        wal = ChangeLog(isRecording: state.changes.isObserved)
        try super.init(session: session, state: state)
        savedKeyCount = sharedKeys.count
        session.encoder.reset()
        session.encoder.sharedKeys = sharedKeys
        session.failures.isStrict = false
    }

    /// The session, for a change.
    ///
    /// SQLite ends a transaction by itself when the disk is full or fails: what a body that passes
    /// over that error wrote would be committed on its own. Throws `.notInTransaction` then.
    @inline(__always)
    package func writing() throws -> Session {
        let session = try session()
        guard session.context.isInTransaction else { throw undoneError(session) }
        return session
    }

    private func undoneError(_ session: Session) -> StoreError {
        StoreError(
            .notInTransaction,
            "the transaction on \(session.path) was undone when a statement of it failed; nothing "
                + "more can be written in it")
    }

    override func end() {
        if let session = try? session() { session.failures.isStrict = true }
        super.end()
        // What was found out about them may have been undone.
        for store in deletedStores.union(restoredStores) { state.recovered.forget(store) }
    }

    /// The sequence of the next change to a store.
    func nextSequence(_ tables: StoreTables) throws -> Int64 {
        let last = try tables.lastSequence ?? lastSequence(tables)
        guard last < .max else {
            throw StoreError(
                .corruptData,
                "the sequences of the store \(tables.name.rawName) of \(try session().path) "
                    + "are used up")
        }
        tables.lastSequence = last + 1
        tables.isSequenceDirty = true
        return last + 1
    }

    /// Takes back the sequence that was given last, when nothing was written with it.
    func returnSequence(_ tables: StoreTables) {
        tables.lastSequence? -= 1
    }

    /// Looks at the rows for the last sequence, since what was believed to be it is in use.
    func recoverSequence(_ tables: StoreTables) throws {
        state.recovered.forget(tables.name)
        let last = tables.lastSequence ?? 0
        let found = try state.recovered.sequence(tables, stored: last, session: session())
        tables.lastSequence = max(found, last)
    }

    /// Notes a change of a record.
    @inline(__always)
    package func note(
        _ kind: RecordChange.Kind, _ key: String, _ sequence: Int64, _ tables: StoreTables
    ) {
        tables.writtenRows &+= 1
        if wal.isRecording { wal.add(kind, key, sequence, tables.name) }
    }

    /// Encodes a body with the file's shared keys and lends it to `use`.
    ///
    /// Keys that were added are taken back if `write` or `use` throws.
    func withEncodedBody<T>(
        _ write: (inout FleeceEncoder) throws -> Void,
        _ use: (EncodedBody) throws -> T
    ) throws -> T {
        let session = try session()
        guard !isEncoding else {
            throw StoreError(
                .transactionNotClosed, "a document is saved while another one is being written")
        }
        isEncoding = true
        defer { isEncoding = false }
        let before = sharedKeys.count
        do {
            try write(&session.encoder)
            let keys = try keysOfBody(session)
            if keys.count != sharedKeys.count { sharedKeys = keys }
            let hasTextKeys = session.encoder.hasTextKeys
            return try session.encoder.withFinishedBytes {
                try use(EncodedBody(bytes: $0, sharedKeys: keys, hasTextKeys: hasTextKeys))
            }
        } catch {
            revertKeys(to: before, session)
            throw error
        }
    }

    /// The shared keys that a body was written with. The encoder was in the hands of a caller, who
    /// may have given it others, by which the numbers in the file would be wrong.
    private func keysOfBody(_ session: Session) throws -> SharedKeys {
        guard let keys = session.encoder.sharedKeys, keys.isExtension(of: sharedKeys),
            !session.encoder.hasBase
        else {
            throw StoreError(
                .invalidParameter,
                "a body is written with the encoder and the shared keys of its transaction, and "
                    + "without a base")
        }
        return keys
    }

    /// Takes back the shared keys that were added last.
    private func revertKeys(to count: Int, _ session: Session) {
        sharedKeys.revert(to: count)
        session.encoder.reset()
        session.encoder.sharedKeys = sharedKeys
        // Other keys can get the numbers of those that go.
        keyCountWithoutReserved = -1
    }

    /// Writes what goes with the changes; called before the commit.
    func finish() throws {
        let session = try writing()
        for tables in session.tables.values {
            try writeCounts(tables, session)
            if tables.writtenRows > 0 {
                writtenRows.append((tables.name, tables.writtenRows))
                tables.writtenRows = 0
            }
        }
        try writeClockBound()
        guard sharedKeys.count > savedKeyCount else { return }
        let state = try sharedKeys.stateData()
        try putInfo(InfoKey.sharedKeys, state)
        session.keepSharedKeys(sharedKeys, state: state)
    }

    /// Writes the counts of a store whose tables are about to go, from the rows, too.
    func keepCounts(_ tables: StoreTables) throws {
        tables.isSequenceDirty = try lastSequence(tables) > 0
        try writeCounts(tables, writing())
    }

    /// Writes the last sequence and the purges.
    private func writeCounts(_ tables: StoreTables, _ session: Session) throws {
        if tables.isSequenceDirty, let sequence = tables.lastSequence {
            try session.run(SchemaSQL.setLastSequence) {
                try $0.bind(tables.name.rawName, at: 1)
                try $0.bind(sequence, at: 2)
            }
            tables.isSequenceDirty = false
        }
        try writePurges(tables, session)
    }

    private func writePurges(_ tables: StoreTables, _ session: Session) throws {
        let names = [
            (tables.name.rawName, tables.purges.live), (tables.name.tombstoneStoreName, tables.purges.tombstones),
        ]
        for (name, count) in names where count > 0 {
            try session.run(SchemaSQL.addPurges) {
                try $0.bind(name, at: 1)
                try $0.bind(count, at: 2)
            }
        }
        tables.storedPurges = tables.storedPurges.map { tables.purges.added(to: $0) }
        tables.purges = StoreTables.Pair(live: 0, tombstones: 0)
    }

    /// Writes a record of the raw store `info`.
    func putInfo(_ key: String, _ body: [UInt8]) throws {
        try session().run(SchemaSQL.putInfo) { row in
            try row.bind(key, at: 1)
            try body.withUnsafeBytes { try row.bind($0, at: 2) }
        }
    }
}

/// A body as the encoder has written it, lent for the length of a call.
struct EncodedBody {
    let bytes: UnsafeRawBufferPointer
    /// The keys that its integer keys stand for.
    let sharedKeys: SharedKeys
    /// Whether a key in it is not an integer.
    let hasTextKeys: Bool
}

extension Transaction {
    /// Runs `body` so that what it did is undone if it throws, and the transaction can go on.
    ///
    /// Sequences, purge counts and shared keys are as they were before, too. `SAVEPOINT`
    ///
    /// Throws what `body` throws.
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        let session = try writing()
        guard !isEncoding else {
            throw StoreError(
                .transactionNotClosed, "a savepoint inside the writing of a document")
        }
        let before = Mark(self, session)
        depth += 1
        defer { depth -= 1 }
        let name = "store_\(depth)"
        try session.context.exec(sql: "SAVEPOINT \(name)")
        do {
            let result = try body()
            try writing().context.exec(sql: "RELEASE \(name)")
            return result
        } catch {
            endReaders()
            session.context.restoring {
                undo(to: name, session)
                before.restore(self, session)
            }
            throw error
        }
    }

    /// Undoes what was done since; if that fails, everything, so that no half of it is committed.
    private func undo(to name: String, _ session: Session) {
        guard session.context.isInTransaction else { return }
        do {
            try session.context.exec(sql: "ROLLBACK TO \(name); RELEASE \(name)")
        } catch {
            session.rollback()
        }
    }

    /// What a transaction knew at a moment, to go back to.
    private struct Mark {
        private struct Store {
            let lastSequence: Int64?
            let isSequenceDirty: Bool
            let purges: StoreTables.Pair
        }

        private let stores: [KeyStoreName: Store]
        private let keyCount: Int
        private let savedKeyCount: Int
        private let wal: ChangeLog
        private let hasSetExpiration: Bool
        private let failures: PredictionFailures.Mark

        init(_ transaction: Transaction, _ session: Session) {
            stores = session.tables.mapValues {
                Store(
                    lastSequence: $0.lastSequence, isSequenceDirty: $0.isSequenceDirty,
                    purges: $0.purges)
            }
            keyCount = transaction.sharedKeys.count
            savedKeyCount = transaction.savedKeyCount
            wal = transaction.wal
            hasSetExpiration = transaction.hasSetExpiration
            failures = session.failures.mark
        }

        func restore(_ transaction: Transaction, _ session: Session) {
            // Tables may have been made or changed since: they are looked up again.
            session.forgetSchema()
            for store in transaction.deletedStores.union(transaction.restoredStores) {
                transaction.state.recovered.forget(store)
            }
            for (name, store) in stores {
                guard let tables = try? session.storeTables(name) else { continue }
                tables.lastSequence = store.lastSequence
                tables.isSequenceDirty = store.isSequenceDirty
                tables.purges = store.purges
            }
            transaction.revertKeys(to: keyCount, session)
            transaction.savedKeyCount = savedKeyCount
            transaction.wal = wal
            transaction.hasSetExpiration = hasSetExpiration
            session.failures.restore(failures)
        }
    }
}
