package import DataFileCore
internal import FleeceLite
package import QueryEngine
internal import StoreTestSupport
internal import Testing

/// A file with documents to query.
package struct QueryFixture {
    package let store: StoreFixture
    package let file: DataFile

    package init(_ documents: [(id: String, json: String)] = []) throws {
        store = try StoreFixture()
        file = try store.open()
        try add(documents)
    }

    /// The file of a store, on new connections.
    package init(reopening store: StoreFixture) throws {
        self.store = store
        file = try store.open(.readOnly)
    }

    package func add(_ documents: [(id: String, json: String)]) throws {
        try file.write { transaction in
            for (id, json) in documents {
                _ = try store.people.save(id, in: transaction) { try $0.writeJSON(json) }
            }
        }
    }

    package func createIndex(_ spec: IndexSpec) throws {
        _ = try file.write { try store.people.createIndex(spec, in: $0) }
    }

    /// The rows as JSON objects.
    package func rows(_ query: Query, _ parameters: QueryParameters = [:]) throws -> [String] {
        try file.read { try query.rows(in: $0, parameters).all().map { try $0.json() } }
    }

    package func rows(_ text: String, _ parameters: QueryParameters = [:]) throws -> [String] {
        try rows(Query(text), parameters)
    }

    package func plan(_ text: String, _ parameters: QueryParameters = [:]) throws -> QueryPlan {
        try file.read { try Query(text).explain(in: $0, parameters) }
    }
}
