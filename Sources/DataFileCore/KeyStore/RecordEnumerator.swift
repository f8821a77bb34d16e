public import FleeceLite
package import SQLCore
public import StoreFormat

/// Walks through the records of a KeyStore, one at a time.
///
/// Valid inside the snapshot it was made in. What another connection commits meanwhile is not seen;
/// what the same transaction writes may or may not come, but the walk ends.
/// It is an error to go on after a savepoint was undone or a store deleted.
public final class RecordEnumerator: SnapshotReader {
    /// The order of the records.
    public enum Order: Sendable {
        /// By key, its bytes compared.
        case key
        /// By the sequence of the latest change. Records without one do not come, as those of raw
        /// stores.
        case sequence
        /// As they are stored: live ones first, then tombstones. The fastest.
        case unsorted
    }

    /// Which records, and how much of each.
    public struct Options: Sendable {
        /// The order.
        public var order = Order.key
        /// Backwards.
        public var descending = false
        /// The key to begin with, or the next one if there is none such; nil for the first.
        public var startKey: String?
        /// The key to end with; nil for the last.
        public var endKey: String?
        /// The sequences that are wanted; nil for all.
        public var sequences: ClosedRange<Int64>?
        /// Tombstones too.
        public var includesDeleted = false
        /// Only records with the flag `.conflicted`.
        public var conflictedOnly = false
        /// Only records with the flag `.hasAttachments`.
        public var withAttachmentsOnly = false
        /// How much of each record is read.
        public var content = RecordContent.all
        /// The most records that come, nil for all.
        public var limit: Int?

        /// All that are alive, by key, with their bodies.
        public init() {}
    }

    private let snapshot: Snapshot
    private let session: Session
    /// Nil at the end.
    private var statement: SQLStatement?
    private let store: KeyStore
    private var options: Options
    private var sql = ""
    /// It was ended before its end.
    private var wasCut = false

    init(_ store: KeyStore, _ options: Options, in snapshot: Snapshot) throws {
        self.snapshot = snapshot
        self.store = store
        self.options = options
        session = try snapshot.session()
        try start()
        snapshot.add(self)
    }

    deinit {
        if let statement, (try? snapshot.session()) != nil { session.giveBack(statement, sql) }
    }

    package func snapshotEnded() {
        wasCut = statement != nil
        statement = nil
    }

    /// An end that comes too early must not look like one.
    private func requireWhole() throws {
        guard !wasCut else {
            throw StoreError(
                .notInTransaction,
                "an enumeration of \(store.name.rawName) was ended by a savepoint that was undone "
                    + "or by the deletion of a store; begin it again")
        }
    }

    /// Goes on with the record of a key, or the one that comes after its place in the order.
    ///
    /// Throws `.invalidParameter` for another order than by key.
    public func seek(to key: String) throws {
        guard options.order == .key else {
            throw StoreError(.invalidParameter, "only an enumeration by key can seek a key")
        }
        _ = try snapshot.session()
        finish()
        options.startKey = key
        if wasCut { snapshot.add(self) }
        wasCut = false
        try start()
    }

    /// The next record, nil at the end.
    public func next() throws -> Record? {
        _ = try snapshot.session()
        try requireWhole()
        guard let statement, try step(statement) else { return nil }
        return RecordColumns.record(
            statement, options.content, key: nil, isTombstone: statement.long(at: 7) != 0)
    }

    /// Lends the rest of the records to `body`, one after the other, without copying them.
    ///
    /// It ends early when `body` returns false.
    public func forEachRow(_ body: (borrowing RecordRow) throws -> Bool) throws {
        _ = try snapshot.session()
        try requireWhole()
        guard let statement else { return }
        let row = RecordRow(
            statement: statement, content: options.content,
            place: try FleeceDocument.empty(sharedKeys: snapshot.sharedKeys), snapshot: snapshot)
        while try step(statement) {
            guard try body(row) else { return }
            // The body may have ended the snapshot, or sought.
            guard self.statement === statement else { return try requireWhole() }
        }
    }

    @inline(__always)
    private func step(_ statement: SQLStatement) throws -> Bool {
        do {
            if try statement.next() { return true }
        } catch let error as SQLError {
            throw snapshot.storeError(error, store.name)
        }
        finish()
        return false
    }

    private func finish() {
        if let statement { session.giveBack(statement, sql) }
        statement = nil
    }

    private func start() throws {
        let tables = try store.tables(in: snapshot)
        let bound = try (snapshot as? Transaction).map {
            try EnumerationSQL.Bound(store, tables, in: $0)
        }
        if options.order == .sequence || options.sequences != nil {
            try LazyIndex.sequences.want(for: tables, in: snapshot)
        }
        if options.conflictedOnly { try LazyIndex.conflicts.want(for: tables, in: snapshot) }
        if options.withAttachmentsOnly { try LazyIndex.attachments.want(for: tables, in: snapshot) }
        let select = try EnumerationSQL(
            tables, options, mayHaveLiveTombstones: tables.mayHaveLiveTombstones(in: snapshot),
            bound: bound,
            hasIndex: { try tables.has($0, tombstones: $1, in: self.session) })
        sql = select.text
        let statement = try session.take(sql)
        for (index, value) in select.parameters.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        self.statement = statement
    }
}

/// The record that an enumeration has come to, in the memory of SQLite.
///
/// Valid inside the closure that it is lent to.
public struct RecordRow: ~Copyable {
    /// With the columns of `RecordColumns`.
    package let statement: SQLStatement
    fileprivate let content: RecordContent
    /// Where each body is read in its turn.
    fileprivate let place: FleeceDocument
    fileprivate let snapshot: Snapshot
    /// The keys that the body's integer keys stand for; none if the file's are damaged.
    public var sharedKeys: SharedKeys { place.sharedKeys }

    /// The key.
    public var key: String { statement.text(at: 0) ?? "" }
    /// The sequence of the latest change.
    public var sequence: Int64 { statement.long(at: 1) }
    /// Saves since then that kept the sequence.
    public var subsequence: Int { Int(statement.long(at: 2) >> 16) }
    /// What the document is.
    public var flags: DocumentFlags {
        DocumentFlags(rawValue: UInt16(truncatingIfNeeded: statement.long(at: 2)))
    }
    /// The bytes of the column `body`, 0 also if it is `NULL`.
    public var bodySize: Int {
        content == .metadata ? Int(statement.long(at: 5)) : statement.bytes(at: 5).count
    }
    /// Whether it is a tombstone in a table of its own.
    var isInTombstoneTable: Bool { statement.long(at: 7) != 0 }

    /// Lends the bytes of the column `body`; none if it is `NULL` or was not asked for.
    public func withBody<T>(_ use: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try use(content == .metadata ? UnsafeRawBufferPointer(start: nil, count: 0) : bytes)
    }

    /// Lends the bytes of the column `version`; none if it is `NULL`.
    public func withVersion<T>(_ use: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try use(statement.bytes(at: 3))
    }

    /// Lends the properties of the current revision, without a copy; nil if it has none, or if
    /// bodies were not asked for.
    ///
    /// Neither they nor what is taken from them may leave `use`. Of a record of Couchbase Lite 2,
    /// which keeps its body in a tree of revisions, they are copied. Throws `.corruptData` if the
    /// shared keys of the file are damaged.
    public func withProperties<T>(
        _ use: (UnsafeFleeceDictionary?) throws -> T
    ) throws -> T {
        guard content != .metadata else { return try use(nil) }
        _ = try snapshot.requireSharedKeys()
        if let first = statement.bytes(at: 3).first, first != 0, extraSize == 0 {
            let body = copy().currentBody
            guard let body else { return try use(nil) }
            return try FleeceDocument(trusted: body, sharedKeys: place.sharedKeys)
                .withUnsafeRoot { try use($0.dictionary) }
        }
        return try place.withUnsafeRoot(of: bytes) { try use($0?.dictionary) }
    }

    private var extraSize: Int {
        content == .all ? statement.bytes(at: 6).count : Int(statement.long(at: 6))
    }

    /// A copy of it that may leave the closure.
    public func copy() -> Record {
        RecordColumns.record(statement, content, key: nil, isTombstone: isInTombstoneTable)
    }

    private var bytes: UnsafeRawBufferPointer { statement.bytes(at: 5) }
}

extension KeyStore {
    /// The records of the store, read as they are asked for.
    ///
    /// Without an index for it, an order by sequence sorts the store first, and a search for
    /// conflicts or attachments looks at every record. Maintenance makes the index soon after;
    /// where `DataFileOptions.maintenance` is off, nothing does.
    public func records(
        _ options: RecordEnumerator.Options = .init(), in snapshot: Snapshot
    ) throws -> RecordEnumerator {
        try RecordEnumerator(self, options, in: snapshot)
    }
}
