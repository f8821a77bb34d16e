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
    init?(tableName: String) {
        guard tableName.hasPrefix(Self.tablePrefix), !tableName.hasPrefix(Self.deadTablePrefix),
            !tableName.contains(":")
        else { return nil }
        self.init(tableName.dropFirst(Self.tablePrefix.count).filter { $0 != "\\" })
    }

    /// Whether it is the store of a collection, not a raw one.
    public var isCollection: Bool { self == .default || rawName.hasPrefix(".") }

    /// The table of the records that are alive.
    var tableName: String { Self.tablePrefix + mangled }
    /// The table of the tombstones, which files of before 3.1 and raw stores lack.
    var deadTableName: String { Self.deadTablePrefix + mangled }
    /// The name under which `kvmeta` counts the tombstones that were purged.
    var deadName: String { "del_" + rawName }

    private static let tablePrefix = "kv_"
    private static let deadTablePrefix = "kv_del_"

    private var mangled: String {
        rawName.reduce(into: "") { mangled, letter in
            if letter.isASCII, letter.isUppercase { mangled.append("\\") }
            mangled.append(letter)
        }
    }
}
