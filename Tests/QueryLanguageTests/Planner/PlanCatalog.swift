import DataFileCore
import QueryLanguage
import StoreFormat

/// A file with the collections `people` and `orders`, and with an index of each kind.
final class PlanCatalog: QueryCatalog {
    /// Whether the default collection may have tombstones among its documents.
    var mayHaveLiveTombstones = false

    func defaultTable() throws -> QueryTable {
        QueryTable(
            store: .default, live: "kv_default", tombstones: "kv_del_default",
            mayHaveLiveTombstones: mayHaveLiveTombstones, hasExpiration: true,
            indexes: QueryIndexes())
    }

    func table(_ name: QueryCollectionName) throws -> QueryTable {
        switch name.text {
        case "_": return try defaultTable()
        case "people": return Self.table("people", Self.people)
        case "orders": return Self.table("orders", QueryIndexes())
        default: throw StoreError(.notFound, "there is no collection \(name.text)")
        }
    }

    private static func table(_ name: String, _ indexes: QueryIndexes) -> QueryTable {
        QueryTable(
            store: keyStoreName(name), live: "kv_." + name,
            tombstones: "kv_del_." + name, mayHaveLiveTombstones: false, hasExpiration: true,
            indexes: indexes)
    }

    private static func keyStoreName(_ name: String) -> KeyStoreName {
        (try? CollectionName(name).keyStoreName) ?? .default
    }

    /// The indexes of `people`.
    private static var people: QueryIndexes {
        var indexes = QueryIndexes()
        indexes.add("byAge", "age")
        indexes.add("byState", "contact.address.state")
        indexes.add("byName", "name.last", "name.first")
        indexes.add("byLowercaseName", "lower(name.last)")
        indexes.add("byEmail", "email")
        indexes.add("byEmailText", "tostring(email)")
        let likes = QueryIndexes.ElementTable(
            sqlName: "likes_elements", path: "likes", title: "the elements of likes",
            expressions: ["fl_unnested_value(body)"], leading: ["fl_unnested_value(body)"])
        let orders = QueryIndexes.ElementTable(
            sqlName: "items_elements", path: "items", title: "the elements of items",
            expressions: ["fl_unnested_value(body, 'price')"],
            leading: ["fl_unnested_value(body, 'price')"])
        indexes.arrays = ["likes": likes, "items": orders]
        indexes.words = ["bio": .init(sqlName: "people_bio")]
        indexes.predictions = [
            "prediction('age', dict_of('photo', fl_value(body, 'photo')))": "people_predictions"
        ]
        indexes.vectors = [
            "fl_value(body, 'face')": [.init(sqlName: "people_faces", metric: "euclidean2")]
        ]
        return indexes
    }
}

extension QueryIndexes {
    /// Adds a value index on expressions in SQL++.
    fileprivate mutating func add(_ name: String, _ texts: String...) {
        for (number, text) in texts.enumerated() {
            guard let sql = try? SQLPPParser.expressions(text).first?.indexSQL()
            else { continue }
            add(sql, of: name)
            guard number == 0 else { continue }
            leading.insert(sql)
            names[sql] = name
        }
    }
}
