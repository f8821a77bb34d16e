internal import FleeceLite
internal import SQLCore

/// By which platform's order of texts an index was built.
///
/// ICU's order changes with its versions, and Apple's is another one: an index that was built by
/// one is wrong by the other. LiteCore leaves no trace of it; this project notes it in `kv_info`,
/// where LiteCore passes over it.
enum TextOrders {
    /// Whether the text of an index asks for an order of a language.
    static func usesLanguage(_ sql: String) -> Bool { sql.contains("LCUnicode_") }
}

extension Snapshot {
    /// The version of the order by the name of the index.
    func textOrders() throws -> [String: String] {
        guard let bytes = try info(InfoKey.textOrders), !bytes.isEmpty,
            let list = try? FleeceDocument(trusted: bytes).root.dictionary
        else { return [:] }
        return list.reduce(into: [:]) { $0[$1.key] = $1.value.string }
    }

    /// Whether an index may stand in another platform's order.
    func hasOtherOrder(_ index: String, _ orders: [String: String]) throws -> Bool {
        let sql = try session().context.first(SchemaSQL.textOfName, [.text(index)]) {
            $0.text(at: 0) ?? ""
        }
        guard let sql, TextOrders.usesLanguage(sql) else { return false }
        return orders[index] != Collations.orderVersion
    }
}

extension Transaction {
    /// Notes that indexes were built here, and now.
    func noteTextOrder(of indexes: [String]) throws {
        var orders = try textOrders()
        let context = try session().context
        for index in indexes {
            let sql = try context.first(SchemaSQL.textOfName, [.text(index)]) { $0.text(at: 0) }
            guard let sql = sql ?? nil, TextOrders.usesLanguage(sql) else { continue }
            orders[index] = Collations.orderVersion
        }
        guard try orders != textOrders() else { return }
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (index, version) in orders.sorted(by: { $0.key < $1.key }) {
            try encoder.writeKey(index)
            encoder.writeString(version)
        }
        try encoder.endDictionary()
        try putInfo(InfoKey.textOrders, try encoder.finish())
    }
}
