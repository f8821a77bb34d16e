internal import DataFileCore
internal import FleeceLite
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

// The file's properties, and its mandatory tables.
extension Verifier {
    func checkFileState() throws {
        try checkSettings()
        checkTables()
        checkOwnIndexes()
        try checkCounts()
        try checkInfo()
    }

    private func checkSettings() throws {
        let encoding = try context.pragma("encoding")?.textValue ?? ""
        if encoding != "UTF-8" {
            sink.add(
                .textEncoding, "the text encoding is \(encoding), but the format requires UTF-8")
        }
        // Older files are converted when they are compacted.
        if schemaVersion >= Self.firstWithTombstoneTables,
            try context.pragma("auto_vacuum")?.longValue == 0
        {
            sink.add(
                .fileSetting, "free pages stay in the file (auto_vacuum is 0); compact it once")
        }
        let draft = UnfinishedEncryption.draftPath(BundlePath(path).databaseFile)
        if FileSystem.entry(draft) == .file {
            sink.add(
                .fileSetting,
                "an interrupted encryption or decryption has left \(draft), which may be "
                    + "plaintext; opening the file for writing removes it")
        }
    }

    private static let firstWithExtra = 400
    static let firstWithTombstoneTables = 500
    private static let firstWithExpiration = 502

    /// The columns of every table of records in this schema version.
    private var neededColumns: [String] {
        SchemaSQL.oldestColumns + (schemaVersion >= Self.firstWithExtra ? ["extra"] : [])
            + (schemaVersion >= Self.firstWithExpiration ? ["expiration"] : [])
    }

    private func checkTables() {
        for store in [KeyStoreName.default, .info]
        where table(of: store, isTombstone: false) == nil {
            sink.add(
                .missingTable, "the table \(store.tableName), which every database has, is missing",
                store: store, object: store.tableName)
        }
        for table in tables {
            let missing = neededColumns.filter { !table.columns.contains($0) }
            guard missing.isEmpty else {
                sink.add(
                    .missingColumns,
                    "the table \(table.name) lacks the columns \(missing.joined(separator: ", "))",
                    store: table.store, object: table.name)
                continue
            }
            checkTwin(of: table)
        }
        for object in objects where object.type == "view" || !object.hasPages {
            guard object.type != "trigger", SchemaSQL.mayHoldRecords(table: object.name) else {
                continue
            }
            sink.add(
                .notATable,
                "\(object.name) is a \(object.type) without rows of its own, but should be a table "
                    + "of records", object: object.name)
        }
    }

    /// Checks that a collection has a tombstone table in addition to its live table.
    private func checkTwin(of table: StoreTable) {
        guard table.store.isCollection, schemaVersion >= Self.firstWithTombstoneTables,
            self.table(of: table.store, isTombstone: !table.isTombstone) == nil
        else { return }
        let twin = table.isTombstone ? table.store.tableName : table.store.tombstoneTableName
        sink.add(
            table.isTombstone ? .missingTable : .missingTombstoneTable,
            "the table \(twin) is missing, but \(table.name) exists", store: table.store,
            object: twin)
    }

    /// Checks the indexes that stores create for themselves.
    private func checkOwnIndexes() {
        for table in tables {
            let expiration = SchemaSQL.expirationIndex(table: table.name)
            let isNeeded =
                schemaVersion >= Self.firstWithExpiration && table.columns.contains("expiration")
            check(
                expiration, of: table, SchemaSQL.createExpirationIndex(table: table.name),
                isNeeded: isNeeded)
            for index in LazyIndex.allCases {
                check(
                    index.name(table: table.name), of: table, index.sql(table: table.name),
                    isNeeded: false)
            }
        }
    }

    private func check(_ name: String, of table: StoreTable, _ text: String, isNeeded: Bool) {
        let found = objects(named: name).first
        if found == nil, !isNeeded { return }
        // Older versions quoted other names than newer ones.
        let isSame =
            found?.table.hasSameBytes(as: table.name) == true
            && Self.plain(found?.sql ?? "").hasSameBytes(as: Self.plain(text))
        guard !isSame else { return }
        sink.add(
            .ownIndex,
            found == nil
                ? "the index \(name) is missing" : "the index \(name) has an unexpected definition",
            store: table.store, index: name, object: name,
            isFixable: found.map { $0.type == "index" && $0.sql != nil } ?? true)
    }

    private static func plain(_ sql: String) -> String {
        let text = String(sql.filter { $0 != "\"" })
        guard let range = text.firstRange(of: "IF NOT EXISTS ") else { return text }
        return String(text[..<range.lowerBound] + text[range.upperBound...])
    }

    /// Checks the counts of each store.
    private func checkCounts() throws {
        guard let columns = try context.columns(ofTable: "kvmeta"),
            columns.isSuperset(of: ["name", "lastSeq"])
        else {
            sink.add(.missingTable, "the table kvmeta is missing, or lacks columns")
            return
        }
        let stores = Dictionary(
            tables.flatMap {
                [($0.store.rawName, $0.store), ($0.store.tombstoneStoreName, $0.store)]
            }.map { (ExactString($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
        let purges = columns.contains("purgeCnt") ? "purgeCnt" : "NULL"
        try context.forEach("SELECT name, lastSeq, \(purges) FROM main.kvmeta ORDER BY name") {
            row in
            let name = row.text(at: 0) ?? ""
            let store = stores[ExactString(name)]
            if store == nil, !Self.canBeDeleted(name) {
                sink.add(.unusedCounts, "kvmeta has the counts of \(name), which is not a store")
            }
            for column in 1...2 where !Self.isCount(row, column) {
                let label = column == 1 ? "last sequence" : "number of purges"
                sink.add(
                    .counts, "kvmeta has a \(label) of \(name) that is not a number", store: store,
                    key: name)
            }
        }
    }

    /// Whether counts may belong to a deleted collection: they stay, for one with the same name.
    private static func canBeDeleted(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("del_.")
    }

    private static func isCount(_ row: SQLStatement, _ column: Int) -> Bool {
        switch row.type(at: column) {
        case .null: true
        case .long: row.long(at: column) >= 0
        default: false
        }
    }
}

// The raw store `info`.
extension Verifier {
    private func checkInfo() throws {
        guard let info = table(of: .info, isTombstone: false),
            info.columns.isSuperset(of: ["key", "body"])
        else { return }
        for key in [InfoKey.publicUUID, InfoKey.privateUUID] {
            try checkInfo(key)
        }
        let versioning = try InfoRow.number(InfoKey.versioning, in: context)
        switch versioning {
        case .missing where schemaVersion >= Self.firstWithExtra:
            addInfo(InfoKey.versioning, "the file does not specify how it stores revisions")
        case .missing: break
        case .damaged: addInfo(InfoKey.versioning, "it does not have 8 bytes")
        case .number(let number):
            if Versioning(rawValue: number) == nil {
                addInfo(InfoKey.versioning, "\(number) is not a known way of storing revisions")
            }
        }
        for key in [InfoKey.unmovedTombstones, InfoKey.clockBound]
        where try InfoRow.number(key, in: context) == .damaged {
            addInfo(key, "it does not have 8 bytes")
        }
        try checkClock()
        try checkRemotes()
    }

    /// The engine ignores a bound that is years ahead of the wall clock. Its older versions take
    /// all times after that bound.
    private func checkClock() throws {
        guard case .number(let number) = try InfoRow.number(InfoKey.clockBound, in: context) else {
            return
        }
        let bound = LogicalTime(rawValue: number)
        guard bound > latestPlausible else { return }
        sink.add(
            .implausibleClock,
            "\(InfoKey.clockBound): the clock of the file is in the year \(bound.year), years "
                + "ahead of the system clock", store: .info, key: InfoKey.clockBound)
    }

    private func checkInfo(_ key: String) throws {
        guard let bytes = try StoreTable.info(key, in: context) else {
            return addInfo(key, "it is missing")
        }
        if bytes.count != 16 { addInfo(key, "it has \(bytes.count) bytes, not 16") }
    }

    private func checkRemotes() throws {
        guard let bytes = try StoreTable.info(InfoKey.remotes, in: context), !bytes.isEmpty else {
            return
        }
        if (try? FleeceDocument(validating: bytes))?.isDictionary != true {
            addInfo(InfoKey.remotes, "the list of remotes is damaged")
        }
    }

    private func addInfo(_ key: String, _ reason: String) {
        sink.add(.info, "\(key): \(reason)", store: .info, key: key)
    }

    /// Checks the shared keys.
    func checkSharedKeys() throws {
        do {
            try readSharedKeys()
        } catch let error as FleeceError {
            sink.add(
                .sharedKeys, "the shared keys are damaged: \(error)", store: .info,
                key: InfoKey.sharedKeys)
            sink.skip("the numbers of keys in bodies", "the shared keys are damaged")
        }
    }

    /// Reads them again in the snapshot: another connection may have added some since.
    func readSharedKeys() throws {
        let isDamaged = sharedKeys == nil
        sharedKeys = nil
        let state = try StoreTable.info(InfoKey.sharedKeys, in: context)
        guard !isDamaged else { return }
        let keys = try SharedKeys(stored: state)
        sharedKeys = keys
        connection.functions.use(keys)
    }
}
