internal import FleeceLite

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
            tableName.hasPrefix(Self.tablePrefix) && !tableName.hasPrefix(Self.deadTablePrefix)
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
    package var deadTableName: String { Self.deadTablePrefix + mangled }
    /// The name under which `kvmeta` counts the tombstones that were purged.
    package var deadName: String { "del_" + rawName }

    private static let tablePrefix = "kv_"
    private static let deadTablePrefix = "kv_del_"

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
