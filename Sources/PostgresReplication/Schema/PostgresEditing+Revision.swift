// What clients compute, too.
extension PostgresEditing {
    /// The bucket of a document: FNV-1a of its ID, 32 bits.
    var bucketFunction: String {
        function(
            "edit_bucket", "(id text, buckets int) RETURNS smallint",
            """
            DECLARE
              bytes bytea := convert_to(id, 'UTF8');
              hash bigint := 2166136261;
            BEGIN
              IF buckets <= 1 THEN RETURN 0; END IF;
              FOR n IN 0 .. length(bytes) - 1 LOOP
                hash := ((hash # get_byte(bytes, n)) * 16777619) & 4294967295;
              END LOOP;
              RETURN hash % buckets;
            END
            """)
    }

    /// The revision of an edit, and its history, from those of the document before; empty strings
    /// for a new document.
    ///
    /// A version has the server's time, and is later than those of the vector, except for times
    /// that are not plausible: the rule of the hybrid clock of files. The first version of the
    /// vector counts if its source occurs twice. Of a tree as many revisions remain as files keep.
    var revisionFunction: String {
        function(
            "edit_revision",
            """
            (old_rev text, old_history text, has_vectors boolean, is_deleted boolean,
              body jsonb, server text, OUT rev text, OUT history text)
            """,
            """
            DECLARE
              older text := coalesce(nullif(old_history, ''), old_rev);
              version CONSTANT text := '[0-9a-fA-F]{1,16}@[A-Za-z0-9+/]{22}';
              revision CONSTANT text := '[1-9][0-9]{0,8}-[0-9a-f]+';
              physical bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000;
              -- Five years after now, or after 2026 if the clock was never set.
              plausible bigint := greatest(physical, 1767225600000000000) + 157788000000000000;
              latest bigint;
              others text;
            BEGIN
              IF older <> '' AND older !~ (CASE WHEN has_vectors
                THEN '^' || version || '([,;] *' || version || ')*;?$'
                ELSE '^' || revision || '(,' || revision || ')*$' END)
              THEN
                RAISE EXCEPTION 'the revision "%" cannot be read', left(older, 60)
                  USING ERRCODE = 'data_corrupted';
              END IF;
              IF has_vectors THEN
                SELECT
                  max(v.at) FILTER (
                    WHERE v.origin = server
                      -- A tree revision, whose time is its generation.
                      OR v.origin <> 'Revision+Tree+Encoding' AND v.at <= plausible),
                  string_agg(v.item, ', ' ORDER BY v.n) FILTER (
                    WHERE v.origin <> server AND (v.n = 1 OR v.origin <> v.first))
                INTO latest, others
                FROM (
                  SELECT n, item, split_part(item, '@', 2) AS origin,
                    first_value(split_part(item, '@', 2)) OVER (ORDER BY n) AS first,
                    ('x' || lpad(split_part(item, '@', 1), 16, '0'))::bit(64)::bigint AS at
                  FROM regexp_split_to_table(rtrim(older, ';'), '[,;] *') WITH ORDINALITY
                    AS parts (item, n)
                  WHERE item <> '') AS v;
                rev := to_hex(greatest(physical & ~65535::bigint, latest + 1)) || '@' || server;
                history := coalesce(rev || '; ' || others, '');
              ELSE
                rev := coalesce(nullif(split_part(old_rev, '-', 1), '')::bigint, 0) + 1
                  || '-' || left(encode(sha256(convert_to(
                    old_rev || CASE WHEN is_deleted THEN '-' ELSE '+' END
                      || coalesce(body::text, ''), 'UTF8')), 'hex'), 40);
                history := coalesce(rev || ',' || array_to_string(
                  (string_to_array(nullif(older, ''), ','))[1:49], ','), '');
              END IF;
            END
            """)
    }
}
