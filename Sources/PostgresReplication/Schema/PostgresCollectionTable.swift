internal import DataFileCore
internal import Replication

/// The table of collections.
struct PostgresCollectionTable {
    let schema: PostgresSchema

    /// The names of all collections.
    func names(_ connection: PostgresConnection) throws -> [CollectionName] {
        let result = try connection.run(
            "SELECT scope, name FROM \(schema.table("collections")) ORDER BY coll")
        return try (0..<result.count).map { row in
            let (scope, name) = (result.text(row, 0) ?? "", result.text(row, 1) ?? "")
            do {
                return try CollectionName("\(scope).\(name)")
            } catch {
                throw ReplicationError(
                    .badRemoteData,
                    "the table collections has a name that is not valid: \(error)")
            }
        }
    }

    /// The number and the buckets of a collection, which is created if it does not exist.
    func open(
        _ name: CollectionName, _ connection: PostgresConnection
    ) throws -> (number: Int32, buckets: Int) {
        if let found = try find(name, connection) { return found }
        // Another client may create it, or take the number, at the same time.
        var failure: (any Error)?
        for _ in 0..<5 {
            do {
                try create(name, connection)
            } catch let error as ReplicationError where error.code != .unreachable {
                failure = error
            }
            if let found = try find(name, connection) {
                try createView(of: name, found.number, connection)
                try allowEdits(found.number, connection)
                return found
            }
        }
        throw failure
            ?? ReplicationError(.incompatible, "the collection \(name) cannot be created")
    }

    /// The number and the buckets of a collection; nil if it does not exist.
    func find(
        _ name: CollectionName, _ connection: PostgresConnection
    ) throws -> (number: Int32, buckets: Int)? {
        let result = try connection.run(
            """
            SELECT coll, buckets FROM \(schema.table("collections"))
            WHERE scope = $1 AND name = $2
            """,
            .text(name.scope), .text(name.name))
        guard result.count > 0, let number = result.int(0, 0), let buckets = result.int(0, 1),
            buckets > 0
        else { return nil }
        return (Int32(clamping: number), Int(buckets))
    }

    private func create(_ name: CollectionName, _ connection: PostgresConnection) throws {
        _ = try connection.run([
            PostgresStatement(
                """
                INSERT INTO \(schema.table("collections")) (coll, scope, name, buckets)
                SELECT coalesce(max(coll), 0) + 1, $1, $2, $3 FROM \(schema.table("collections"))
                """, [.text(name.scope), .text(name.name), .int2(Int16(schema.buckets))]),
            PostgresStatement(
                """
                INSERT INTO \(schema.table("feeds")) (coll, bucket)
                SELECT c.coll, b::smallint FROM \(schema.table("collections")) c,
                  generate_series(0, $3 - 1) b WHERE c.scope = $1 AND c.name = $2
                """, [.text(name.scope), .text(name.name), .int4(Int32(schema.buckets))]),
        ])
    }

    /// Lets SQL edit the view, if that is so for other collections. A client may lack the right.
    private func allowEdits(_ number: Int32, _ connection: PostgresConnection) throws {
        do {
            try PostgresEditing(schema: schema).allow(number, connection)
        } catch let error as ReplicationError where error.code != .unreachable {
            // The administrator prepares it again.
        }
    }

    /// Creates the views of all collections, with the columns of this version.
    func createViews(_ connection: PostgresConnection) throws {
        let result = try connection.run(
            "SELECT scope, name, coll FROM \(schema.table("collections"))")
        for row in 0..<result.count {
            guard let scope = result.text(row, 0), let name = result.text(row, 1),
                let number = result.int(row, 2),
                let collection = try? CollectionName("\(scope).\(name)")
            else { continue }
            try createView(of: collection, Int32(clamping: number), connection)
        }
    }

    /// The view of the living documents, for people. A client may lack the right to create it.
    private func createView(
        of name: CollectionName, _ number: Int32, _ connection: PostgresConnection
    ) throws {
        // PostgreSQL would shorten a longer name, perhaps to that of another collection.
        let view = "\(name.scope).\(name.name)"
        guard view.utf8.count < 64 else { return }
        do {
            _ = try connection.run(
                """
                CREATE OR REPLACE VIEW \(schema.table(PostgresConnection.quoted(view))) AS
                SELECT id, body, rev, seq, changed
                FROM \(schema.table("docs")) WHERE coll = \(number) AND flags & 1 = 0
                """)
        } catch let error as ReplicationError where error.code != .unreachable {
            // It is not needed for replication.
        }
    }
}
