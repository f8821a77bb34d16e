internal import FleeceLite
package import SQLCore

/// The name of a KeyStore: as the engine says it, and as the tables' names have it.
///
/// SQLite does not tell upper case from lower in a table's name, so each upper-case letter has a
/// backslash before it there: `.hr.Employees` is the table `kv_.hr.\Employees`.
public struct KeyStoreName: Hashable, Sendable {
    /// The name, as it stands in `kvmeta` and `indexes`.
    public let rawName: String

    /// Wraps a name; nothing is checked.
    public init(_ rawName: String) {
        self.rawName = rawName
    }

    /// The store of the default collection.
    public static let `default` = KeyStoreName("default")
    /// The raw store of what belongs to the whole file.
    public static let info = KeyStoreName("info")

    /// Reads a table's name; nil if it is not that of a store for live records.
    package init?(tableName: String) {
        let isStore =
            tableName.hasPrefix(Self.tablePrefix) && !tableName.hasPrefix(Self.tombstoneTablePrefix)
            && !tableName.utf8.contains { $0 == UInt8(ascii: ":") || $0 == 0 }
        let mangled = tableName.unicodeScalars.dropFirst(Self.tablePrefix.unicodeScalars.count)
        let name = KeyStoreName(Self.unmangled(String(String.UnicodeScalarView(mangled))))
        guard isStore, name.tableName.utf8.elementsEqual(tableName.utf8) else { return nil }
        self = name
    }

    /// Whether it is the store of a collection, not a raw one.
    public var isCollection: Bool { self == .default || rawName.hasPrefix(".") }

    /// The table of the records that are alive.
    package var tableName: String { Self.tablePrefix + mangled }
    /// The table of the tombstones, which files of before 3.1 and raw stores lack.
    package var tombstoneTableName: String { Self.tombstoneTablePrefix + mangled }
    /// The name under which `kvmeta` counts the tombstones that were purged.
    package var tombstoneStoreName: String { "del_" + rawName }

    private static let tablePrefix = "kv_"
    private static let tombstoneTablePrefix = "kv_del_"

    private var mangled: String { Self.mangled(rawName) }

    /// A name as it stands in the names of tables.
    package static func mangled(_ name: String) -> String {
        var mangled = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where scalar != "\\" {
            if ("A"..."Z").contains(scalar) { mangled.append("\\") }
            mangled.append(scalar)
        }
        return String(mangled)
    }

    /// The name that was mangled so.
    package static func unmangled(_ name: some StringProtocol) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "\\" }))
    }
}

/// By bytes, as SQLite tells names apart: Swift takes some different strings for equal.
extension KeyStoreName {
    /// Whether the bytes are the same.
    public static func == (left: KeyStoreName, right: KeyStoreName) -> Bool {
        left.rawName.hasSameBytes(as: right.rawName)
    }

    /// Feeds the text: what has the same bytes is the same text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawName)
    }
}

/// One table of a KeyStore, in a file that may be of any version.
package struct StoreTable {
    package let store: KeyStoreName
    /// Whether it is the one for tombstones.
    package let isTombstone: Bool
    /// As SQLite has it, not quoted.
    package let name: String
    package let columns: Set<String>

    /// Reads a table's name; nil if it is not one of a store.
    package static func store(ofTable name: String) -> (store: KeyStoreName, isTombstone: Bool)? {
        if let store = KeyStoreName(tableName: name) { return (store, false) }
        guard let store = KeyStoreName(tombstoneTableName: name) else { return nil }
        return (store, true)
    }

    /// A row of the raw store `info`, nil if there is none.
    ///
    /// Only a real table is asked: a view can run whatever its maker likes.
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
    /// Reads what a file has under `InfoKey.sharedKeys`; there are no keys where it has nothing.
    ///
    /// Throws `FleeceError` if that is damaged.
    package init(stored state: [UInt8]?) throws {
        guard let state, !state.isEmpty else {
            self.init()
            return
        }
        try self.init(state: state)
    }
}

/// The tables of a file's KeyStores, as its schema lists them.
package struct StoreCatalog {
    /// The stores that have a table.
    package let stores: [KeyStoreName]
    /// The tables of tombstones, of whatever store.
    package let tombstoneTables: [String]
    /// Views and virtual tables with a name that is kept for tables of the format.
    package let pretenders: [String]

    /// Costs a pass over the schema, which is as long as there are tables and indexes.
    package init(_ context: SQLContext) throws {
        var stores: [KeyStoreName] = []
        var tombstoneTables: [String] = []
        var pretenders: [String] = []
        try context.forEach(SchemaSQL.tablesAndViews) { row in
            let name = row.text(at: 0) ?? ""
            if row.long(at: 1) == 0 {
                if Self.isReserved(name) { pretenders.append(name) }
            } else if let store = KeyStoreName(tableName: name) {
                stores.append(store)
            } else if KeyStoreName(tombstoneTableName: name) != nil {
                tombstoneTables.append(name)
            }
        }
        self.stores = stores
        self.tombstoneTables = tombstoneTables
        self.pretenders = pretenders
    }

    /// The names of all tables of records.
    package var tables: [String] { stores.map(\.tableName) + tombstoneTables }

    /// Whether a name is that of a table of the format, in any case of its letters, as SQLite
    /// finds it. Those with a colon are the tables of indexes, which may be virtual.
    private static func isReserved(_ name: String) -> Bool {
        let folded = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return SchemaSQL.mayHoldRecords(table: name)
            || ["kvmeta", "indexes"].contains { folded.elementsEqual($0.utf8) }
    }
}

extension KeyStoreName {
    /// Reads the name of a table of tombstones; nil if it is not one.
    init?(tombstoneTableName: String) {
        let prefix = KeyStoreName("").tombstoneTableName
        let rest = tombstoneTableName.utf8.dropFirst(prefix.utf8.count)
        guard tombstoneTableName.utf8.starts(with: prefix.utf8), let rest = String(rest) else {
            return nil
        }
        self.init(tableName: KeyStoreName("").tableName + rest)
    }
}
