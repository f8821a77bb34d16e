package import FleeceLite
package import QueryLanguage
package import SQLCore
package import StoreFormat

/// A connection's caches for queries in one state of the schema: translations, statements, and the
/// indexes that queries can use.
package final class ConnectionQueries {
    /// A query and the options on which its translation depends.
    package struct Key: Hashable {
        package let query: ExactString
        package let options: TranslationOptions

        package init(query: ExactString, options: TranslationOptions) {
            self.query = query
            self.options = options
        }

        /// Hashes the query only, since most keys differ in it.
        package func hash(into hasher: inout Hasher) { query.hash(into: &hasher) }

        /// Written by hand, because an implementation derived in another module is not specialized
        /// here.
        package static func == (left: Key, right: Key) -> Bool {
            let (one, other) = (left.options, right.options)
            return left.query == right.query && one.avoidsIndexes == other.avoidsIndexes
                && one.addsKeys == other.addsKeys && one.onlyChanged == other.onlyChanged
                && one.parameters.forms == other.parameters.forms
                && one.parameters.plain == other.parameters.plain
                && one.parameters.oddLists == other.parameters.oddLists
        }
    }

    // The number of different queries is unlimited.
    private var prepared = RecentValues<Key, PreparedQuery>(capacity: 64)
    /// The indexes of collections.
    package var indexes: [KeyStoreName: QueryIndexes] = [:]
    /// The collations whose indexes were built with another version, and the record of `kv_info`
    /// from which that follows; nil before the first check.
    package var staleCollations: (record: [UInt8]?, names: Set<String>)?
    /// The vector indexes, `OpenVectorIndexes`; nil before the first use.
    var vectorIndexes: AnyObject?
    package subscript(key: Key) -> PreparedQuery? { prepared.value(key) }

    package func keep(_ query: PreparedQuery, _ key: Key) { prepared.keep(query, key) }
}

/// A translated query that one connection can run.
///
/// Mutable properties are not checked for overlapping accesses, since a check costs more than the
/// access: one thread at a time has the connection, and each access is a load or a store.
package final class PreparedQuery {
    package let sql: String
    package let columns: QueryColumns
    /// Whether each column holds bodies of documents.
    package let isBody: [Bool]
    /// Whether the document IDs precede the columns.
    package let hasKeys: Bool
    /// The parameters of the query.
    package let parameters: Set<String>
    /// The collections that the query reads.
    package let tables: [QueryTable]
    /// The search strings of full-text matches.
    package let searches: [SearchText]
    /// Whether the SQL depends on the record `collationVersions` of `kv_info`, and its value then.
    @exclusivity(unchecked)
    package var collationVersions: (isUsed: Bool, record: [UInt8]?) = (false, nil)
    /// A statement that is not in use.
    @exclusivity(unchecked)
    package var idle: SQLStatement?
    /// The statements that check whether the translation is still valid.
    @exclusivity(unchecked)
    package var guards: [SQLStatement] = []

    /// - Parameter sql: the SQL of the translation, possibly with other collations.
    package init(_ translation: QueryTranslation, sql: String) {
        self.sql = sql
        columns = QueryColumns(translation.columnNames)
        isBody = translation.columnNames.indices.map(translation.bodies.contains)
        hasKeys = translation.hasKeys
        parameters = translation.parameters
        tables = translation.tables
        searches = translation.searches
    }
}

/// A cache of the values that were used most recently.
///
/// It has two generations: when the young one is full it becomes the old one, and the values of the
/// previous old generation that were not used since are dropped.
///
/// Inlinable, so that it is specialized for the keys of each module.
@usableFromInline
package struct RecentValues<Key: Hashable, Value> {
    @usableFromInline let capacity: Int
    @usableFromInline var young: [Key: Value] = [:]
    @usableFromInline var old: [Key: Value] = [:]

    /// - Parameter capacity: the maximum number of values of one generation.
    @inlinable
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value of a key, which moves to the young generation; nil if it is not cached.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        keep(value, key)
        return value
    }

    /// Caches a value.
    @inlinable
    package mutating func keep(_ value: Value, _ key: Key) {
        if young.count >= capacity, young[key] == nil {
            old = young
            young = [:]
        }
        // A dictionary that grows hashes its keys again.
        if young.isEmpty { young.reserveCapacity(capacity) }
        young[key] = value
    }
}
