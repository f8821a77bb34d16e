public import FleeceLite
internal import QueryFunctions
internal import SQLCore
public import StoreFormat

/// The file as it was at one moment: what others commit meanwhile is not seen.
///
/// Valid inside the `DataFile.read` that made it, on that thread.
public class Snapshot {
    /// What reads through the snapshot and has to let go at its end.
    private var readers: [WeakReader] = []
    private let openSession: Session
    private var isActive = true
    /// What is wrong with the shared keys of the file.
    private let sharedKeysDamage: StoreError?
    /// The keys that the bodies' integer keys stand for; none if the file's are damaged, where
    /// reading a document throws `.corruptData`.
    ///
    /// Unchecked, as nobody reads it while it is being changed: it is asked for with each document.
    @exclusivity(unchecked)
    public package(set) var sharedKeys: SharedKeys {
        didSet { openSession.functions.use(sharedKeys) }
    }
    /// What all connections of this process know of the file.
    package let state: FileState

    /// Begins on a session whose SQL transaction is open.
    init(session: Session, state: FileState) throws {
        openSession = session
        self.state = state
        try session.refresh()
        if session.othersHaveAltered {
            // A store may have been deleted and created again.
            state.recovered.forgetAll()
            session.othersHaveAltered = false
        }
        sharedKeys = session.currentSharedKeys
        sharedKeysDamage = session.sharedKeysDamage
        session.functions.use(sharedKeys)
        if sharedKeysDamage != nil { session.functions.refuseBodies() }
        session.snapshot = self
    }

    /// The shared keys, for whoever reads a body or writes one.
    ///
    /// Throws `.corruptData` if those of the file are damaged.
    @inline(__always)
    package func requireSharedKeys() throws -> SharedKeys {
        if let sharedKeysDamage { throw sharedKeysDamage }
        return sharedKeys
    }

    /// Makes every use an error while `body` runs, which SQLite calls in the middle of a statement.
    func whileSuspended<T>(_ body: () throws -> T) rethrows -> T {
        let wasActive = isActive
        isActive = false
        defer { isActive = wasActive }
        return try body()
    }

    /// Makes every later use an error, and ends what is still being read.
    func end() {
        isActive = false
        openSession.snapshot = nil
        endReaders()
    }

    /// Ends what is being read.
    package func endReaders() {
        for reader in readers { reader.value?.snapshotEnded() }
        readers = []
    }

    /// Remembers a reader that keeps a statement under way.
    package func add(_ reader: any SnapshotReader) {
        readers.removeAll { $0.value == nil }
        readers.append(WeakReader(value: reader))
    }

    /// The session, while the snapshot lasts.
    ///
    /// Throws `.notInTransaction` after its end.
    @inline(__always)
    package func session() throws -> Session {
        guard isActive else { throw Self.endedError }
        return openSession
    }

    private static var endedError: StoreError {
        StoreError(
            .notInTransaction,
            "a snapshot or transaction was used after its end, or in "
                + "the report of an index's progress")
    }
}

extension Snapshot {
    /// The names of all KeyStores, collections and raw stores, sorted.
    public func keyStoreNames() throws -> [KeyStoreName] {
        let texts = try session().context.withStatement(sql: SchemaSQL.tableNames) { statement in
            var texts: [String] = []
            while try statement.next() { texts.append(statement.text(at: 0) ?? "") }
            return texts
        }
        return texts.compactMap { KeyStoreName(tableName: $0) }
            .sorted { $0.rawName < $1.rawName }
    }
}

/// Something that keeps a statement under way, which would hold the connection's snapshot open.
package protocol SnapshotReader: AnyObject {
    /// Lets go of the statement.
    func snapshotEnded()
}

private struct WeakReader {
    weak var value: (any SnapshotReader)?
}

extension Snapshot {
    /// The body of a record of the raw store `info`, nil if there is none.
    package func info(_ key: String) throws -> [UInt8]? {
        let value = try session().first(
            SchemaSQL.getInfo, bind: { try $0.bind(key, at: 1) },
            row: { $0.byteArray(at: 0) })
        return value ?? nil
    }
}

extension Snapshot {
    /// Runs `body`; what SQLite refuses becomes a `StoreError` that names the file and the table.
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
        // A task that is cancelled gets another error than this one, from its pool.
        guard error.code != .interrupted, let path = try? session().path else {
            return error
        }
        return StoreError(error, path: path, table: store.tableName)
    }
}

extension Snapshot {
    /// The sequence of a store's latest change, as `kvmeta` and the rows have it.
    package func lastSequence(_ tables: StoreTables) throws -> Int64 {
        if let known = tables.lastSequence { return known }
        let session = try session()
        let stored = try session.lastSequence(tables.name)
        let last = max(
            stored, try state.recovered.sequence(tables, stored: stored, session: session))
        tables.lastSequence = last
        if self is Transaction, last > LazyIndex.worthwhileRows {
            // The next time, in this process or another, it need not be looked for.
            try LazyIndex.sequences.want(for: tables, in: self)
        }
        return last
    }
}

extension Session {
    /// A store's last sequence as `kvmeta` has it, 0 if it has none.
    func lastSequence(_ name: KeyStoreName) throws -> Int64 {
        try first(
            "SELECT lastSeq FROM kvmeta WHERE name=?", bind: { try $0.bind(name.rawName, at: 1) },
            row: { $0.long(at: 0) }) ?? 0
    }
}
