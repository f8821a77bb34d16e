internal import SQLCore
package import StoreFormat

/// The tables of a vector index, beside those of LiteCore, which ignores tables with a colon in
/// their names.
///
/// | table | contents |
/// |---|---|
/// | `…:pending (docid)` | documents changed since they were indexed, by plain triggers |
/// | `…:vectors (docid, cell, spill, vector)` | a copy of each vector, and its two cells |
/// | `…:cells (cell, centroid)` | the cells; none in a small index |
/// | `…:postings (id, entries)` | the codes of each cell's vectors, in rows that fit a page |
///
/// The triggers call no functions, so that any program can write to the collection: it leaves the
/// documents in `pending`.
package struct VectorTables: Sendable {
    /// The quoted names.
    package let pending, vectors, cells, postings: String
    /// The name of the table of pending documents, to which the triggers belong.
    package let pendingName: String
    /// All names.
    package let names: [String]

    package init(base: String) {
        let suffixes = ["pending", "vectors", "cells", "postings"]
        names = suffixes.map { base + ":" + $0 }
        pendingName = names[0]
        let sqlNames = names.map { "main." + $0.sqlName }
        (pending, vectors, cells, postings) = (sqlNames[0], sqlNames[1], sqlNames[2], sqlNames[3])
    }

    /// The beginning of the names of an index's tables.
    package static func base(_ index: String, of store: KeyStoreName) -> String {
        store.tableName + ":vectors:" + KeyStoreName.mangled(index)
    }

    /// Creates the table of pending documents.
    package var createPending: String {
        "CREATE TABLE \(pendingName.sqlName) (docid INTEGER PRIMARY KEY)"
    }

    /// Creates the other tables.
    package var createOthers: [(name: String, sql: String)] {
        let columns = [
            "docid INTEGER PRIMARY KEY, cell INTEGER NOT NULL, spill INTEGER NOT NULL, "
                + "vector BLOB NOT NULL",
            "cell INTEGER PRIMARY KEY, centroid BLOB NOT NULL",
            "id INTEGER PRIMARY KEY, entries BLOB NOT NULL",
        ]
        return zip(names.dropFirst(), columns).map { ($0, "CREATE TABLE \($0.sqlName) (\($1))") }
    }
}
