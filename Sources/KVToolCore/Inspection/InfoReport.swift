package import DocumentStore
internal import SQLCore
internal import StoreTools

/// The report of `info`.
package struct InfoReport: Sendable {
    /// The level of detail.
    package enum Detail: Int, Comparable, Sendable {
        case plain, sizes, histogram

        package static func < (left: Detail, right: Detail) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// A collection and its counts.
    struct Row: Sendable {
        let name: CollectionName
        /// Nil if the tables cannot be read.
        var counts: (live: Int, deleted: Int)?
        var lastSequence: Int64?
        /// Counts that need a scan of all rows.
        var contents: Contents?
    }

    /// The size of a collection, and the number of its documents with certain properties.
    struct Contents: Sendable {
        var bodyBytes = 0
        var extraBytes = 0
        var expiring = 0
        var withBlobs = 0
        var conflicted = 0
    }

    let path: String
    let size: FileSize
    /// The number of bytes at the end of the WAL that are not used.
    let unreadWALBytes: Int
    /// Nil if it cannot be read.
    private(set) var info: FileInfo?
    let isEncrypted: Bool
    let detail: Detail
    private(set) var collections: [Row] = []
    private(set) var indexes: [IndexInfo] = []
    private(set) var blobs = (count: 0, totalBytes: 0)
    /// Statistics that take longer to collect.
    private(set) var statistics: FileStatistics?
    private(set) var histogram = SizeHistogram()
    /// The errors of parts that could not be read.
    package private(set) var problems: [StoreError] = []

    /// - Parameter statistics: the statistics of the file, for more detail.
    package init(
        _ file: DataFile, _ snapshot: Snapshot, _ detail: Detail, _ statistics: FileStatistics?
    ) throws {
        path = file.path
        size = file.size
        unreadWALBytes = file.unreadWALBytes
        isEncrypted = file.options.encryption != nil
        self.detail = detail
        self.statistics = statistics
        blobs = (try? file.blobs.usage()) ?? blobs
        let stores = Dictionary(
            (statistics?.stores ?? []).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
        info = try noting { try snapshot.fileInfo() }
        for name in try noting({ try snapshot.collectionNames() }) ?? [] {
            var row = Row(name: name)
            let collection = DocumentCollection(name)
            row.counts = try noting { try collection.count(in: snapshot) }
            row.lastSequence = try noting { try collection.keyStore.lastSequence(in: snapshot) }
            if statistics != nil {
                let store = stores[name.keyStoreName]
                row.contents = try noting { try Contents(name, snapshot, store) }
            }
            collections.append(row)
            if detail >= .histogram { try count(name, snapshot) }
        }
        indexes = try noting { try snapshot.indexes() } ?? []
        do {
            try noting { _ = try snapshot.requireSharedKeys() }
        } catch let error as StoreError {
            add(error)
        }
    }

    /// Records a problem, once.
    package mutating func add(_ problem: StoreError) {
        if !problems.contains(where: { $0.message == problem.message }) { problems.append(problem) }
    }

    /// The result of `body`; nil if it fails because of damage or a table with an unexpected
    /// format.
    @discardableResult
    private mutating func noting<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as StoreError where error.has(.wrongFormat) || error.has(.corruptData) {
            add(error)
        } catch let error as SQLError where error.code.primary == .corrupt {
            add(
                StoreError(
                    .corruptData,
                    "\(path) is damaged (\(error.message)); restore it from a backup, or "
                        + "recover it",
                    underlying: error))
        }
        return nil
    }

    private mutating func count(_ name: CollectionName, _ snapshot: Snapshot) throws {
        var histogram = histogram
        try noting { try histogram.add(DocumentCollection(name), snapshot) }
        self.histogram = histogram
    }
}

extension InfoReport.Contents {
    fileprivate init(
        _ name: CollectionName, _ snapshot: Snapshot, _ store: FileStatistics.Store?
    ) throws {
        if let store {
            bodyBytes = store.bodyBytes
            extraBytes = store.extraBytes
            expiring = store.expiringRecords
        }
        let collection = DocumentCollection(name)
        withBlobs = try Self.count(collection, snapshot) { $0.withAttachmentsOnly = true }
        conflicted = try Self.count(collection, snapshot) { $0.conflictedOnly = true }
    }

    private static func count(
        _ collection: DocumentCollection, _ snapshot: Snapshot,
        _ choose: (inout RecordEnumerator.Options) -> Void
    ) throws -> Int {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        choose(&options)
        var count = 0
        try collection.records(options, in: snapshot).forEachRow { _ in
            count += 1
            return true
        }
        return count
    }
}
