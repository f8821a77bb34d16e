internal import SQLCore

/// Walks through the records of a KeyStore, one at a time.
///
/// Valid inside the snapshot it was made in.
public final class RecordEnumerator: SnapshotReader {
    /// The order of the records.
    public enum Order: Sendable {
        /// By key, its bytes compared.
        case key
        /// By the sequence of the latest change.
        case sequence
    }

    /// Which records, and how much of each.
    public struct Options: Sendable {
        /// The order.
        public var order = Order.key
        /// Backwards.
        public var descending = false
        /// Tombstones too.
        public var includesDeleted = false
        /// How much of each record is read.
        public var content = RecordContent.all
        /// The most records that come, nil for all.
        public var limit: Int?

        /// All that are alive, by key, with their bodies.
        public init() {}
    }

    private let snapshot: Snapshot
    /// Nil at the end.
    private var statement: SQLStatement?
    private let content: RecordContent

    init(_ store: KeyStore, _ options: Options, in snapshot: Snapshot) throws {
        self.snapshot = snapshot
        content = options.content
        // A statement of its own: several enumerators may be under way at once.
        statement = try snapshot.session().context.prepare(
            sql: Self.sql(try store.tables(in: snapshot), options))
        snapshot.add(self)
    }

    func snapshotEnded() {
        statement = nil
    }

    /// The next record, nil at the end.
    public func next() throws -> Record? {
        let session = try snapshot.session()
        guard let statement else { return nil }
        return try StoreError.wrapping(path: session.path) {
            guard try statement.next() else {
                self.statement = nil
                return nil
            }
            return RecordColumns.record(statement, content, isDead: statement.long(at: 7) != 0)
        }
    }

    private static func sql(_ tables: StoreTables, _ options: Options) -> String {
        var sql = select(tables.live, isDead: false, options.content)
        if options.includesDeleted {
            if let dead = tables.dead {
                sql += " UNION ALL " + select(dead, isDead: true, options.content)
            }
        } else {
            sql += " WHERE (ifnull(flags, 0) & 1) = 0"
        }
        sql += options.order == .key ? " ORDER BY key" : " ORDER BY sequence"
        if options.descending { sql += " DESC" }
        if let limit = options.limit { sql += " LIMIT \(max(limit, 0))" }
        return sql
    }

    private static func select(
        _ table: StoreTables.Table, isDead: Bool, _ content: RecordContent
    ) -> String {
        "SELECT \(RecordColumns.list(table, content)), \(isDead ? 1 : 0) FROM \(table.name)"
    }
}

extension KeyStore {
    /// The records of the store, read as they are asked for.
    ///
    /// Ordering by sequence sorts the whole store first unless it has an index for it.
    public func records(
        _ options: RecordEnumerator.Options = .init(), in snapshot: Snapshot
    ) throws -> RecordEnumerator {
        try RecordEnumerator(self, options, in: snapshot)
    }
}
