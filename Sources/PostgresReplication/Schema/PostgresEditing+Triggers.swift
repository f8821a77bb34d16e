// The functions of the triggers.
extension PostgresEditing {
    /// The number and the revision of an edit; `old_rev` is empty for a new document.
    ///
    /// Updating the feed's row takes its lock until the commit, as clients do, so that the numbers
    /// become visible in their order. A new document has a version vector, unless the collection
    /// has revision trees.
    var nextFunction: String {
        function(
            "edit_next",
            """
            (number int, part smallint, document text, old_rev text, old_history text,
              is_deleted boolean, body jsonb,
              OUT seq bigint, OUT rev text, OUT history text, OUT source text)
            """,
            """
            BEGIN
              IF NOT is_deleted AND jsonb_typeof(body) IS DISTINCT FROM 'object' THEN
                RAISE EXCEPTION 'the body of document "%" is not a JSON object', document
                  USING ERRCODE = 'check_violation';
              ELSIF body ?| ARRAY['_id', '_rev', '_deleted'] THEN
                RAISE EXCEPTION 'the body of document "%" has a reserved property', document
                  USING ERRCODE = 'check_violation', HINT = 'Remove _id, _rev and _deleted.';
              END IF;
              UPDATE \(schema.table("feeds")) AS f SET last_seq = f.last_seq + 1
              WHERE f.coll = number AND f.bucket = part RETURNING f.last_seq INTO STRICT seq;
              SELECT m.server INTO STRICT source FROM \(schema.table("meta")) AS m;
              SELECT e.rev, e.history INTO rev, history
              FROM \(schema.table("edit_revision"))(
                old_rev, old_history,
                CASE WHEN old_rev <> '' THEN old_rev LIKE '%@%' ELSE coalesce(
                  (SELECT d.rev LIKE '%@%' FROM \(schema.table("docs")) AS d
                   WHERE d.coll = number ORDER BY d.bucket, d.seq LIMIT 1), true) END,
                is_deleted, body, source) AS e;
              PERFORM pg_notify(\(PostgresConnection.literal(schema.channel)), number::text);
            END
            """)
    }

    /// Gives an edited row a new revision.
    var rowFunction: String {
        function(
            "edit_row", "() RETURNS trigger",
            """
            BEGIN
              IF NEW.flags & 1 = 1 THEN NEW.body := NULL; END IF;
              SELECT n.seq, n.rev, n.history, n.source
              INTO NEW.seq, NEW.rev, NEW.history, NEW.source
              FROM \(schema.table("edit_next"))(
                NEW.coll, NEW.bucket, NEW.id, OLD.rev, OLD.history, NEW.flags & 1 = 1,
                NEW.body) AS n;
              NEW.extra := NULL;
              NEW.changed := now();
              RETURN NEW;
            END
            """)
    }

    /// Edits a document through the view of its collection, whose number is the argument.
    ///
    /// The lock of the feed's row comes first, so that a client and this one do not wait for locks
    /// of each other. The row of the view may be older than that: a document that was changed
    /// meanwhile is not overwritten.
    var viewFunction: String {
        let docs = schema.table("docs")
        return function(
            "edit_view", "() RETURNS trigger",
            """
            DECLARE
              number int := TG_ARGV[0];
              part smallint;
            BEGIN
              IF TG_OP = 'INSERT' THEN
                IF NEW.rev IS NOT NULL OR NEW.seq IS NOT NULL OR NEW.changed IS NOT NULL THEN
                  RAISE EXCEPTION 'only id and body of document "%" can be inserted', NEW.id
                    USING ERRCODE = 'invalid_parameter_value';
                END IF;
                SELECT i.new_rev, i.new_seq, i.new_changed INTO NEW.rev, NEW.seq, NEW.changed
                FROM \(schema.table("edit_insert"))(number, NEW.id, NEW.body) AS i;
                RETURN NEW;
              END IF;
              part := \(schema.table("edit_lock"))(number, OLD.id);
              IF TG_OP = 'DELETE' THEN
                UPDATE \(docs) SET body = NULL, flags = flags | 1
                WHERE coll = number AND bucket = part AND id = OLD.id AND rev = OLD.rev;
                NEW := OLD;
              ELSIF (NEW.id, NEW.rev, NEW.seq, NEW.changed)
                IS DISTINCT FROM (OLD.id, OLD.rev, OLD.seq, OLD.changed)
              THEN
                RAISE EXCEPTION 'only the body of document "%" can be changed', OLD.id
                  USING ERRCODE = 'invalid_parameter_value';
              ELSE
                UPDATE \(docs) SET body = NEW.body
                WHERE coll = number AND bucket = part AND id = OLD.id AND rev = OLD.rev
                RETURNING rev, seq, changed INTO NEW.rev, NEW.seq, NEW.changed;
              END IF;
              IF NOT FOUND THEN
                RAISE EXCEPTION 'the document "%" was changed meanwhile', OLD.id
                  USING ERRCODE = 'serialization_failure', HINT = 'Run the statement again.';
              END IF;
              RETURN NEW;
            END
            """)
    }
}
