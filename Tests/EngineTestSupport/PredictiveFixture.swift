package import DataFileCore
internal import FleeceLite
internal import Logging
package import SQLCore
package import Testing

/// A data file with predictive indexes.
package struct PredictiveFixture {
    package let engine: EngineFixture
    package let people = DocumentCollection(.default)
    package let log = Messages()

    package init() throws {
        engine = try EngineFixture()
    }

    package func open(_ access: DataFileOptions.Access = .readWrite) throws -> DataFile {
        try engine.open(access) { options in
            options.logger = Logger(label: "test") { _ in log }
        }
    }

    /// Saves a document unconditionally.
    package func save(_ id: String, _ json: String, in file: DataFile) throws {
        try file.write { try save(id, json, in: $0) }
    }

    package func save(_ id: String, _ json: String, in transaction: Transaction) throws {
        _ = try people.save(id, in: transaction) { try $0.writeJSON(json) }
    }

    @discardableResult
    package func create(_ spec: IndexSpec, in file: DataFile) throws -> Bool {
        try file.write { try people.createIndex(spec, in: $0) }
    }

    /// The names of all schema entries of predictive indexes.
    package func things() throws -> [String] {
        try engine.rows(
            "SELECT type || ' ' || name FROM sqlite_master WHERE tbl_name LIKE '%:predict:%' "
                + "OR name LIKE '%:predict:%' ORDER BY 1")
    }

    /// The results that an index stores: `id=JSON`, by id.
    package func answers(_ index: String) throws -> [String] {
        let context = try engine.sqlite()
        let table = try #require(
            try context.selectValue(
                sql: "SELECT indexTableName FROM indexes WHERE name=?", parameters: [.text(index)]
            )?.textValue)
        return try context.selectAll(
            sql: "SELECT key, p.body, p.docid FROM \(table.sqlName) AS p "
                + "LEFT JOIN kv_default ON kv_default.rowid=docid ORDER BY key"
        ).map { row in
            "\(row[0].textValue ?? "nobody")=\(try Self.json(row[1]))"
        }
    }

    private static func json(_ value: SQLValue) throws -> String {
        guard case .blob(let bytes) = value else { return value.textValue ?? "\(value)" }
        return try bytes.isEmpty ? "null" : FleeceDocument(trusted: [UInt8](bytes)).root.json()
    }

    /// The models that may fail, according to `kv_info`.
    package func lenientModels(_ file: DataFile) throws -> Set<String> {
        try file.read { try $0.lenientModels() }
    }

    /// The result of a model for the input `{}`, in a query on the connection of a snapshot.
    package static func ask(_ model: String, in snapshot: Snapshot) throws -> SQLValue? {
        try snapshot.connection().context.selectValue(
            sql: "SELECT prediction(\(model.sqlLiteral), dict_of())")
    }

    /// Checks that the file is intact: each index row has a document, and SQLite finds no errors.
    package func expectWhole(_ file: DataFile, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let report = try file.integrityCheck()
        #expect(
            report.isIntact && report.uncheckedIndexes == nil, "\(report.findings)",
            sourceLocation: sourceLocation)
        #expect(
            try engine.rows(
                "SELECT key FROM kv_default INTERSECT SELECT key FROM kv_del_default") == [],
            sourceLocation: sourceLocation)
    }
}

extension IndexSpec {
    /// An index of the results of a model for the property `n`.
    package static func ofNumber(
        _ name: String, _ model: String, _ property: String? = nil,
        _ failure: PredictiveOptions.Failure = .refusesWrite, where condition: String? = nil
    ) -> IndexSpec {
        let last = property.map { ", .\($0)" } ?? ""
        let text = "prediction('\(model)', {'n': n}\(last))"
        return .predictive(
            name, on: .sqlPlusPlus(text), PredictiveOptions(onFailure: failure), where: condition)
    }
}

extension RegisteredModel {
    /// A model that returns the square of `n`, and whether it is odd; it returns nothing if `n`
    /// is not a number, and throws for negative numbers.
    package static func squares(_ name: String) -> RegisteredModel {
        RegisteredModel(name) { input in
            guard let number = input["n"]?.int else { return nil }
            guard number >= 0 else { throw ModelFailure(description: "\(number) is too small") }
            return ["odd": .bool(number % 2 == 1), "square": .int(number * number)]
        }
    }
}
