import PostgresReplication
import ProjectTestSupport
import Testing

/// Somebody who edits documents of the default collection by SQL.
struct SQLWriter: Sendable {
    let server: PostgresServer
    /// The schema, in quotation marks if it needs them.
    let schema: String

    var docs: String { "\(schema).docs" }
    var view: String { #"\#(schema)."_default._default""# }

    @discardableResult
    func sql(_ sql: String) throws -> [String] { try server.sql(sql) }

    func insert(_ id: String, _ json: String) throws {
        try sql("INSERT INTO \(view) (id, body) VALUES ('\(id)', '\(json)')")
    }

    func update(_ id: String, _ json: String) throws {
        #expect(
            try sql("UPDATE \(view) SET body = '\(json)' WHERE id = '\(id)' RETURNING id") == [id])
    }

    func delete(_ id: String) throws {
        #expect(try sql("DELETE FROM \(view) WHERE id = '\(id)' RETURNING id") == [id])
    }

    /// The body without spaces; nil if the document does not exist.
    func body(_ id: String) throws -> String? {
        try sql("SELECT replace(body::text, ' ', '') FROM \(view) WHERE id = '\(id)'").first
    }
}
