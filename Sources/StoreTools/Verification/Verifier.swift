internal import DataFileCore
internal import FleeceLite
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

/// Checks a file and reports what is wrong, without changing it.
///
/// Unreadable parts are findings, and the remaining parts are checked nevertheless.
final class Verifier {
    let connection: Connection
    let context: SQLContext
    let options: VerificationOptions
    let sink: VerificationSink
    let blobs: any BlobStorage
    /// The bundle's path, for error messages.
    let path: String
    /// The current time in milliseconds since 1970.
    let now: Int64
    /// The latest plausible time of a version.
    let latestPlausible: LogicalTime
    let progress: VerificationTicker

    // State of the file that is determined step by step.

    var schemaVersion = SchemaSQL.currentVersion
    private(set) var tables: [StoreTable] = []
    private(set) var objects: [SchemaObject] = []
    private var tablesOfStores: [KeyStoreName: [StoreTable]] = [:]
    private var objectsByName: [ExactString: [SchemaObject]] = [:]
    /// The objects that another program has added to the schema.
    var foreign: [ForeignObject] = []
    /// The indexes of the registry.
    var registered: [IndexRow] = []
    /// Vector indexes of a later version.
    var unsupported: [IndexRow] = []
    /// The shared keys; nil if they are damaged.
    var sharedKeys: SharedKeys? = SharedKeys()
    /// The last row of the default collection's live table that may be a tombstone.
    var unmovedTombstones = InfoRow.Number.missing
    /// The tables with damaged pages according to SQLite. They are not queried by SQL that might
    /// not terminate.
    var damagedTables: Set<ExactString> = []
    /// The full-text indexes whose words are wrong according to SQLite.
    var damagedWords: Set<ExactString> = []
    /// The references of documents to blobs.
    let blobUse: BlobUse

    init(
        _ connection: Connection, options: VerificationOptions, blobs: any BlobStorage, now: Int64,
        latestPlausible: LogicalTime, progress: VerificationTicker, sink: VerificationSink
    ) {
        self.connection = connection
        context = connection.context
        path = connection.path
        self.options = options
        self.blobs = blobs
        self.now = now
        self.latestPlausible = latestPlausible
        self.progress = progress
        self.sink = sink
        blobUse = BlobUse(blobs, sink)
    }

    /// Throws `CancellationError`, and `SQLError` for errors other than damage: a lock, a lack of
    /// memory.
    func run() throws -> VerificationReport {
        let failures = connection.failures
        let (mark, wasStrict) = (failures.mark, failures.isStrict)
        defer {
            failures.restore(mark)
            failures.isStrict = wasStrict
        }
        try attempt("the schema") { foreign = try ForeignSchema.find(in: context, path: path) }
        try attempt("the list of lenient predictive models (kv_info)") { try allowFailures() }
        // Before the snapshot begins: blobs that are put meanwhile are not taken for unused.
        try attempt("the directory of blobs") { try blobUse.list() }
        try attempt("the shared keys") { try checkSharedKeys() }
        try attempt("the list of indexes") { try readIndexes() }
        connection.functions.forgetKeys()
        guard !foreign.isEmpty, !connection.trustsSchema else { return try checkAll() }
        // Expressions that another program has added may compute values without limit.
        let longest = try ForeignSchema.longestValue(in: context)
        return try context.withLongestValue(longest) { try checkAll() }
    }

    private func checkAll() throws -> VerificationReport {
        // Outside the snapshot, which SQLite could not end after the check.
        try attempt("SQLite's check") { try checkPages() }
        try context.exec(sql: "BEGIN")
        defer { context.rollback() }
        try attempt("the schema") { try readSchema() }
        try attempt("the counters and settings (kvmeta, kv_info)") { try checkFileState() }
        try attempt("the shared keys") { try readSharedKeys() }
        try attempt("the list of indexes") { try readIndexes() }
        try checkStores()
        try checkIndexes()
        try attempt("blobs") { try checkBlobs() }
        return sink.report
    }

    /// Allows the failures of models that may leave documents out of indexes.
    private func allowFailures() throws {
        let bytes = try StoreTable.info(InfoKey.lenientModels, in: context) ?? []
        guard !bytes.isEmpty, let list = try? FleeceDocument(trusted: bytes).root.array else {
            return
        }
        connection.failures.setLenient(Set(list.compactMap(\.string)))
        connection.failures.isStrict = false
    }

    private func readSchema() throws {
        schemaVersion = try context.schemaVersion()
        tables = try StoreTable.all(in: context)
        objects = try SchemaObject.all(in: context)
        tablesOfStores = Dictionary(grouping: tables, by: \.store)
        objectsByName = Dictionary(grouping: objects) { ExactString($0.name) }
        unmovedTombstones = try InfoRow.number(InfoKey.unmovedTombstones, in: context)
    }

    private func readIndexes() throws {
        do {
            let registry = try IndexRegistry(context, path: path)
            (registered, unsupported) = (try registry.rows(), try registry.unsupportedVectorRows())
        } catch let error as StoreError where error.has(.wrongFormat) {
            registered = []
            guard context.isInTransaction else { return }
            sink.add(.notATable, error.message, object: "indexes")
        }
    }

    /// Runs a part of the verification. An error that ends it is noted, and the next part can
    /// begin.
    func attempt(_ subject: String, _ body: () throws -> Void) throws {
        do {
            try context.checkCancellation()
            try body()
        } catch let error as SQLError where .tooBig ~= error.code && !foreign.isEmpty {
            sink.skip(subject, "a value would be longer than the whole file; \(foreign[0].message)")
        } catch let error as SQLError where error.isDamage {
            sink.add(.damagedPage, "\(subject) cannot be read: \(error.message)")
        } catch let error as SQLError where error.isMisfit {
            sink.skip(subject, "SQLite reports: \(error.message)")
        } catch let error as StoreError {
            sink.skip(subject, error.message)
        } catch let error as FleeceError {
            sink.skip(subject, error.message)
        }
    }

    /// Whether damaged pages of a table were found.
    func isDamaged(_ table: String) -> Bool { damagedTables.contains(ExactString(table)) }

    /// The objects in the schema with a name.
    func objects(named name: String) -> [SchemaObject] { objectsByName[ExactString(name)] ?? [] }

    /// Whether the file has a real table with this name.
    func hasTable(_ name: String) -> Bool {
        objects(named: name).contains { $0.type == "table" && $0.hasPages }
    }

    /// The table of a store.
    func table(of store: KeyStoreName, isTombstone: Bool) -> StoreTable? {
        tablesOfStores[store]?.first { $0.isTombstone == isTombstone }
    }
}

/// Reports progress to a caller, who can cancel.
final class VerificationTicker {
    private let onProgress: ((VerificationProgress) -> Bool)?
    private var rows = 0
    /// The number of rows to check.
    var allRows = 0

    init(_ onProgress: ((VerificationProgress) -> Bool)?) {
        self.onProgress = onProgress
    }

    /// Counts a row as checked.
    @inline(__always)
    func tick(_ context: SQLContext) throws {
        rows &+= 1
        if rows & 0xFF == 0 { try look(context) }
    }

    /// Throws `CancellationError` if the caller has cancelled.
    @inline(never)
    private func look(_ context: SQLContext) throws {
        try context.checkCancellation()
        if rows & 0x3FF == 0 { try report() }
    }

    /// Reports the progress.
    func report() throws {
        let progress = VerificationProgress(rows: rows, allRows: max(rows, allRows))
        guard onProgress?(progress) ?? true else { throw CancellationError() }
    }
}
