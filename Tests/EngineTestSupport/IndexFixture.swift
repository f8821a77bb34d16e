package import DataFileCore
internal import FleeceLite
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat
internal import StoreTestSupport
internal import Testing

/// A data file whose indexes are read without the engine.
package struct IndexFixture: Sendable {
    package let engine: EngineFixture
    package let file: DataFile
    package let people = DocumentCollection(.default)

    package init(trustsSchema: Bool = false) throws {
        engine = try EngineFixture()
        file = try engine.open { $0.trustsSchema = trustsSchema }
    }

    /// Saves documents given as JSON.
    package func save(_ documents: [String: String], in collection: DocumentCollection? = nil)
        throws
    {
        try file.write { transaction in
            for (id, json) in documents.sorted(by: { $0.key < $1.key }) {
                _ = try (collection ?? people).save(id, in: transaction) { try $0.writeJSON(json) }
            }
        }
    }

    @discardableResult
    package func create(_ spec: IndexSpec, in collection: DocumentCollection? = nil) throws -> Bool
    {
        try file.write { try (collection ?? people).createIndex(spec, in: $0) }
    }

    @discardableResult
    package func drop(_ name: String, in collection: DocumentCollection? = nil) throws -> Bool {
        try file.write { try (collection ?? people).deleteIndex(name, in: $0) }
    }

    /// The names of the collection's indexes.
    package func names(in collection: DocumentCollection? = nil) throws -> [String] {
        try file.read { try (collection ?? people).indexes(in: $0).map(\.name) }
    }

    /// All names of the schema except those that SQLite and FTS4 create internally, by name.
    package func schema() throws -> [String] {
        let suffixes = SchemaSQL.fullTextSuffixes
        return try engine.rows("SELECT name FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
            .filter { name in !suffixes.contains { name.hasSuffix($0) } }
    }

    /// All names of the schema, including those of FTS4.
    package func wholeSchema() throws -> Set<String> {
        Set(try engine.rows("SELECT type || ' ' || name FROM sqlite_master"))
    }

    /// The SQL text of a schema entry; nil if it does not exist.
    package func text(_ name: String) throws -> String? { try engine.sqlite().schemaText(name) }

    /// The elements in the table of an array index, by document and position.
    package func elements(_ plainName: String) throws -> [String] {
        let table = ArrayTable.name(ofPlain: plainName).sqlName
        return try engine.rows("SELECT docid, i, body FROM \(table) ORDER BY docid, i")
    }

    /// The rows of a query on a connection with this project's functions.
    package func query(_ sql: String) throws -> [String] {
        try file.read { try $0.connection().context.lines(sql) }
    }

    /// The documents that contain a word, by a full-text index.
    package func documents(_ word: String, _ index: String = "words") throws -> [String] {
        let table = ("kv_default::" + KeyStoreName.mangled(index)).sqlName
        return try query(
            "SELECT key FROM kv_default WHERE rowid IN (SELECT docid FROM \(table) "
                + "WHERE \(table) MATCH \(word.sqlLiteral)) ORDER BY key")
    }

    /// Whether the whole file is intact, including its indexes.
    package func isSound() throws -> Bool { try query("PRAGMA integrity_check") == ["ok"] }
}

/// An index of each kind, of the property `a`.
package enum IndexSample: CaseIterable, CustomTestStringConvertible, Sendable {
    case value, fullText, array, predictive

    package var testDescription: String { "\(self)" }

    /// The name, which is unique to the kind.
    package var name: String { "by_\(self)" }

    package func spec(_ name: String? = nil, where condition: String? = nil) -> IndexSpec {
        let name = name ?? self.name
        return switch self {
        case .value: .value(name, on: "a, b", where: condition)
        case .fullText: .fullText(name, on: "a, b", .init(language: "en"), where: condition)
        case .array: .array(name, path: "a[].b", on: "c", where: condition)
        case .predictive:
            .predictive(name, on: "PREDICTION('index_echo', {'n': a}, .n)", where: condition)
        }
    }

    /// Registers the model of the predictive index, which returns its input, until the tests end,
    /// since suites run in parallel.
    package static func registerModel() {
        let model = ClosureModel { input in
            var answer: MutableFleeceValue = [:]
            answer["n"] = input["n"].map { .value($0) }
            return answer
        }
        PredictiveModels.register(model, as: "index_echo")
    }
}
