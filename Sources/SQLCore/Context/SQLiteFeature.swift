import CSQLite

/// Features that older versions of SQLite do not have.
///
/// On Linux and Apple's systems SQLite is a library of the system, so a program may run with an
/// older version than the one that it was developed with. Check a feature before you use its
/// syntax; a statement that uses a missing feature fails when it is compiled, with `.error`.
///
/// ```swift
/// let upsert = "INSERT INTO hit VALUES (?, 1) ON CONFLICT (page) DO UPDATE SET n = n + 1"
/// if database.supports(feature: .upsert) {
///     try database.exec(sql: upsert, parameters: [.text("/")])
/// }
/// ```
public enum SQLiteFeature: CaseIterable, Sendable {
    /// `(a, b) = (1, 2)`
    case rowValueSyntax
    /// `INSERT … ON CONFLICT DO UPDATE`
    case upsert
    /// `ALTER TABLE … RENAME COLUMN`
    case renameColumn
    /// `… OVER (PARTITION BY …)`
    case windowFunctions
    /// `CREATE TABLE t (a, b AS (a + 1))`
    case generatedColumns
    /// `PRAGMA integrity_check(table)`
    case partialIntegrityCheck
    /// The name `sqlite_schema` of the schema table.
    case sqliteSchemaTable
    /// `INSERT … RETURNING`
    case selectReturning
    /// `ALTER TABLE … DROP COLUMN`
    case dropColumn
    /// `CREATE TABLE … STRICT`
    case strictTables
    /// `json(…)` and the other JSON functions, built in.
    case jsonFunction
    /// `RIGHT JOIN`
    case rightJoin
    /// `FULL OUTER JOIN`
    case fullOuterJoin
    /// `(a, b) IN (…)`, from the first version in which it works correctly.
    case rowValueInSyntax

    /// The first version with the feature, in the form of `sqlite3_libversion_number`: 3038000 is
    /// 3.38.0.
    public var minimumVersion: Int {
        switch self {
        case .rowValueSyntax: 3_015_000
        case .upsert: 3_024_000
        case .renameColumn, .windowFunctions: 3_025_000
        case .generatedColumns: 3_031_000
        case .partialIntegrityCheck, .sqliteSchemaTable: 3_033_000
        case .selectReturning, .dropColumn: 3_035_000
        case .strictTables: 3_037_000
        case .jsonFunction: 3_038_000
        case .rightJoin, .fullOuterJoin, .rowValueInSyntax: 3_039_000
        }
    }
}

extension SQLContext {
    /// Whether the SQLite library has a feature.
    ///
    /// The check compares ``versionNumber`` with ``SQLiteFeature/minimumVersion``. It does not know
    /// whether the library was compiled without the feature; see ``compileOptions``.
    ///
    /// - Parameter feature: The feature.
    /// - Returns: True if the version of the library is high enough.
    public func supports(feature: SQLiteFeature) -> Bool {
        Self.versionNumber >= feature.minimumVersion
    }

    /// The version of the SQLite library, such as `3.40.1`. `sqlite3_libversion`
    public static var version: String { String(cString: sqlite3_libversion()) }

    /// The version as a number, such as 3040001. `sqlite3_libversion_number`
    ///
    /// It orders versions: major × 1,000,000 + minor × 1000 + patch.
    public static var versionNumber: Int { Int(sqlite3_libversion_number()) }

    /// The compile-time options of SQLite by name; `.null` for an option without a value.
    /// `sqlite3_compileoption_get`
    ///
    /// The names have no prefix `SQLITE_`. It is computed at each call.
    ///
    /// ```swift
    /// let options = SQLContext.compileOptions
    /// let hasFullText = options["ENABLE_FTS3"] != nil || options["ENABLE_FTS4"] != nil
    /// let threads = options["THREADSAFE"]?.longValue
    /// ```
    public static var compileOptions: [String: SQLValue] {
        var options: [String: SQLValue] = [:]
        var index: Int32 = 0
        while let text = sqlite3_compileoption_get(index).map({ String(cString: $0) }) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            options[parts[0]] =
                parts.count < 2 ? .null : Int64(parts[1]).map { .long($0) } ?? .text(parts[1])
            index += 1
        }
        return options
    }
}
