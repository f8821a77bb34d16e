public import FleeceLite
package import SQLCore
public import StoreFormat

/// An enumeration of the records of a KeyStore, one at a time.
///
/// Records are read when they are requested, so that an enumeration needs little memory however
/// large the store is, and ending it early costs nothing. Create it with
/// ``KeyStore/records(_:in:)`` or ``DocumentCollection/records(_:in:)``.
///
/// ``next()`` returns copies, which may leave the snapshot:
///
/// ```swift
/// let keys = try file.read { snapshot in
///     var options = RecordEnumerator.Options()
///     options.content = .metadata
///     options.limit = 100
///     let records = try store.records(options, in: snapshot)
///     var keys: [String] = []
///     while let record = try records.next() { keys.append(record.key) }
///     return keys
/// }
/// ```
///
/// ``forEachRow(_:)`` passes rows in SQLite's memory, which is faster, since it copies nothing:
///
/// ```swift
/// let bytes = try file.read { snapshot in
///     var total = 0
///     try store.records(in: snapshot).forEachRow { row in
///         total += row.bodySize
///         return true
///     }
///     return total
/// }
/// ```
///
/// It is valid inside the snapshot in which it was created, and on its thread. Commits of other
/// connections are not visible. Writes of the same transaction may or may not be visible, but the
/// enumeration terminates even if its body writes a record for each record.
///
/// Continuing throws ``StoreError/Code/notInTransaction`` after the end of the snapshot, and after
/// a savepoint was rolled back or a store was deleted: start the enumeration again then. To get
/// decoded documents, use ``DocumentCollection/forEach(_:in:_:)``; to select by contents, use a
/// query.
public final class RecordEnumerator: SnapshotReader {
    /// The order of the records.
    public enum Order: Sendable {
        /// By key, comparing bytes (default). The index of the primary key provides this order, so
        /// nothing is sorted.
        case key
        /// By the sequence of the latest change. Records without a sequence, as in raw stores, are
        /// skipped.
        ///
        /// Uses the index on sequences. Until maintenance has created it, the records are sorted.
        case sequence
        /// In storage order, live records before tombstones. The fastest order.
        case unsorted
    }

    /// The selection of records, and how much of each is read.
    ///
    /// The conditions are combined: a record is included if it meets all of them. The following
    /// finds the latest conflicts:
    ///
    /// ```swift
    /// var options = RecordEnumerator.Options()
    /// options.order = .sequence
    /// options.descending = true
    /// options.conflictedOnly = true
    /// options.content = .metadata
    /// options.limit = 20
    /// let conflicts = try store.records(options, in: snapshot)
    /// ```
    public struct Options: Sendable {
        /// The order; by key by default.
        public var order = Order.key
        /// Whether to enumerate in descending order; false by default. ``startKey`` is the upper
        /// bound then, and ``endKey`` the lower one. ``Order/unsorted`` has no direction.
        public var descending = false
        /// The key at which the enumeration starts, or continues after if no record has it: a lower
        /// bound, or an upper bound in descending order. Nil (default) to start at the first
        /// record.
        ///
        /// The bounds apply in every order, not only in that of the keys. The next page of a list
        /// starts at the last key of the previous one:
        ///
        /// ```swift
        /// func page(after last: String, in snapshot: Snapshot) throws -> [Record] {
        ///     var options = RecordEnumerator.Options()
        ///     options.startKey = last
        ///     options.limit = 50
        ///     let records = try store.records(options, in: snapshot)
        ///     var page: [Record] = []
        ///     while let record = try records.next() {
        ///         if record.key != last { page.append(record) }
        ///     }
        ///     return page
        /// }
        /// ```
        public var startKey: String?
        /// The key at which the enumeration ends, inclusive; nil (default) to continue to the last
        /// record. All keys with a prefix are those from the prefix to the prefix followed by
        /// U+10FFFF.
        public var endKey: String?
        /// The range of sequences to enumerate, inclusive; nil (default) for all. It uses the index
        /// on sequences, as the order by sequence does.
        public var sequences: ClosedRange<Int64>?
        /// Whether to include tombstones; false by default. With it, a record's `flags` distinguish
        /// the two.
        public var includesDeleted = false
        /// Whether to include only records with the flag `.conflicted`; false by default. It uses
        /// an index of these records, which maintenance creates when it is first requested.
        public var conflictedOnly = false
        /// Whether to include only records with the flag `.hasAttachments`; false by default. It
        /// uses an index of these records, which maintenance creates when it is first requested.
        public var withAttachmentsOnly = false
        /// How much of each record is read; by default all columns. With `.metadata`, the pages of
        /// large bodies are not read.
        public var content = RecordContent.all
        /// The maximum number of records; nil (default) for no limit.
        public var limit: Int?

        /// Creates options for all live records, ordered by key, with their bodies.
        public init() {}
    }

    private let snapshot: Snapshot
    private let connection: Connection
    /// The running statement; nil at the end.
    private var statement: SQLStatement?
    private let store: KeyStore
    private var options: Options
    private var sql = ""
    /// Whether the enumeration was ended early by its snapshot.
    private var wasCut = false

    init(_ store: KeyStore, _ options: Options, in snapshot: Snapshot) throws {
        self.snapshot = snapshot
        self.store = store
        self.options = options
        connection = try snapshot.connection()
        try start()
        snapshot.add(self)
    }

    deinit {
        if let statement, (try? snapshot.connection()) != nil {
            connection.giveBack(statement, sql)
        }
    }

    package func snapshotEnded() {
        wasCut = statement != nil
        statement = nil
    }

    /// Throws if the enumeration was ended early, which must not look like its regular end.
    private func requireWhole() throws {
        guard !wasCut else {
            throw StoreError(
                .notInTransaction,
                "an enumeration of \(store.name.rawName) was ended by the rollback of a savepoint "
                    + "or by the deletion of a store; start it again")
        }
    }

    /// Continues at the record with a key, or at the next one in the order.
    ///
    /// It can go back as well as forward, and also restart an enumeration that has ended. The limit
    /// of the options starts again.
    ///
    /// ```swift
    /// let records = try store.records(in: snapshot)
    /// try records.seek(to: "m")
    /// let first = try records.next()
    /// ```
    ///
    /// - Parameter key: the key; in descending order, the enumeration continues at the previous one
    ///   if no record has it.
    /// - Throws: ``StoreError/Code/invalidParameter`` unless the order is by key.
    public func seek(to key: String) throws {
        guard options.order == .key else {
            throw StoreError(.invalidParameter, "only an enumeration by key can seek a key")
        }
        _ = try snapshot.connection()
        finish()
        options.startKey = key
        if wasCut { snapshot.add(self) }
        wasCut = false
        try start()
    }

    /// Returns the next record, or nil at the end.
    ///
    /// - Returns: a copy of the columns that the options select, which may leave the snapshot.
    /// - Throws: ``StoreError/Code/notInTransaction`` after the end of the snapshot, or if the
    ///   enumeration was ended early by the rollback of a savepoint or the deletion of a store;
    ///   ``StoreError/Code/corruptData`` for damaged pages.
    public func next() throws -> Record? {
        _ = try snapshot.connection()
        try requireWhole()
        guard let statement, try step(statement) else { return nil }
        let isTombstone = options.includesDeleted && statement.long(at: 7) != 0
        return RecordColumns.record(
            statement, options.content, key: nil, isTombstone: isTombstone)
    }

    /// Passes the remaining records to `body`, one after the other, without copying them.
    ///
    /// ```swift
    /// var names: [String] = []
    /// try store.records(in: snapshot).forEachRow { row in
    ///     try row.withProperties { properties in
    ///         if let name = properties?["name"]?.string { names.append(name) }
    ///     }
    ///     return names.count < 100
    /// }
    /// ```
    ///
    /// - Parameter body: receives each record, which is valid only within it; returns false to
    ///   stop. After that, the enumeration can be continued.
    /// - Throws: the errors of ``next()``, and those of `body`.
    public func forEachRow(_ body: (borrowing RecordRow) throws -> Bool) throws {
        _ = try snapshot.connection()
        try requireWhole()
        guard let statement else { return }
        let row = RecordRow(
            statement: statement, content: options.content,
            document: try FleeceDocument.empty(sharedKeys: snapshot.sharedKeys), snapshot: snapshot)
        while try step(statement) {
            guard try body(row) else { return }
            // The body may have ended the snapshot or called `seek`.
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
        if let statement { connection.giveBack(statement, sql) }
        statement = nil
    }

    private func start() throws {
        let tables = try store.tables(in: snapshot)
        let bound = try (snapshot as? Transaction).map {
            try EnumerationSQL.Bound(store, tables, in: $0)
        }
        if options.order == .sequence || options.sequences != nil {
            try LazyIndex.sequences.request(for: tables, in: snapshot)
        }
        if options.conflictedOnly { try LazyIndex.conflicts.request(for: tables, in: snapshot) }
        if options.withAttachmentsOnly {
            try LazyIndex.attachments.request(for: tables, in: snapshot)
        }
        let select = try EnumerationSQL(
            tables, options, mayHaveLiveTombstones: tables.mayHaveLiveTombstones(in: snapshot),
            bound: bound,
            hasIndex: { try tables.has($0, tombstones: $1, in: self.connection) })
        sql = select.text
        let statement = try connection.take(sql)
        for (index, value) in select.parameters.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        self.statement = statement
    }
}

/// The current record of an enumeration, in SQLite's memory.
///
/// It is valid inside the closure to which ``RecordEnumerator/forEachRow(_:)`` passes it, and
/// cannot be stored. Reading a column costs no more than that column: `key` and `version` are
/// copied when they are read, bytes are passed without a copy. Use ``copy()`` for a record that is
/// needed later.
public struct RecordRow: ~Copyable {
    /// The statement, with the columns of `RecordColumns`.
    package let statement: SQLStatement
    fileprivate let content: RecordContent
    /// A document that is reused to read each body.
    fileprivate let document: FleeceDocument
    fileprivate let snapshot: Snapshot
    /// The strings that integer keys in the body stand for; empty if the file's are damaged. They
    /// are needed to decode the bytes of ``withBody(_:)``.
    public var sharedKeys: SharedKeys { document.sharedKeys }

    /// The key: a document ID, or the key of a raw record. Each access copies it. Invalid UTF-8,
    /// which only damage can cause, is replaced.
    public var key: String { statement.text(at: 0) ?? "" }
    /// The sequence of the latest change; 0 in raw stores.
    public var sequence: Int64 { statement.long(at: 1) }
    /// The number of saves since then that kept the sequence.
    public var subsequence: Int { Int(statement.long(at: 2) >> 16) }
    /// The document's flags; `.deleted` for a tombstone.
    public var flags: DocumentFlags {
        DocumentFlags(rawValue: UInt16(truncatingIfNeeded: statement.long(at: 2)))
    }
    /// The length of the column `body` in bytes; 0 also if it is `NULL`. Available with any
    /// content.
    public var bodySize: Int {
        content == .metadata ? Int(statement.long(at: 5)) : statement.bytes(at: 5).count
    }
    /// Whether it is in the tombstone table.
    var isInTombstoneTable: Bool { statement.long(at: 7) != 0 }

    /// Passes the bytes of the column `body` to `use`; empty if it is `NULL` or was not requested.
    ///
    /// - Parameter use: the bytes are valid only within it.
    /// - Returns: the result of `use`.
    public func withBody<T>(_ use: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try use(content == .metadata ? UnsafeRawBufferPointer(start: nil, count: 0) : bytes)
    }

    /// Passes the bytes of the column `version` to `use`; empty if it is `NULL`.
    ///
    /// - Parameter use: the bytes of the revision ID or version vector, valid only within it.
    /// - Returns: the result of `use`.
    public func withVersion<T>(_ use: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try use(statement.bytes(at: 3))
    }

    /// Passes the properties of the current revision to `use`, without copying them. Passes nil if
    /// there are none, or if bodies were not requested.
    ///
    /// ```swift
    /// var total: Int64 = 0
    /// try store.records(in: snapshot).forEachRow { row in
    ///     total += try row.withProperties { $0?["age"]?.int ?? 0 }
    ///     return true
    /// }
    /// ```
    ///
    /// A record of Couchbase Lite 2, which stores its body in a revision tree, is copied.
    ///
    /// - Parameter use: neither the properties nor values taken from them may leave it.
    /// - Returns: the result of `use`.
    /// - Throws: ``StoreError/Code/corruptData`` if the file's shared keys are damaged; the errors
    ///   of `use`.
    public func withProperties<T>(
        _ use: (UnsafeFleeceDictionary?) throws -> T
    ) throws -> T {
        guard content != .metadata else { return try use(nil) }
        _ = try snapshot.requireSharedKeys()
        if let first = statement.bytes(at: 3).first, first != 0, extraSize == 0 {
            let body = copy().currentBody
            guard let body else { return try use(nil) }
            return try FleeceDocument(trusted: body, sharedKeys: document.sharedKeys)
                .withUnsafeRoot { try use($0.dictionary) }
        }
        return try document.withUnsafeRoot(of: bytes) { try use($0?.dictionary) }
    }

    private var extraSize: Int {
        content == .all ? statement.bytes(at: 6).count : Int(statement.long(at: 6))
    }

    /// Returns a copy of the record, which may leave the closure. It has the columns that the
    /// options select.
    public func copy() -> Record {
        RecordColumns.record(statement, content, key: nil, isTombstone: isInTombstoneTable)
    }

    private var bytes: UnsafeRawBufferPointer { statement.bytes(at: 5) }
}

extension KeyStore {
    /// Enumerates the records of the store, reading them as they are requested.
    ///
    /// ```swift
    /// var options = RecordEnumerator.Options()
    /// options.startKey = "user:"
    /// options.endKey = "user:\u{10FFFF}"
    /// let users = try store.records(options, in: snapshot)
    /// while let user = try users.next() { show(user.key) }
    /// ```
    ///
    /// Without the index that it needs, an order by sequence sorts the store first, and a search
    /// for conflicts or attachments scans every record. Maintenance creates the index soon after,
    /// unless ``DataFileOptions/maintenance`` is off.
    ///
    /// - Parameters:
    ///   - options: the order, the selection and the content; by default all live records by key.
    ///   - snapshot: the snapshot or transaction to read from, and to use the enumerator in.
    /// - Returns: an enumerator before the first record.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store.
    public func records(
        _ options: RecordEnumerator.Options = .init(), in snapshot: Snapshot
    ) throws -> RecordEnumerator {
        try RecordEnumerator(self, options, in: snapshot)
    }
}
