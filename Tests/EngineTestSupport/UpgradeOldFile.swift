internal import DataFileCore
package import SQLCore
internal import SampleData
package import StoreFormat
internal import Testing

/// A database of an older schema, created in memory by SQL of the tests.
package struct OldFile: CustomTestStringConvertible, Sendable {
    package let version: Int
    /// The columns after `body` of each table of records, in this order.
    package let tables: [String: [String]]
    package var hasVersioning = true
    package var seed: UInt64 = 1

    package init(
        version: Int, tables: [String: [String]], hasVersioning: Bool = true, seed: UInt64 = 1
    ) {
        self.version = version
        self.tables = tables
        self.hasVersioning = hasVersioning
        self.seed = seed
    }

    package var testDescription: String {
        let orders = tables.map { "\($0.key): \($0.value.joined(separator: ", "))" }.sorted()
        return "\(version) (\(orders.joined(separator: "; ")))"
    }

    /// One of each kind of file that §1.4.1 of the description of the format lists, including raw
    /// stores and collections.
    package static let all: [OldFile] = [
        OldFile(version: 201, tables: ["kv_default": [], "kv_info": []], hasVersioning: false),
        OldFile(version: 201, tables: ["kv_default": ["expiration"], "kv_info": []]),
        OldFile(
            version: 301,
            tables: ["kv_default": [], "kv_info": [], "kv_peer\\Checkpoints": []]),
        OldFile(
            version: 302,
            tables: ["kv_default": ["expiration"], "kv_info": [], "kv_checkpoints": []]),
        OldFile(version: 400, tables: ["kv_default": ["extra"], "kv_info": ["extra"]]),
        OldFile(
            version: 400, tables: ["kv_default": ["extra", "expiration"], "kv_info": ["extra"]]),
        OldFile(
            version: 400,
            tables: [
                "kv_default": ["expiration", "extra"], "kv_info": ["extra"],
                "kv_.hr.\\Employees": ["extra"], "kv_.order": ["expiration", "extra"],
            ]),
        OldFile(
            version: 500,
            tables: [
                "kv_default": ["extra", "expiration"], "kv_del_default": ["extra", "expiration"],
                "kv_.hr.\\Employees": ["extra", "expiration"],
                "kv_del_.hr.\\Employees": ["extra", "expiration"], "kv_info": ["extra"],
                "kv_raw \"quoted\"": ["extra"],
            ]),
        OldFile(
            version: 501,
            tables: [
                "kv_default": ["expiration", "extra"], "kv_del_default": ["extra", "expiration"],
                "kv_info": ["extra"], "kv_select": ["extra"],
            ]),
        OldFile(
            version: 502,
            tables: [
                "kv_default": ["extra", "expiration"], "kv_del_default": ["expiration", "extra"],
                "kv_.order": ["expiration", "extra"], "kv_del_.order": ["expiration", "extra"],
                "kv_info": ["extra", "expiration"],
            ]),
    ]

    /// Creates the file, with records in each table.
    package func make(rows: Int = 40) throws -> SQLContext {
        let context = try SQLContext()
        var random = SeededGenerator(seed: seed)
        try makeTables(in: context)
        for table in tables.keys.sorted() {
            for number in 0..<(table == "kv_info" ? 0 : rows) {
                try insert(number, into: table, in: context, &random)
            }
        }
        if hasVersioning {
            let value: UInt8 = version < 400 ? 0 : 1
            try context.exec(
                sql: "INSERT INTO kv_info (key, sequence, body) VALUES ('versioning', 1, ?)",
                parameters: [.blob([0, 0, 0, 0, 0, 0, 0, value])])
        }
        // Configured as the writer's connection.
        try context.exec(sql: SchemaSQL.connectionPragmas())
        try context.setDefensive(true)
        return context
    }

    private func makeTables(in context: SQLContext) throws {
        let purgeCount = version < 302 ? "" : ", purgeCnt INTEGER DEFAULT 0"
        try context.exec(
            sql: """
                PRAGMA user_version=\(version);
                CREATE TABLE kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0\(purgeCount))
                    WITHOUT ROWID;
                INSERT INTO kvmeta (name, lastSeq) VALUES ('default', 40), ('info', 4);
                """)
        if version > 201 {
            let lastSeq = version < 501 ? "" : ", lastSeq TEXT"
            try context.exec(
                sql: """
                    CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER NOT NULL,
                        keyStore TEXT NOT NULL, expression TEXT, indexTableName TEXT\(lastSeq))
                    """)
            try context.exec(
                sql: "INSERT INTO indexes (name, type, keyStore) VALUES ('gone', 0, 'default')")
        }
        for (table, columns) in tables.sorted(by: { $0.key < $1.key }) {
            let more = columns.map { $0 == "extra" ? ", extra BLOB" : ", expiration INTEGER" }
            try context.exec(
                sql: "CREATE TABLE \(table.sqlName) (  key TEXT PRIMARY KEY,  sequence INTEGER,  "
                    + "flags INTEGER DEFAULT 0,  version BLOB,  body BLOB" + more.joined() + ")")
            if columns.contains("expiration") {
                let index = (table + "_expiration").sqlName
                try context.exec(
                    sql: "CREATE INDEX \(index) ON \(table.sqlName) (expiration) "
                        + "WHERE expiration not null")
            }
        }
    }

    private func insert(
        _ number: Int, into table: String, in context: SQLContext,
        _ random: inout SeededGenerator
    ) throws {
        let isTombstoneTable = table.hasPrefix("kv_del_")
        let isRaw = !["kv_default", "kv_."].contains { table.hasPrefix($0) } && !isTombstoneTable
        let canDie = !isRaw && (version < 500 || table == "kv_default")
        let isTombstone = isTombstoneTable || canDie && random.below(3) == 0
        let flags = (isTombstone ? 1 : 0) | random.below(3) << 1 | random.below(3) << 16
        let keys = ["doc-", "Ünï-", "it's \"q\" \\ ", "\u{1F600}"]
        var values: [String: SQLValue] = [
            "key": .text("\(random.pick(keys))\(isTombstoneTable ? "dead" : "")\(number)"),
            "sequence": isRaw ? .null : .long(Int64(number + (isTombstoneTable ? 1000 : 1))),
            "flags": .long(Int64(flags)), "version": .blob(bytes(&random, below: 20)),
            // Some need overflow pages.
            "body": random.below(5) == 0
                ? .null : .blob(bytes(&random, below: random.below(10) == 0 ? 9000 : 400)),
        ]
        for column in tables[table] ?? [] where random.below(2) == 0 {
            values[column] =
                column == "extra"
                ? .blob(bytes(&random, below: 300)) : .long(Int64(random.below(1_000_000_000_000)))
        }
        let names = values.keys.sorted()
        try context.exec(
            sql: "INSERT INTO \(table.sqlName) (\(names.joined(separator: ", "))) VALUES ("
                + names.map { _ in "?" }.joined(separator: ", ") + ")",
            parameters: names.map { values[$0] ?? .null })
    }

    private func bytes(_ random: inout SeededGenerator, below limit: Int) -> [UInt8] {
        (0..<random.below(limit)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

/// All rows of a file, by table; a row is its columns by name, without those that are `NULL`.
package struct FileRows: Equatable {
    package typealias Row = [String: SQLValue]
    package var tables: [String: [Row]] = [:]

    package init(_ context: SQLContext) throws {
        let names = try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE type='table' AND rootpage > 0 "
                + "AND name NOT LIKE 'sqlite%'")
        for name in names.compactMap({ $0[0].textValue }) {
            let statement = try context.prepare(sql: "SELECT * FROM \(name.sqlName)")
            var rows: [Row] = []
            while let values = try statement.nextValues() {
                let row = Row(
                    zip(statement.columnNames, values), uniquingKeysWith: { first, _ in first })
                rows.append(row.filter { !$0.value.isNull })
            }
            tables[name] = Self.sorted(rows)
        }
    }

    package static func sorted(_ rows: [Row]) -> [Row] {
        rows.sorted { name($0) < name($1) }
    }

    private static func name(_ row: Row) -> String {
        (row["key"] ?? row["name"])?.textValue ?? ""
    }

    /// The expected rows after an upgrade: the same, except for the changes that the file format
    /// requires.
    package func upgraded(_ file: OldFile) -> FileRows {
        var result = self
        result.tables["kvmeta"] = tables["kvmeta"]?.map {
            $0.merging(["purgeCnt": .long(0)]) { old, _ in old }
        }
        let stores = tables.keys.filter {
            $0 == "kv_default" || $0.hasPrefix("kv_.")
        }
        for store in stores {
            let tombstones = "kv_del_" + store.dropFirst(3)
            result.tables[tombstones] = result.tables[tombstones] ?? []
            guard file.version < 500, store != "kv_default" else { continue }
            let rows = tables[store] ?? []
            let isTombstone = { (row: Row) in ((row["flags"]?.longValue ?? 0) & 1) != 0 }
            result.tables[store] = rows.filter { !isTombstone($0) }
            result.tables[tombstones] = Self.sorted(rows.filter(isTombstone))
        }
        var info = tables["kv_info"] ?? []
        if !file.hasVersioning, file.version < 400 {
            info.append(
                [
                    "key": .text("versioning"), "body": .blob([UInt8](repeating: 0, count: 8)),
                    "flags": .long(0),
                ])
        }
        result.tables["kv_info"] = info
        return result
    }

    /// Removes the row with the progress of the tombstone move, and returns its number.
    package mutating func removeWatermark() throws -> UInt64 {
        let isWatermark = { (row: Row) in row["key"] == .text("maxRowidWithDeletedInDefault") }
        let row = try #require(tables["kv_info"]?.first(where: isWatermark))
        tables["kv_info"]?.removeAll(where: isWatermark)
        return try #require(BigEndian.number(row["body"]?.bytesValue ?? []))
    }
}

extension SQLContext {
    /// The SQL text of a schema entry, nil if there is none.
    package func schemaText(_ name: String) throws -> String? {
        try selectAll(
            sql: "SELECT sql FROM sqlite_master WHERE name = ?", parameters: [.text(name)]
        ).first?.first?.textValue
    }

    /// Runs a closure in a transaction, as the writer does.
    @discardableResult
    package func writing<T>(_ body: (SQLContext) throws -> T) throws -> T {
        try transaction(.immediate) { try body(self) }
    }

    package func upgrade() throws -> SchemaUpgrade.Outcome {
        try writing { try SchemaUpgrade.run(in: $0, path: "old.cblite2") }
    }
}
