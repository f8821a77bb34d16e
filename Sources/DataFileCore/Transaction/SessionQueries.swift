package import FleeceLite
package import QueryLanguage
package import SQLCore
package import StoreFormat

/// What a connection keeps of queries until the schema changes: their translations, their
/// statements, and the indexes that they can use.
package final class SessionQueries {
    /// A query, and what else its translation depends on.
    package struct Key: Hashable {
        package let query: ExactString
        package let options: QueryTranslation.Options

        package init(query: ExactString, options: QueryTranslation.Options) {
            self.query = query
            self.options = options
        }

        /// Most queries differ by their text.
        package func hash(into hasher: inout Hasher) { query.hash(into: &hasher) }

        /// By hand, since what another module derives is not specialized here.
        package static func == (left: Key, right: Key) -> Bool {
            let (one, other) = (left.options, right.options)
            return left.query == right.query && one.servesValues == other.servesValues
                && one.avoidsIndexes == other.avoidsIndexes && one.addsKeys == other.addsKeys
                && one.onlyChanged == other.onlyChanged && one.parameters == other.parameters
                && one.plainParameters == other.plainParameters
                && one.oddLists == other.oddLists
        }
    }

    // Texts of queries can be made without end.
    private var prepared = RecentValues<Key, PreparedQuery>(capacity: 64)
    /// The indexes of collections.
    package var indexes: [KeyStoreName: QueryIndexes] = [:]
    /// The collations by which there is an index in another order, and the record of `kv_info`
    /// that says so; nil if that was not looked at.
    package var staleCollations: (record: [UInt8]?, names: Set<String>)?
    /// The schema that all of it is of, where that is looked at.
    var schemaCookie: Int64?

    package subscript(key: Key) -> PreparedQuery? { prepared.value(key) }

    package func keep(_ query: PreparedQuery, _ key: Key) { prepared.keep(query, key) }

    package func removeAll() {
        prepared.removeAll()
        indexes = [:]
        staleCollations = nil
    }
}

/// A query in SQL, as one connection can run it.
///
/// What changes is not checked for overlapping accesses, which costs more here than what is done:
/// one thread at a time has the connection, and each access is a load or a store.
package final class PreparedQuery {
    package let sql: String
    package let columns: QueryColumns
    /// Whether each column is the bodies of documents.
    package let isBody: [Bool]
    /// Whether the IDs of the documents come before the columns.
    package let hasKeys: Bool
    package let translation: QueryTranslation
    /// Whether the SQL depends on the record `collationVersions` of `kv_info`, and what that was.
    @exclusivity(unchecked)
    package var collationVersions: (isUsed: Bool, record: [UInt8]?) = (false, nil)
    /// A statement that nobody is using.
    @exclusivity(unchecked)
    package var idle: SQLStatement?
    /// The statements that say whether the translation holds.
    @exclusivity(unchecked)
    package var guards: [SQLStatement] = []

    package init(_ written: SQLQueryWriter.Written, _ translation: QueryTranslation) {
        sql = written.sql
        columns = QueryColumns(written.columnNames)
        isBody = written.columnNames.indices.map(written.bodies.contains)
        hasKeys = written.hasKeys
        self.translation = translation
    }
}

/// Values by keys, of which those are kept that were used last.
///
/// There are two generations: when the young one is full it becomes the old one, and what nobody
/// has asked for since then is dropped.
///
/// Inlinable, so that each module has it for its own keys.
@usableFromInline
package struct RecentValues<Key: Hashable, Value> {
    @usableFromInline let capacity: Int
    @usableFromInline var young: [Key: Value] = [:]
    @usableFromInline var old: [Key: Value] = [:]

    /// - Parameter capacity: the most values of one generation.
    @inlinable
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value of a key, which is young from now on; nil if none is kept.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        keep(value, key)
        return value
    }

    /// Keeps a value.
    @inlinable
    package mutating func keep(_ value: Value, _ key: Key) {
        if young.count >= capacity, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }

    /// Drops all values.
    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}
