import DocumentStore
import SQLCore
import StoreTestSupport

/// Runs the operations of random histories with the engine.
final class DataFileDriver: HistoryDriver {
    struct Abandoned: Error {}

    /// The file; nil for an in-memory database.
    let store: TemporaryStore?
    private let options: DataFileOptions
    private(set) var file: DataFile
    /// The active transaction or savepoint.
    private var transaction: Transaction?
    private let indexes: Indexes
    private let stores: [String]
    /// The number of index entries that were compared with the documents, by kind of index.
    private(set) var compared: [String: Int] = [:]
    /// How often the file was closed and opened again.
    private var reopenings = 0

    /// The indexes that exist from the start.
    enum Indexes {
        /// Only those of a new file.
        case none
        /// Also all those that are created on first use.
        case ownOnes
        /// Value, full-text, array and predictive indexes, which are compared with the documents.
        case allKinds
    }

    /// A driver for a new file, or for an in-memory database, which cannot be opened again.
    init(
        _ configuration: HistoryConfiguration, _ options: DataFileOptions,
        inMemory isInMemory: Bool = false, indexes: Indexes = .none
    ) throws {
        var options = options
        // Nothing expires by itself: the history decides when.
        options.now = { 0 }
        self.options = options
        self.indexes = indexes
        stores = configuration.stores
        store = isInMemory ? nil : try TemporaryStore(options: options)
        file = try store?.file ?? DataFile(inMemory: options)
        try file.write { transaction in
            for name in configuration.stores + configuration.rawStores {
                try KeyStore(KeyStoreName(name)).create(in: transaction)
            }
        }
        switch indexes {
        case .none: break
        case .ownOnes: if let store { try makeIndexes(configuration, store) }
        case .allKinds: try makeAllKinds()
        }
    }

    private func makeAllKinds() throws {
        TestIndexes.registerModel()
        try file.write { transaction in
            for name in stores {
                try TestIndexes.create(name, of: Self.collection(name), in: transaction)
            }
        }
    }

    private static func collection(_ store: String) throws -> DocumentCollection {
        store == "default"
            ? DocumentCollection(.default)
            : DocumentCollection(try CollectionName(String(store.dropFirst())))
    }

    /// Recreates some of the indexes from all documents; the others are maintained by the writes.
    private func remakeIndexes() throws {
        reopenings += 1
        try file.write { transaction in
            for name in stores {
                let collection = try Self.collection(name)
                for (number, spec) in TestIndexes.all(name).enumerated() {
                    switch (number + reopenings) % 6 {
                    case 0:
                        guard try collection.deleteIndex(spec.name, in: transaction),
                            try collection.createIndex(spec, in: transaction)
                        else { throw Damage(findings: ["\(spec.name) was not created again"]) }
                    case 1: try collection.rebuildIndex(spec.name, in: transaction)
                    case 2:
                        guard try !collection.createIndex(spec, in: transaction) else {
                            throw Damage(findings: ["\(spec.name) was created a second time"])
                        }
                    default: break
                    }
                }
            }
        }
    }

    private func checkIndexes() throws {
        guard indexes == .allKinds, let store else { return }
        let oracle = try IndexOracle(store.path)
        guard oracle.problems.isEmpty else { throw Damage(findings: oracle.problems) }
        compared.merge(oracle.compared, uniquingKeysWith: +)
    }

    /// The SQL text is LiteCore's own, which is part of the format.
    private func makeIndexes(
        _ configuration: HistoryConfiguration, _ store: TemporaryStore
    ) throws {
        file.close()
        let context = try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite)
        for name in configuration.stores {
            for table in ["kv_\(name)", "kv_del_\(name)"] {
                for sql in [
                    "CREATE UNIQUE INDEX \"\(table)_seqs\" ON \"\(table)\" (sequence)",
                    "CREATE INDEX \"\(table)_conflicts\" ON \"\(table)\" (flags)"
                        + " WHERE (flags & 2) != 0",
                    "CREATE INDEX \"\(table)_blobs\" ON \"\(table)\" (flags)"
                        + " WHERE (flags & 4) != 0",
                ] { try context.exec(sql: sql) }
            }
        }
        try context.close()
        file = try store.reopened(options)
    }

    private func read<T>(_ store: String, _ body: (KeyStore, Snapshot) throws -> T) throws -> T {
        let store = KeyStore(KeyStoreName(store))
        if let transaction { return try body(store, transaction) }
        return try file.read { try body(store, $0) }
    }

    private func write<T>(
        _ store: String, _ body: (KeyStore, Transaction) throws -> T
    ) throws -> T {
        let store = KeyStore(KeyStoreName(store))
        if let transaction { return try body(store, transaction) }
        return try file.write { try body(store, $0) }
    }
}

extension DataFileDriver {
    func transaction(rollsBack: Bool, _ body: () throws -> Void) throws {
        defer { transaction = nil }
        do {
            try file.write { transaction in
                self.transaction = transaction
                try body()
                if rollsBack { throw Abandoned() }
            }
        } catch is Abandoned {}
    }

    func savepoint(rollsBack: Bool, _ body: () throws -> Void) throws {
        do {
            try transaction?.savepoint {
                try body()
                if rollsBack { throw Abandoned() }
            }
        } catch is Abandoned {}
    }

    func reopen() throws {
        guard let store else { return }
        file.close()
        file = try store.reopened(options)
    }

    func checkInvariants() throws {
        let report = try file.integrityCheck()
        guard report.isIntact else { throw Damage(findings: report.findings.map(\.message)) }
        try checkIndexes()
        if indexes == .allKinds {
            try remakeIndexes()
            try checkIndexes()
        }
        try file.read { snapshot in
            for name in try snapshot.keyStoreNames() {
                let store = KeyStore(name)
                let last = try store.lastSequence(in: snapshot)
                var options = RecordEnumerator.Options()
                options.order = .sequence
                options.includesDeleted = true
                options.content = .metadata
                var previous: Int64 = 0
                try store.records(options, in: snapshot).forEachRow { row in
                    guard row.sequence > previous, row.sequence <= last || !name.isCollection
                    else {
                        if name.isCollection {
                            throw Damage(findings: ["\(row.key) has sequence \(row.sequence)"])
                        }
                        return true
                    }
                    previous = row.sequence
                    return true
                }
            }
        }
    }

    struct Damage: Error, CustomStringConvertible {
        let findings: [String]
        var description: String { findings.joined(separator: "; ") }
    }
}

extension DataFileDriver {
    func save(_ update: HistoryUpdate, in store: String) throws -> HistorySaved {
        try write(store) { store, transaction in
            var record = RecordUpdate(
                update.key, version: update.content.version,
                body: update.content.body.isEmpty ? nil : update.content.body,
                extra: update.content.extra.isEmpty ? nil : update.content.extra,
                flags: update.flags,
                expecting: update.expected.map {
                    .revision(sequence: $0.sequence, subsequence: $0.subsequence)
                } ?? .absent)
            record.keepsSequence = update.keepsSequence
            return HistorySaved(try store.put(record, in: transaction))
        }
    }

    func addFlags(
        _ flags: DocumentFlags, key: String, sequence: Int64, in store: String
    ) throws -> Bool {
        try write(store) { try $0.setFlags(flags, of: key, sequence: sequence, in: $1) }
    }

    func purge(_ key: String, expecting: HistoryVersion?, in store: String) throws -> Bool {
        try write(store) { store, transaction in
            let expectation = expecting.map {
                RecordUpdate.Expectation.revision(
                    sequence: $0.sequence, subsequence: $0.subsequence)
            }
            return try store.purge(key, expecting: expectation, in: transaction)
        }
    }

    func setExpiration(_ time: Int64?, key: String, in store: String) throws -> Bool {
        try write(store) { try $0.setExpiration(time, of: key, in: $1) }
    }

    func purgeExpired(at time: Int64, in store: String) throws -> Int {
        try write(store) { try $0.purgeExpired(at: time, in: $1) }
    }

    func move(_ key: String, from store: String, to target: String) throws -> HistoryMoved {
        try write(store) { store, transaction in
            let result = try store.move(
                key, to: KeyStore(KeyStoreName(target)), in: transaction)
            return switch result {
            case nil: .missing
            case .conflict: .conflict
            case .saved(let sequence, _): .moved(sequence: sequence)
            }
        }
    }

    func putRaw(_ key: String, _ content: HistoryContent, in store: String) throws {
        try write(store) { store, transaction in
            let record = RawRecord(version: content.version, body: content.body)
            try store.putRaw(record, for: key, in: transaction)
        }
    }
}

extension DataFileDriver {
    func get(_ key: String, _ level: HistoryLevel, in store: String) throws -> HistoryRecord? {
        try read(store) {
            try $0.get(key, content: level.content, in: $1).map { HistoryRecord($0, level) }
        }
    }

    func get(
        sequence: Int64, _ level: HistoryLevel, in store: String
    ) throws -> HistoryRecord? {
        try read(store) {
            try $0.get(sequence: sequence, content: level.content, in: $1)
                .map { HistoryRecord($0, level) }
        }
    }

    func get(
        many keys: [String], _ level: HistoryLevel, in store: String
    ) throws -> [HistoryRecord?] {
        try read(store) {
            try $0.get(keys, content: level.content, in: $1).map { record in
                record.map { HistoryRecord($0, level) }
            }
        }
    }

    func getRaw(_ key: String, in store: String) throws -> HistoryContent? {
        try read(store) {
            try $0.getRaw(key, in: $1).map { HistoryContent(version: $0.version, body: $0.body) }
        }
    }

    func enumerate(_ query: HistoryQuery, in store: String) throws -> [HistoryRecord] {
        var options = RecordEnumerator.Options()
        options.order =
            switch query.order {
            case .key: .key
            case .sequence: .sequence
            case .unsorted: .unsorted
            }
        options.descending = query.descending
        if query.order == .key {
            options.startKey = query.startKey
            options.endKey = query.endKey
        }
        if query.order == .sequence {
            let (start, end) = (query.startSequence, query.endSequence)
            let low = (query.descending ? end : start) ?? 0
            let high = (query.descending ? start : end) ?? .max
            guard low <= high else { return [] }
            options.sequences = low...high
        }
        options.limit = query.limit
        options.includesDeleted = query.includesDeleted
        options.conflictedOnly = query.onlyConflicted
        options.withAttachmentsOnly = query.onlyWithAttachments
        options.content = query.level.content
        return try read(store) { store, snapshot in
            let enumerator = try store.records(options, in: snapshot)
            var records: [HistoryRecord] = []
            while let record = try enumerator.next() {
                records.append(HistoryRecord(record, query.level))
            }
            return records
        }
    }

    func count(in store: String) throws -> HistoryCount {
        let count = try read(store) { try $0.count(in: $1) }
        return HistoryCount(live: count.live, deleted: count.deleted)
    }

    func lastSequence(in store: String) throws -> Int64 {
        try read(store) { try $0.lastSequence(in: $1) }
    }

    func purgeCount(in store: String) throws -> Int64 {
        try read(store) { try $0.purgeCount(in: $1) }
    }

    func nextExpiration(in store: String) throws -> Int64? {
        try read(store) { try $0.nextExpiration(in: $1) }
    }
}

extension HistoryLevel {
    fileprivate var content: RecordContent {
        switch self {
        case .metadata: .metadata
        case .body: .body
        case .all: .all
        }
    }
}

extension HistorySaved {
    fileprivate init(_ result: PutResult) {
        self =
            switch result {
            case .saved(let sequence, let subsequence):
                .saved(sequence: sequence, subsequence: subsequence)
            case .conflict: .conflict
            }
    }
}

extension HistoryRecord {
    fileprivate init(_ record: Record, _ level: HistoryLevel) {
        self.init(
            key: record.key, sequence: record.sequence, subsequence: record.subsequence,
            flags: record.flags,
            content: HistoryContent(
                version: record.version, body: level == .metadata ? [] : record.body ?? [],
                extra: level == .all ? record.extra ?? [] : []),
            expiration: record.expiration)
    }
}
