package import DocumentStore
package import StoreTools

/// The report of `stat`.
package struct SizeReport: OneReport, Sendable {
    let path: String
    let size: FileSize
    let statistics: FileStatistics
    private let treesOfTables: [String: [FileStatistics.Tree]]
    let blobs: (count: Int, totalBytes: Int)
    /// The maximum number of properties in the report.
    let propertyLimit: Int
    private(set) var profiles: [(name: CollectionName, profile: SizeProfile)] = []
    private(set) var vectorIndexes: [(index: IndexInfo, statistics: VectorIndexStatistics)] = []

    package init(_ file: DataFile, _ statistics: FileStatistics, properties: Int) {
        path = file.path
        size = file.size
        self.statistics = statistics
        treesOfTables = Dictionary(grouping: statistics.trees ?? [], by: \.table)
        blobs = (try? file.blobs.usage()) ?? (0, 0)
        propertyLimit = properties
    }

    /// Adds the profile of a collection.
    package mutating func add(_ name: CollectionName, _ profile: SizeProfile) {
        profiles.append((name, profile))
    }

    /// Adds an index, if it is one of vectors.
    package mutating func add(_ index: IndexInfo, _ snapshot: Snapshot) throws {
        guard let statistics = try snapshot.vectorStatistics(of: index) else { return }
        vectorIndexes.append((index, statistics))
    }

    package var schema: String { "stat" }
    package let columns = [
        Column("name", "Table or index", isKey: true), Column("table", "Table"),
        Column("type", "Type"), Column("pages", "Pages", isNumber: true),
        Column("bytes", "Size", isNumber: true), Column("unusedBytes", "Unused", isNumber: true),
    ]

    /// The B-trees, the largest first.
    package var rows: [[Cell]] {
        let trees = statistics.trees ?? []
        return trees.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }.map { tree in
            [
                .text(tree.name), .text(tree.table), .text(tree.isIndex ? "index" : "table"),
                .number(tree.pages), .bytes(tree.bytes), .bytes(tree.unusedBytes),
            ]
        }
    }

    var freeBytes: Int { statistics.freePages * statistics.pageSize }
}

// The stores.
extension SizeReport {
    static let storeColumns = [
        Column("store", "Store", isKey: true), Column("documents", "Documents", isNumber: true),
        Column("deleted", "Deleted", isNumber: true),
        Column("keyBytes", "Keys", isNumber: true), Column("bodyBytes", "Bodies", isNumber: true),
        Column("extraBytes", "Other revisions", isNumber: true),
        Column("tableBytes", "Tables", isNumber: true),
        Column("indexBytes", "Indexes", isNumber: true),
    ]

    var storeRows: [[Cell]] {
        statistics.stores.map { store in
            [
                .text(IndexText.collection(store.name)), .number(store.liveRecords),
                .number(store.tombstones), .bytes(store.keyBytes), .bytes(store.bodyBytes),
                .bytes(store.extraBytes), treeBytes(of: store.name, indexes: false),
                treeBytes(of: store.name, indexes: true),
            ]
        }
    }

    /// The size of the tables, or the indexes, of a store; empty if SQLite cannot determine it.
    private func treeBytes(of store: KeyStoreName, indexes: Bool) -> Cell {
        let mangled = store.rawName.unicodeScalars.map {
            ("A"..."Z").contains($0) ? "\\\($0)" : "\($0)"
        }.joined()
        return bytes(of: ["kv_" + mangled, "kv_del_" + mangled]) { $0.isIndex == indexes }
    }

    /// The size of the B-trees of tables; empty if SQLite cannot determine it.
    private func bytes(
        of tables: [String], where isIncluded: (FileStatistics.Tree) -> Bool = { _ in true }
    ) -> Cell {
        guard statistics.trees != nil else { return .none }
        let trees = tables.flatMap { treesOfTables[$0] ?? [] }.filter(isIncluded)
        return .bytes(trees.reduce(0) { $0 + $1.bytes })
    }
}

// Vector indexes.
extension SizeReport {
    static let vectorColumns = [
        Column("name", "Vector index", isKey: true), Column("collection", "Collection"),
        Column("vectors", "Vectors", isNumber: true),
        Column("cells", "Cells", isNumber: true), Column("changed", "Changed", isNumber: true),
        Column("withoutValue", "No value", isNumber: true),
        Column("leftOut", "Left out", isNumber: true),
        Column("bytes", "Size", isNumber: true),
    ]

    var vectorRows: [[Cell]] {
        vectorIndexes.map { index, statistics in
            [
                .text(index.name), .text(IndexText.collection(index.keyStore)),
                .number(statistics.vectors), .number(statistics.cells),
                .number(statistics.changed), .number(statistics.withoutValue),
                .number(statistics.leftOut), bytes(of: index.vectorTables),
            ]
        }
    }
}
