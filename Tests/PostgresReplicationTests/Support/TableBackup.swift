import ProjectTestSupport

/// A backup of the tables of an endpoint.
struct TableBackup {
    private static let tables = ["docs", "feeds", "checkpoints"]
    private let server: PostgresServer
    private let schema: String

    init(_ server: PostgresServer, _ schema: String) throws {
        (self.server, self.schema) = (server, schema)
        for table in Self.tables {
            try server.sql("CREATE TABLE \(schema).old_\(table) AS TABLE \(schema).\(table)")
        }
    }

    func restore() throws {
        for table in Self.tables {
            try server.sql("TRUNCATE \(schema).\(table)")
            try server.sql("INSERT INTO \(schema).\(table) TABLE \(schema).old_\(table)")
        }
    }
}
