internal import FleeceLite
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

/// The versions of the collations with which the indexes were built.
///
/// ICU's collations change between its versions, and Apple's differ from ICU's, so an index that
/// was built with one is invalid for another. LiteCore does not record the version; this project
/// records it in `kv_info`, where LiteCore ignores it.
package struct CollationVersions: Equatable {
    /// The collation version by the name of the index.
    package private(set) var versions: [String: String] = [:]

    init() {}

    /// Reads a record. A damaged record is treated as empty.
    package init(_ record: [UInt8]?) {
        guard let record, !record.isEmpty,
            let list = try? FleeceDocument(trusted: record).root.dictionary
        else { return }
        versions = list.reduce(into: [:]) { $0[$1.key] = $1.value.string }
    }

    /// Records that an index was built with the current collations.
    mutating func note(_ index: String) {
        versions[index] = Collations.currentVersion
    }

    /// Removes an index that does not use a collation any more.
    mutating func forget(_ index: String) {
        versions[index] = nil
    }

    /// Removes all indexes except these.
    mutating func keep(_ indexes: Set<String>) {
        versions = versions.filter { indexes.contains($0.key) }
    }

    /// The encoded record; nil if it would be empty.
    func record() throws -> [UInt8]? {
        guard !versions.isEmpty else { return nil }
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (index, version) in versions.sorted(by: { $0.key < $1.key }) {
            try encoder.writeKey(index)
            encoder.writeString(version)
        }
        try encoder.endDictionary()
        return try encoder.finish()
    }

    /// Whether the SQL of an index uses a language's collation.
    package static func usesLanguage(_ sql: String) -> Bool { sql.contains("LCUnicode_") }

    /// Records that SQLite has rebuilt all its own indexes, on the caller's connection and in its
    /// transaction. Rows that a trigger has left out of a table are not restored by that.
    static func noteAll(in context: SQLContext, path: String) throws {
        let old = CollationVersions(try StoreTable.info(InfoKey.collationVersions, in: context))
        var new = old
        let unchanged = try IndexRegistry.rowsIfReadable(in: context, path: path)
            .filter(\.isChosenByOrder).map(\.name)
        try context.forEach(SchemaSQL.indexTexts) { row in
            let name = row.text(at: 0) ?? ""
            if usesLanguage(row.text(at: 1) ?? ""), !unchanged.contains(name) { new.note(name) }
        }
        guard new != old, let record = try new.record() else { return }
        try InfoRow.set(InfoKey.collationVersions, to: record, in: context)
    }
}

extension Snapshot {
    /// The collation version with which each index was built, as far as it is recorded.
    func collationVersions() throws -> CollationVersions {
        CollationVersions(try info(InfoKey.collationVersions))
    }

    /// Whether an index may have been built with another version of its collation.
    func hasOtherCollationVersion(_ index: IndexRow, _ built: CollationVersions) throws -> Bool {
        try usesLanguage(index) && built.versions[index.name] != Collations.currentVersion
    }

    /// Whether the index uses a language's collation, or its contents depend on one.
    fileprivate func usesLanguage(_ index: IndexRow) throws -> Bool {
        if index.isChosenByOrder { return true }
        let sql = try connection().context.first(SchemaSQL.textOfName, [.text(index.name)]) {
            $0.text(at: 0)
        }
        return CollationVersions.usesLanguage((sql ?? nil) ?? "")
    }
}

extension IndexRow {
    /// Whether the condition in the triggers of the index uses a language's collation.
    fileprivate var isChosenByOrder: Bool {
        guard kind != .value else { return false }
        var isOrdered = false
        definition?.condition?.visit {
            if case .collate(let order, _) = $0, order.isUnicode { isOrdered = true }
        }
        return isOrdered
    }
}

extension Transaction {
    /// Records that an index was built with the current collations.
    package func recordCollationVersion(of index: IndexRow) throws {
        try changeCollationVersions { versions in
            try usesLanguage(index) ? versions.note(index.name) : versions.forget(index.name)
        }
    }

    /// Removes the recorded versions of all indexes except these.
    func keepCollationVersions(of indexes: [IndexRow]) throws {
        try changeCollationVersions { $0.keep(Set(indexes.map(\.name))) }
    }

    private func changeCollationVersions(
        _ change: (inout CollationVersions) throws -> Void
    ) throws {
        let old = try collationVersions()
        var new = old
        try change(&new)
        if new != old { try setInfo(InfoKey.collationVersions, new.record()) }
    }
}
