public import FleeceLite
internal import QueryFunctions
internal import SQLCore
public import StoreFormat

/// A consistent view of the file as of one commit: later commits are not visible.
///
/// All functions that read take a snapshot. Several reads in one snapshot are consistent with each
/// other, and reading never waits for a writer. `DataFile.read` creates a snapshot and passes it to
/// its closure:
///
/// ```swift
/// let (ada, count) = try file.read { snapshot in
///     (try people.get("ada", in: snapshot), try people.count(in: snapshot).live)
/// }
/// ```
///
/// A ``Transaction`` is a snapshot, too, in which its own changes are visible. A function that only
/// reads takes a snapshot and so works in both:
///
/// ```swift
/// func isTaken(_ email: String, in snapshot: Snapshot) throws -> Bool {
///     let query = try Query("SELECT META().id FROM _ WHERE email = $email")
///     return try query.rows(in: snapshot, ["email": .string(email)]).next() != nil
/// }
/// try file.write { transaction in
///     guard try !isTaken("ada@example.com", in: transaction) else { return }
///     show("free")
/// }
/// ```
///
/// A snapshot is valid only inside the closure of the `DataFile.read` that created it, and only on
/// that thread; later use throws ``StoreError/Code/notInTransaction``. Documents, records and rows
/// that are copied from it remain valid. A nested `DataFile.read` on the same thread uses the same
/// snapshot.
///
/// Beginning a snapshot reads no documents. While it is open, the WAL cannot be reset and grows
/// with each commit, so read what is needed and return: do not wait for a user or the network
/// inside the closure. See `docs/concurrency.md`.
public class Snapshot {
    /// The readers with open statements, which end with the snapshot.
    private var readers: [WeakReader] = []
    private let openConnection: Connection
    private var isActive = true
    /// The damage of the file's shared keys; nil if they are intact.
    private let sharedKeysDamage: StoreError?
    /// The strings that integer keys in bodies stand for; empty if the file's shared keys are
    /// damaged: then reading a document throws ``StoreError/Code/corruptData``.
    ///
    /// They are needed only to decode or encode a body as bytes. In a transaction they include the
    /// keys that it has added.
    ///
    /// ```swift
    /// let record = try store.get(id, in: snapshot)
    /// let document = try record?.body.map {
    ///     try FleeceDocument(trusted: $0, sharedKeys: snapshot.sharedKeys)
    /// }
    /// ```
    ///
    /// Unchecked, because every document reads it and no access overlaps a change.
    @exclusivity(unchecked)
    public package(set) var sharedKeys: SharedKeys {
        didSet { openConnection.functions.use(sharedKeys) }
    }
    /// The state that all connections of this process share for the file.
    package var state: FileState { openConnection.state }

    /// Begins a snapshot on a connection whose SQL transaction is open and refreshed.
    init(_ connection: Connection) {
        openConnection = connection
        sharedKeys = connection.sharedKeys.keys
        sharedKeysDamage = connection.sharedKeys.damage
        connection.functions.use(sharedKeys)
        if sharedKeysDamage != nil { connection.functions.refuseBodies() }
        connection.snapshot = self
    }

    /// The shared keys, for reading or writing a body.
    ///
    /// Throws `.corruptData` if the file's shared keys are damaged.
    @inline(__always)
    package func requireSharedKeys() throws -> SharedKeys {
        if let sharedKeysDamage { throw sharedKeysDamage }
        return sharedKeys
    }

    /// Makes every use throw while `body` runs, which SQLite calls in the middle of a statement.
    func whileSuspended<T>(_ body: () throws -> T) rethrows -> T {
        let wasActive = isActive
        isActive = false
        defer { isActive = wasActive }
        return try body()
    }

    /// Makes every later use throw, and ends open readers.
    func end() {
        isActive = false
        openConnection.snapshot = nil
        endReaders()
    }

    /// Ends open readers.
    package func endReaders() {
        for reader in readers { reader.value?.snapshotEnded() }
        readers = []
    }

    /// Registers a reader with an open statement, to end it with the snapshot.
    package func add(_ reader: any SnapshotReader) {
        readers.removeAll { $0.value == nil }
        readers.append(WeakReader(value: reader))
    }

    /// The connection of an active snapshot.
    ///
    /// Throws `.notInTransaction` after the end of the snapshot.
    @inline(__always)
    package func connection() throws -> Connection {
        guard isActive else { throw Self.endedError }
        return openConnection
    }

    private static var endedError: StoreError {
        StoreError(
            .notInTransaction,
            "a snapshot or transaction was used after its end, or in an "
                + "index progress handler")
    }
}

extension Snapshot {
    /// The names of all KeyStores (collections and raw stores), sorted.
    ///
    /// ```swift
    /// let names = try file.read { try $0.keyStoreNames() }
    /// let collections = names.compactMap { CollectionName($0) }
    /// let rawStores = names.filter { !$0.isCollection }
    /// ```
    ///
    /// They follow from the names of the tables, whose columns are not checked here. Costs one pass
    /// over the schema. For collections alone see ``collectionNames()``.
    ///
    /// - Throws: ``StoreError/Code/notInTransaction`` after the end of the snapshot.
    public func keyStoreNames() throws -> [KeyStoreName] {
        let names = try connection().context.withStatement(sql: SchemaSQL.tableNames) { statement in
            var names: [String] = []
            while try statement.next() { names.append(statement.text(at: 0) ?? "") }
            return names
        }
        return names.compactMap { KeyStoreName(tableName: $0) }
            .sorted { $0.rawName < $1.rawName }
    }
}

/// A reader with an open statement, which keeps the connection's SQL transaction open.
package protocol SnapshotReader: AnyObject {
    /// Finalizes or gives back the statement.
    func snapshotEnded()
}

private struct WeakReader {
    weak var value: (any SnapshotReader)?
}

extension Snapshot {
    /// The body of a record of the raw store `info`, nil if there is none.
    package func info(_ key: String) throws -> [UInt8]? {
        let value = try connection().first(
            SchemaSQL.getInfo, bind: { try $0.bind(key, at: 1) },
            row: { $0.byteArray(at: 0) })
        return value ?? nil
    }
}

extension Snapshot {
    /// Runs `body` and converts an `SQLError` to a `StoreError` that names the file and the table.
    @inline(__always)
    package func wrapping<T>(_ store: KeyStoreName, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            throw storeError(error, store)
        }
    }

    @inline(never)
    func storeError(_ error: SQLError, _ store: KeyStoreName) -> any Error {
        // When a task is cancelled, its pool throws another error than this one.
        guard error.code != .interrupted, let path = try? connection().path else {
            return error
        }
        return StoreError(error, path: path, table: store.tableName)
    }
}

extension Snapshot {
    /// The sequence of a store's latest change: the higher one of `kvmeta` and of the rows.
    package func lastSequence(_ tables: StoreTables) throws -> Int64 {
        if let known = tables.rows.lastSequence { return known }
        let connection = try connection()
        let stored = try connection.lastSequence(tables.name)
        let last = max(
            stored, try state.recovered.sequence(tables, stored: stored, connection: connection))
        tables.rows.lastSequence = last
        tables.rows.committedSequence = last
        if self is Transaction, last > LazyIndex.worthwhileRows {
            // With the index, the next lookup by this or another process need not scan the table.
            try LazyIndex.sequences.request(for: tables, in: self)
        }
        return last
    }
}

extension Connection {
    /// A store's last sequence in `kvmeta`; 0 if it has none.
    func lastSequence(_ name: KeyStoreName) throws -> Int64 {
        try first(
            "SELECT lastSeq FROM kvmeta WHERE name=?", bind: { try $0.bind(name.rawName, at: 1) },
            row: { $0.long(at: 0) }) ?? 0
    }
}
