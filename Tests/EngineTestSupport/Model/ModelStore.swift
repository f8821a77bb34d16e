internal import DataFileCore
internal import FleeceLite
package import QueryEngine
internal import QueryFunctions
internal import StoreTestSupport

/// The documents in a data file, which are queried with the engine.
package final class ModelStore {
    let file: DataFile
    private let directory: TemporaryDirectory
    package var hasIndexes = false

    package init(_ documents: [String: [ModelDocument]]) throws {
        PredictiveModels.register(ModelIndexes.Measure(), as: ModelIndexes.Measure.name)
        directory = try TemporaryDirectory()
        file = try DataFile(
            path: directory("model.cblite2"), options: DataFileOptions(access: .create))
        try file.write { transaction in
            for (name, documents) in documents {
                let collection = try Self.collection(name)
                if name != ModelDocuments.things { try collection.create(in: transaction) }
                for document in documents {
                    let json = document.body.json(isSigned: false)
                    _ = try collection.save(document.id, in: transaction) { try $0.writeJSON(json) }
                }
            }
        }
    }

    deinit { file.close() }

    /// The collection with a full name.
    static func collection(_ name: String) throws -> DocumentCollection {
        if name == ModelDocuments.things { return DocumentCollection(.default) }
        let isPlain = name.hasPrefix("_default.")
        return DocumentCollection(try CollectionName(isPlain ? String(name.dropFirst(9)) : name))
    }

    package func rows(_ query: Query, _ parameters: [String: ModelValue]) throws -> [[ModelValue]] {
        let parameters = QueryParameters(try parameters.mapValues { try $0.queryValue })
        return try file.read { snapshot in
            let rows = try query.rows(in: snapshot, parameters)
            var found: [[ModelValue]] = []
            while let row = try rows.next() {
                found.append((0..<row.count).map { ModelValue(row[$0]) })
            }
            return found
        }
    }

    /// The SQL that the engine runs.
    package func sql(_ query: Query) -> String {
        (try? file.read { try query.sql(in: $0) }) ?? "no SQL"
    }
}

extension ModelValue {
    var queryValue: QueryValue {
        get throws {
            switch self {
            case .missing: .missing
            case .null: .null
            case .boolean(let bool): .boolean(bool)
            case .integer(let number): .integer(number)
            case .unsigned(let number): .unsigned(number)
            case .real(let number): .real(number)
            case .text(let text): .string(text.string)
            case .data(let bytes): .data(bytes)
            case .array, .object: try QueryValue(json: json(isSigned: false))
            }
        }
    }
}
