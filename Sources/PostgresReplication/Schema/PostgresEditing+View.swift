// The views of collections.
extension PostgresEditing {
    /// Takes the lock of the feed of a document; returns its bucket.
    var lockFunction: String {
        function(
            "edit_lock", "(number int, document text) RETURNS smallint",
            """
            DECLARE
              part smallint;
            BEGIN
              SELECT \(schema.table("edit_bucket"))(document, c.buckets) INTO STRICT part
              FROM \(schema.table("collections")) AS c WHERE c.coll = number;
              PERFORM 1 FROM \(schema.table("feeds")) AS f
              WHERE f.coll = number AND f.bucket = part FOR UPDATE;
              RETURN part;
            END
            """)
    }

    /// Inserts a document, also one that was deleted. The ID is one that files accept.
    var insertFunction: String {
        let docs = schema.table("docs")
        return function(
            "edit_insert",
            """
            (number int, document text, new_body jsonb,
              OUT new_rev text, OUT new_seq bigint, OUT new_changed timestamptz)
            """,
            """
            DECLARE
              part smallint;
              old_flags smallint;
            BEGIN
              IF document IS NULL OR document = '' OR document LIKE '\\_%'
                OR document ~ '[\\x01-\\x1f\\x7f]'
                OR octet_length(convert_to(document, 'UTF8')) > 240
              THEN
                RAISE EXCEPTION 'the document ID "%" is not allowed', left(document, 40)
                  USING ERRCODE = 'check_violation',
                    HINT = 'Use 1 to 240 bytes, no control characters, and no "_" at the start.';
              END IF;
              part := \(schema.table("edit_lock"))(number, document);
              SELECT d.flags INTO old_flags FROM \(docs) AS d
              WHERE d.coll = number AND d.bucket = part AND d.id = document;
              IF old_flags & 1 = 0 THEN
                RAISE EXCEPTION 'the document "%" exists', document
                  USING ERRCODE = 'unique_violation';
              ELSIF FOUND THEN
                UPDATE \(docs) AS d SET body = new_body, flags = d.flags & ~1
                WHERE d.coll = number AND d.bucket = part AND d.id = document
                RETURNING d.rev, d.seq, d.changed INTO new_rev, new_seq, new_changed;
              ELSE
                INSERT INTO \(docs) AS d
                  (coll, bucket, id, seq, rev, history, flags, body, extra, source)
                SELECT number, part, document, n.seq, n.rev, n.history, 0, new_body, NULL, n.source
                FROM \(schema.table("edit_next"))(
                  number, part, document, '', '', false, new_body) AS n
                RETURNING d.rev, d.seq, d.changed INTO new_rev, new_seq, new_changed;
              END IF;
            END
            """)
    }

    /// Creates the trigger of the view of a collection, if it has one.
    var permissionFunction: String {
        let name = PostgresConnection.literal(schema.name)
        return function(
            "allow_edits", "(number int) RETURNS void",
            """
            DECLARE
              view text;
            BEGIN
              SELECT format('%I.%I', \(name), c.scope || '.' || c.name) INTO view
              FROM \(schema.table("collections")) AS c WHERE c.coll = number;
              IF to_regclass(view) IS NULL THEN RETURN; END IF;
              EXECUTE format('DROP TRIGGER IF EXISTS edits ON %s', view);
              EXECUTE format(
                'CREATE TRIGGER edits INSTEAD OF INSERT OR UPDATE OR DELETE ON %s '
                  'FOR EACH ROW EXECUTE FUNCTION %I.edit_view(%s)',
                view, \(name), number);
            END
            """)
    }
}
