internal import FleeceLite
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

/// By which platform's collation an index was built.
///
/// ICU's order changes with its versions, and Apple's is another one: an index that was built by
/// one is wrong by the other. LiteCore leaves no trace of it; this project notes it in `kv_info`,
/// where LiteCore passes over it.
package struct CollationVersions: Equatable {
    /// The version of the order by the name of the index.
    package private(set) var versions: [String: String] = [:]

    init() {}

    /// Reads a record; a damaged one says nothing of any index.
    package init(_ record: [UInt8]?) {
        guard let record, !record.isEmpty,
            let list = try? FleeceDocument(trusted: record).root.dictionary
        else { return }
        versions = list.reduce(into: [:]) { $0[$1.key] = $1.value.string }
    }

    /// Notes that an index was built here, and now.
    mutating func note(_ index: String) {
        versions[index] = Collations.currentVersion
    }

    /// Forgets an index that is in no order any more.
    mutating func forget(_ index: String) {
        versions[index] = nil
    }

    /// Forgets all other indexes.
    mutating func keep(_ indexes: Set<String>) {
        versions = versions.filter { indexes.contains($0.key) }
    }

    /// The record; nil if it would say nothing.
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

    /// Whether the text of an index asks for an order of a language.
    package static func usesLanguage(_ sql: String) -> Bool { sql.contains("LCUnicode_") }

    /// Notes that SQLite has built all its indexes again, by the connection of the caller in its
    /// transaction. What triggers have left out of a table stays out of it.
    static func noteAll(in context: SQLContext, path: String) throws {
        let old = CollationVersions(try StoreTable.info(InfoKey.collationVersions, in: context))
        var new = old
        let kept = try IndexRegistry.rowsIfReadable(in: context, path: path)
            .filter(\.isChosenByOrder).map(\.name)
        try context.forEach(SchemaSQL.indexTexts) { row in
            let name = row.text(at: 0) ?? ""
            if usesLanguage(row.text(at: 1) ?? ""), !kept.contains(name) { new.note(name) }
        }
        guard new != old, let record = try new.record() else { return }
        try InfoRow.set(InfoKey.collationVersions, to: record, in: context)
    }
}

extension Snapshot {
    /// By which order each index was built, as far as that is known.
    func collationVersions() throws -> CollationVersions {
        CollationVersions(try info(InfoKey.collationVersions))
    }

    /// Whether an index may stand in another platform's order.
    func hasOtherCollationVersion(_ index: IndexRow, _ orders: CollationVersions) throws -> Bool {
        try usesLanguage(index) && orders.versions[index.name] != Collations.currentVersion
    }

    /// Whether the index is in an order of a language, or what is in it depends on one.
    fileprivate func usesLanguage(_ index: IndexRow) throws -> Bool {
        if index.isChosenByOrder { return true }
        let sql = try session().context.first(SchemaSQL.textOfName, [.text(index.name)]) {
            $0.text(at: 0)
        }
        return CollationVersions.usesLanguage((sql ?? nil) ?? "")
    }
}

extension IndexRow {
    /// Whether triggers choose by the order of a language what goes into the table of the index.
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
    /// Notes that an index was built here, and now.
    package func recordCollationVersion(of index: IndexRow) throws {
        try changeCollationVersions { orders in
            try usesLanguage(index) ? orders.note(index.name) : orders.forget(index.name)
        }
    }

    /// Forgets the order of all indexes but these.
    func keepCollationVersions(of indexes: [IndexRow]) throws {
        try changeCollationVersions { $0.keep(Set(indexes.map(\.name))) }
    }

    private func changeCollationVersions(_ change: (inout CollationVersions) throws -> Void) throws {
        let old = try collationVersions()
        var new = old
        try change(&new)
        if new != old { try setInfo(InfoKey.collationVersions, new.record()) }
    }
}
