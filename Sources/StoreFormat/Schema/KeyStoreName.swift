internal import FleeceLite
package import SQLCore

/// The name of a KeyStore, in the API and in table names.
///
/// A collection's documents are the records of a KeyStore: `default`, or `.collection` and
/// `.scope.collection` for named ones. ``CollectionName`` converts between both. Other names are
/// raw stores, for data that is not documents.
///
/// ```swift
/// let names = try file.read { try $0.keyStoreNames() }
/// for name in names where !name.isCollection { show(name.rawName) }
/// let info = KeyStore(.info)
/// ```
///
/// Names are compared by their bytes. SQLite ignores case in table names, so a table name has a
/// backslash before each upper-case letter: `.hr.Employees` is the table `kv_.hr.\Employees`.
public struct KeyStoreName: Hashable, Sendable {
    /// The name, as stored in `kvmeta` and `indexes`, without the prefix and the escapes of table
    /// names.
    public let rawName: String

    /// Wraps a name without checking it. Using a store that does not exist throws
    /// ``StoreError/Code/notFound``.
    ///
    /// - Parameter rawName: the name, such as `.people`.
    public init(_ rawName: String) {
        self.rawName = rawName
    }

    /// The store of the default collection. New files have it. It is the only collection whose name
    /// has no dot in front.
    public static let `default` = KeyStoreName("default")
    /// The raw store of the file's own metadata, such as its shared keys. Its records are not to be
    /// changed.
    public static let info = KeyStoreName("info")
    /// The store of the checkpoints of replications.
    public static let checkpoints = KeyStoreName("checkpoints")

    /// Reads a table name; nil if it is not a store's table of live records.
    package init?(tableName: String) {
        let isStore =
            tableName.hasPrefix(Self.tablePrefix) && !tableName.hasPrefix(Self.tombstoneTablePrefix)
            && !tableName.utf8.contains { $0 == UInt8(ascii: ":") || $0 == 0 }
        let mangled = tableName.unicodeScalars.dropFirst(Self.tablePrefix.unicodeScalars.count)
        let name = KeyStoreName(Self.unmangled(String(String.UnicodeScalarView(mangled))))
        guard isStore, name.tableName.utf8.elementsEqual(tableName.utf8) else { return nil }
        self = name
    }

    /// Whether it is the store of a collection; false for a raw store.
    ///
    /// It depends on the name alone, not on whether the store exists.
    public var isCollection: Bool { self == .default || rawName.hasPrefix(".") }

    /// The table of live records.
    package var tableName: String { Self.tablePrefix + mangled }
    /// The table of tombstones, which files from before 3.1 and raw stores lack.
    package var tombstoneTableName: String { Self.tombstoneTablePrefix + mangled }
    /// The name under which `kvmeta` counts purged tombstones.
    package var tombstoneStoreName: String { "del_" + rawName }

    private static let tablePrefix = "kv_"
    private static let tombstoneTablePrefix = "kv_del_"

    private var mangled: String { Self.mangled(rawName) }

    /// A name in the form used in table names.
    package static func mangled(_ name: String) -> String {
        var mangled = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where scalar != "\\" {
            if ("A"..."Z").contains(scalar) { mangled.append("\\") }
            mangled.append(scalar)
        }
        return String(mangled)
    }

    /// The name that was mangled to `name`.
    package static func unmangled(_ name: some StringProtocol) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "\\" }))
    }
}

/// Compares bytes, as SQLite does: Swift considers some different strings equal.
extension KeyStoreName {
    /// Returns whether both names have the same bytes, as in SQLite; Swift considers some different
    /// strings equal.
    public static func == (left: KeyStoreName, right: KeyStoreName) -> Bool {
        left.rawName.hasSameBytes(as: right.rawName)
    }

    /// Hashes the name. Names of the same bytes have the same hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawName)
    }
}

/// A table of a KeyStore, in a file of any version.
package struct StoreTable {
    package let store: KeyStoreName
    /// Whether it is the tombstone table.
    package let isTombstone: Bool
    /// The name in SQLite, not quoted.
    package let name: String
    package let columns: Set<String>

    /// Reads a table name; nil if it is not a store's table.
    package static func store(ofTable name: String) -> (store: KeyStoreName, isTombstone: Bool)? {
        if let store = KeyStoreName(tableName: name) { return (store, false) }
        guard let store = KeyStoreName(tombstoneTableName: name) else { return nil }
        return (store, true)
    }

    /// The body of a row of the raw store `info`; nil if it does not exist.
    ///
    /// Reads from a real table only: a view could run arbitrary SQL.
    package static func info(_ key: String, in context: SQLContext) throws -> [UInt8]? {
        let columns = try context.columns(ofTable: KeyStoreName.info.tableName)
        guard columns?.isSuperset(of: ["key", "body"]) == true else { return nil }
        return try context.selectValue(
            sql: SchemaSQL.getInfo, parameters: [.text(key)])?.bytesValue
    }

    /// The tables of all stores, sorted.
    package static func all(in context: SQLContext) throws -> [StoreTable] {
        let names = try context.selectAll(sql: SchemaSQL.tableNames)
            .compactMap { $0.first?.textValue }
        return try names.compactMap { name in
            guard let (store, isTombstone) = store(ofTable: name) else { return nil }
            return StoreTable(
                store: store, isTombstone: isTombstone, name: name,
                columns: try context.columns(ofRealTable: name))
        }.sorted { ($0.store.rawName, $0.name) < ($1.store.rawName, $1.name) }
    }
}

extension SharedKeys {
    /// Reads the value stored under `InfoKey.sharedKeys`; nil gives an empty table.
    ///
    /// Throws `FleeceError` if it is damaged.
    package init(stored state: [UInt8]?) throws {
        guard let state, !state.isEmpty else {
            self.init()
            return
        }
        try self.init(state: state)
    }
}

/// The tables of a file's KeyStores, as listed in its schema.
package struct StoreCatalog {
    /// The stores that have a table of live records.
    package let stores: [KeyStoreName]
    /// The tombstone tables of all stores.
    package let tombstoneTables: [String]
    /// Views and virtual tables whose names are reserved for tables of the format.
    package let reservedViews: [String]

    /// Costs one pass over the schema, whose length is the number of tables and indexes.
    package init(_ context: SQLContext) throws {
        var stores: [KeyStoreName] = []
        var tombstoneTables: [String] = []
        var reservedViews: [String] = []
        try context.forEach(SchemaSQL.tablesAndViews) { row in
            let name = row.text(at: 0) ?? ""
            if row.long(at: 1) == 0 {
                if Self.isReserved(name) { reservedViews.append(name) }
            } else if let store = KeyStoreName(tableName: name) {
                stores.append(store)
            } else if KeyStoreName(tombstoneTableName: name) != nil {
                tombstoneTables.append(name)
            }
        }
        self.stores = stores
        self.tombstoneTables = tombstoneTables
        self.reservedViews = reservedViews
    }

    /// The names of all record tables.
    package var tables: [String] { stores.map(\.tableName) + tombstoneTables }

    /// Whether a name is reserved for a table of the format, ignoring case as SQLite does. Names
    /// with a colon are index tables, which may be virtual.
    private static func isReserved(_ name: String) -> Bool {
        let folded = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return SchemaSQL.mayHoldRecords(table: name)
            || ["kvmeta", "indexes"].contains { folded.elementsEqual($0.utf8) }
    }
}

extension KeyStoreName {
    /// Reads the name of a tombstone table; nil if it is not one.
    init?(tombstoneTableName: String) {
        let prefix = KeyStoreName("").tombstoneTableName
        let rest = tombstoneTableName.utf8.dropFirst(prefix.utf8.count)
        guard tombstoneTableName.utf8.starts(with: prefix.utf8), let rest = String(rest) else {
            return nil
        }
        self.init(tableName: KeyStoreName("").tableName + rest)
    }
}
