internal import Replication

/// Triggers with which edits by SQL become revisions that clients receive.
///
/// `edit_row` gives a row of the table of documents, whose body was changed and whose revision was
/// not, a new revision. Rows that clients write have new revisions, so that it is not called for
/// them. `edit_view` translates INSERT, UPDATE and DELETE on the views of collections.
struct PostgresEditing: Sendable {
    let schema: PostgresSchema

    /// The statements that create the functions and triggers, or replace them.
    var creation: [String] {
        [
            bucketFunction, revisionFunction, nextFunction, rowFunction, lockFunction,
            insertFunction, viewFunction, permissionFunction,
            "DROP TRIGGER IF EXISTS edits ON \(schema.table("docs"))",
            """
            CREATE TRIGGER edits BEFORE UPDATE OF body, flags ON \(schema.table("docs"))
            FOR EACH ROW WHEN (NEW.rev = OLD.rev
              AND (NEW.body IS DISTINCT FROM OLD.body OR NEW.flags <> OLD.flags))
            EXECUTE FUNCTION \(schema.table("edit_row"))()
            """,
            """
            SELECT \(schema.table("allow_edits"))(coll) FROM \(schema.table("collections"))
            """,
        ]
    }

    /// The statements that remove the functions and triggers.
    var removal: [String] {
        [
            "allow_edits(int)", "edit_view()", "edit_insert(int, text, jsonb)",
            "edit_lock(int, text)", "edit_row()",
            "edit_next(int, smallint, text, text, text, boolean, jsonb)",
            "edit_revision(text, text, boolean, boolean, jsonb, text)", "edit_bucket(text, int)",
        ].map { "DROP FUNCTION IF EXISTS \(schema.table($0)) CASCADE" }
    }

    /// Creates the triggers, or removes them.
    func allow(_ isAllowed: Bool, _ connection: PostgresConnection) throws {
        let statements = isAllowed ? creation : removal
        _ = try connection.run(statements.map { PostgresStatement($0) })
    }

    /// Creates those of a new collection, if others have them.
    func allow(_ number: Int32, _ connection: PostgresConnection) throws {
        guard try isAllowed(connection) else { return }
        _ = try connection.run("SELECT \(function)($1)", .int4(number))
    }

    private var function: String { schema.table("allow_edits") }

    /// Whether the triggers were created.
    func isAllowed(_ connection: PostgresConnection) throws -> Bool {
        let found = try connection.run(
            "SELECT 1 WHERE to_regprocedure($1) IS NOT NULL", .text("\(function)(int)"))
        return found.count > 0
    }

    /// A statement that creates a function in PL/pgSQL.
    ///
    /// - Parameter declaration: what follows its name, up to the type that it returns.
    func function(_ name: String, _ declaration: String, _ body: String) -> String {
        // The name of the schema is in the body, and may have any characters.
        var tag = "$store$"
        while body.contains(tag) { tag = "$_" + tag.dropFirst() }
        return """
            CREATE OR REPLACE FUNCTION \(schema.table(name))\(declaration)
            LANGUAGE plpgsql SET search_path = pg_catalog AS \(tag)
            \(body)
            \(tag)
            """
    }
}
