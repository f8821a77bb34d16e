internal import FleeceLite
internal import QueryFunctions
internal import SQLCore
package import StoreFormat

/// A snapshot that can be changed. All its changes become visible at once, or none of them.
///
/// All functions that write take a transaction. `DataFile.write` creates it and passes it to its
/// closure; it commits when the closure returns, and rolls back when the closure throws:
///
/// ```swift
/// try file.write { transaction in
///     let old = try people.get("ada", in: transaction)
///     var ada = old?.mutableCopy() ?? MutableDocument("ada")
///     ada["age"] = 37
///     _ = try people.save(&ada, in: transaction)
///     _ = try people.delete("charles", in: transaction)
/// }
/// ```
///
/// Reading in a transaction includes its own changes. To undo a part of a transaction and continue,
/// use ``savepoint(_:)``. Commit and rollback cover everything in the file: documents, indexes,
/// collections, sequences and shared keys. Blobs are files of their own: a blob that was put
/// remains after a rollback, until `DataFile.compact` removes it.
///
/// A transaction is valid only inside its closure, and only on that thread; later use throws
/// ``StoreError/Code/notInTransaction``. So does a write after SQLite has rolled the transaction
/// back by itself, as it does when the disk is full.
///
/// Transactions of all processes run one at a time. Each commit costs a write to the WAL, so
/// combine many changes in one transaction; but a long one makes other writers wait. Readers are
/// not affected.
public final class Transaction: Snapshot {
    /// The logical clock of the file.
    package var clock: HybridClock { state.clock }
    /// The changes, for observers.
    @exclusivity(unchecked)
    private(set) var changeLog: ChangeLog
    /// The number of shared keys when the reserved ones were found to be missing.
    package var keyCountWithoutReserved = -1
    /// Whether the last saved document was new: usually the next one is, too.
    var expectsNewDocuments = true
    /// Whether new versions got times from the clock.
    var usesClock = false
    /// The clock's bound that this transaction writes to the file or has found there.
    var newClockBound: LogicalTime?
    /// Whether a record was given an expiration.
    package var hasSetExpiration = false
    /// Whether there are more changed vectors than a transaction indexes.
    var hasChangedVectors = false
    /// The deleted stores.
    var deletedStores: Set<KeyStoreName> = []
    /// The stores whose rows or counts were restored from another file.
    package var restoredStores: Set<KeyStoreName> = []
    /// The number of rows written to each store, set by `finish`. It decides when the planner's
    /// statistics are out of date.
    private(set) var writtenRows: [(store: KeyStoreName, count: Int)] = []
    /// The number of shared keys in the file.
    package var savedKeyCount = 0
    /// Whether the encoder is in use.
    private var isEncoding = false
    private var depth = 0

    override init(_ connection: Connection) {
        changeLog = ChangeLog(isRecording: connection.state.changes.isObserved)
        super.init(connection)
        savedKeyCount = sharedKeys.count
        connection.encoder.reset()
        connection.encoder.sharedKeys = sharedKeys
        connection.failures.isStrict = false
    }

    /// The connection, for a change.
    ///
    /// SQLite rolls a transaction back by itself when the disk is full or fails. If the caller
    /// ignored that error, later writes would be committed separately. Throws `.notInTransaction`
    /// then.
    @inline(__always)
    package func writing() throws -> Connection {
        let connection = try connection()
        guard connection.context.isInTransaction else { throw undoneError(connection) }
        return connection
    }

    private func undoneError(_ connection: Connection) -> StoreError {
        StoreError(
            .notInTransaction,
            "the transaction on \(connection.path) was rolled back when one of its statements "
                + "failed; nothing more can be written in it")
    }

    override func end() {
        if let connection = try? connection() { connection.failures.isStrict = true }
        super.end()
        // The values recovered for these stores may have been rolled back.
        for store in deletedStores.union(restoredStores) { state.recovered.forget(store) }
    }

    /// The sequence of the next change to a store.
    func nextSequence(_ tables: StoreTables) throws -> Int64 {
        let last = try tables.rows.lastSequence ?? lastSequence(tables)
        guard last < .max else {
            throw StoreError(
                .corruptData,
                "the sequences of the store \(tables.name.rawName) of \(try connection().path) "
                    + "are used up")
        }
        tables.rows.lastSequence = last + 1
        tables.rows.isSequenceDirty = true
        return last + 1
    }

    /// Takes back the sequence assigned last, when nothing was written with it.
    func returnSequence(_ tables: StoreTables) {
        tables.rows.lastSequence? -= 1
    }

    /// Reads the last sequence from the rows, because the supposed next one is in use.
    func recoverSequence(_ tables: StoreTables) throws {
        state.recovered.forget(tables.name)
        let last = tables.rows.lastSequence ?? 0
        let found = try state.recovered.sequence(tables, stored: last, connection: connection())
        tables.rows.lastSequence = max(found, last)
    }

    /// Notes a change of a record.
    @inline(__always)
    package func note(
        _ kind: RecordChange.Kind, _ key: String, _ sequence: Int64, _ tables: StoreTables
    ) {
        tables.rows.written &+= 1
        if changeLog.isRecording { changeLog.add(kind, key, sequence, tables.name) }
    }

    /// Encodes a body with the file's shared keys and passes it to `use`.
    ///
    /// Added keys are removed again if `write` or `use` throws.
    func withEncodedBody<T>(
        _ write: (inout FleeceEncoder) throws -> Void,
        _ use: (EncodedBody) throws -> T
    ) throws -> T {
        let connection = try connection()
        guard !isEncoding else {
            throw StoreError(
                .transactionNotClosed, "a document cannot be saved while another is being written")
        }
        isEncoding = true
        defer { isEncoding = false }
        let before = sharedKeys.count
        do {
            try write(&connection.encoder)
            let keys = try keysOfBody(connection)
            if keys.count != sharedKeys.count { sharedKeys = keys }
            let hasTextKeys = connection.encoder.hasTextKeys
            return try connection.encoder.withFinishedBytes {
                try use(EncodedBody(bytes: $0, sharedKeys: keys, hasTextKeys: hasTextKeys))
            }
        } catch {
            revertKeys(to: before, connection)
            throw error
        }
    }

    /// The shared keys with which a body was written. `write` had access to the encoder and may
    /// have replaced its keys, which would make the integer keys in the file wrong.
    private func keysOfBody(_ connection: Connection) throws -> SharedKeys {
        guard let keys = connection.encoder.sharedKeys, keys.isExtension(of: sharedKeys),
            !connection.encoder.hasBase
        else {
            throw StoreError(
                .invalidParameter,
                "a body is written with the encoder and the shared keys of its transaction, and "
                    + "without a base")
        }
        return keys
    }

    /// Removes the shared keys that were added last.
    private func revertKeys(to count: Int, _ connection: Connection) {
        sharedKeys.revert(to: count)
        connection.encoder.reset()
        connection.encoder.sharedKeys = sharedKeys
        // Other keys can get the numbers of the removed ones.
        keyCountWithoutReserved = -1
    }

    /// Writes the metadata of the changes. Called before the commit.
    func finish() throws {
        let connection = try writing()
        for tables in connection.usedTables {
            if tables.rows.isSequenceDirty { try tables.indexSequencesIfGrown(in: self) }
            try writeCounts(tables, connection)
            if tables.rows.written > 0 {
                writtenRows.append((tables.name, tables.rows.written))
                tables.rows.written = 0
            }
        }
        try writeClockBound()
        guard sharedKeys.count > savedKeyCount else { return }
        let bytes = try sharedKeys.stateData()
        try putInfo(InfoKey.sharedKeys, bytes)
        connection.keepSharedKeys(sharedKeys, bytes: bytes)
    }

    /// Writes the counts of a store whose tables are about to be dropped, including the last
    /// sequence found in its rows.
    func keepCounts(_ tables: StoreTables) throws {
        tables.rows.isSequenceDirty = try lastSequence(tables) > 0
        try writeCounts(tables, writing())
    }

    /// Writes the last sequence and the purges.
    private func writeCounts(_ tables: StoreTables, _ connection: Connection) throws {
        if tables.rows.isSequenceDirty, let sequence = tables.rows.lastSequence {
            try connection.run(SchemaSQL.setLastSequence) {
                try $0.bind(tables.name.rawName, at: 1)
                try $0.bind(sequence, at: 2)
            }
            tables.rows.isSequenceDirty = false
            tables.rows.committedSequence = sequence
        }
        try writePurges(tables, connection)
    }

    private func writePurges(_ tables: StoreTables, _ connection: Connection) throws {
        let names = [
            (tables.name.rawName, tables.rows.purges.live),
            (tables.name.tombstoneStoreName, tables.rows.purges.tombstones),
        ]
        for (name, count) in names where count > 0 {
            try connection.run(SchemaSQL.addPurges) {
                try $0.bind(name, at: 1)
                try $0.bind(count, at: 2)
            }
        }
        tables.rows.storedPurges = tables.rows.storedPurges.map { tables.rows.purges.added(to: $0) }
        tables.rows.purges = StoreTables.Pair(live: 0, tombstones: 0)
    }

    /// Writes a record of the raw store `info`.
    func putInfo(_ key: String, _ body: [UInt8]) throws {
        try connection().run(SchemaSQL.putInfo) { row in
            try row.bind(key, at: 1)
            try body.withUnsafeBytes { try row.bind($0, at: 2) }
        }
    }
}

/// An encoded body, valid for the duration of a call.
struct EncodedBody {
    let bytes: UnsafeRawBufferPointer
    /// The strings that its integer keys stand for.
    let sharedKeys: SharedKeys
    /// Whether any of its keys is a string.
    let hasTextKeys: Bool
}

extension Transaction {
    /// Runs `body` as a savepoint: if it throws, its changes are rolled back and the transaction
    /// can continue.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     for order in [Order(customer: "ada", total: 9.5, number: 1)] {
    ///         do {
    ///             try transaction.savepoint {
    ///                 _ = try orders.save(order, id: "\(order.number)", in: transaction)
    ///                 if order.total < 0 { throw CocoaError(.coderInvalidValue) }
    ///             }
    ///         } catch is CocoaError {
    ///             show("order \(order.number) was left out")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Sequences, purge counts, shared keys and the changes for observers are restored, too.
    /// Savepoints can be nested. A nested `DataFile.write` on the same thread is a savepoint as
    /// well.
    ///
    /// A rollback ends open enumerations and result rows. Costs two short statements; SQLite also
    /// remembers each changed page, so a savepoint for each of very many documents is slower than
    /// none.
    ///
    /// - Parameter body: the changes.
    /// - Returns: the result of `body`.
    /// - Throws: rethrows the error of `body`; ``StoreError/Code/notInTransaction`` if the
    ///   transaction has been rolled back; ``StoreError/Code/transactionNotClosed`` while a
    ///   document is being written.
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        let connection = try writing()
        guard !isEncoding else {
            throw StoreError(
                .transactionNotClosed, "a savepoint cannot begin while a document is written")
        }
        let before = Mark(self, connection)
        depth += 1
        defer { depth -= 1 }
        let name = "store_\(depth)"
        try connection.context.exec(sql: "SAVEPOINT \(name)")
        do {
            let result = try body()
            try writing().context.exec(sql: "RELEASE \(name)")
            return result
        } catch {
            endReaders()
            connection.context.restoring {
                undo(to: name, connection)
                before.restore(self, connection)
            }
            throw error
        }
    }

    /// Rolls back to the savepoint; if that fails, rolls back everything, so that no half of it is
    /// committed.
    private func undo(to name: String, _ connection: Connection) {
        guard connection.context.isInTransaction else { return }
        do {
            try connection.context.exec(sql: "ROLLBACK TO \(name); RELEASE \(name)")
        } catch {
            connection.rollback()
        }
    }

    /// The state of a transaction at a savepoint, to be restored.
    private struct Mark {
        private let rows: [(store: KeyStoreName, StoreTables.Rows)]
        private let keyCount: Int
        private let savedKeyCount: Int
        private let changeLog: ChangeLog
        private let hasSetExpiration: Bool
        private let failures: PredictionFailures.Mark

        init(_ transaction: Transaction, _ connection: Connection) {
            rows = connection.usedTables.map { ($0.name, $0.rows) }
            keyCount = transaction.sharedKeys.count
            savedKeyCount = transaction.savedKeyCount
            changeLog = transaction.changeLog
            hasSetExpiration = transaction.hasSetExpiration
            failures = connection.failures.mark
        }

        func restore(_ transaction: Transaction, _ connection: Connection) {
            for store in transaction.deletedStores.union(transaction.restoredStores) {
                transaction.state.recovered.forget(store)
            }
            // The rollback has made all that was known outdated; this is known of the savepoint.
            for (store, rows) in rows { try? connection.storeTables(store)?.rows = rows }
            transaction.revertKeys(to: keyCount, connection)
            transaction.savedKeyCount = savedKeyCount
            transaction.changeLog = changeLog
            transaction.hasSetExpiration = hasSetExpiration
            connection.failures.restore(failures)
        }
    }
}
