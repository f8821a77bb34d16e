import DataFileCore
import QueryLanguage
import StoreFormat
import Testing

/// A file as a translator sees it: collections by name, and what indexes they have.
final class StubCatalog: QueryCatalog {
    var indexes = QueryIndexes()
    /// As in a file whose tombstones have not all been moved to a table of their own.
    var mayHaveLiveTombstones = false

    func defaultTable() throws -> QueryTable {
        QueryTable(
            store: .default, live: "kv_default", tombstones: "\"kv_del_default\"",
            mayHaveLiveTombstones: mayHaveLiveTombstones, hasExpiration: true, indexes: indexes)
    }

    func table(_ name: QueryCollectionName) throws -> QueryTable {
        let collection = try CollectionName(name.text)
        if collection == .default { return try defaultTable() }
        let store = collection.keyStoreName
        return QueryTable(
            store: store, live: store.tableName.sqlIdentifier, tombstones: nil,
            mayHaveLiveTombstones: false, hasExpiration: true, indexes: indexes)
    }

    func sql(_ json: String) throws -> String {
        guard case .select(let query) = try QueryJSONReader.statement(json) else { return "" }
        return try QueryTranslation(query, TranslationOptions(), self).sql
    }
}

@Suite("The SQL of queries in JSON")
struct QueryPairTests {
    /// The numbers are those of the list of what LiteCore writes.
    @Test(
        "is LiteCore's, or shorter: no test for tombstones, no words unless asked, marked types",
        arguments: [
            // 32
            (
                #"{"WHAT":["._id"],"WHERE":["=",[".last"],"S"],"ORDER_BY":[[".first"],[".age"]]}"#,
                """
                SELECT _doc.key FROM kv_default AS _doc WHERE fl_value(_doc.body, 'last') = 'S' \
                ORDER BY fl_value(_doc.body, 'first'), fl_value(_doc.body, 'age')
                """
            ),
            // 33
            (
                #"{"WHAT":[[".first"],["AS",["length()",[".mid"]],"m"]]}"#,
                """
                SELECT fl_result(fl_value(_doc.body, 'first')), \
                N1QL_length(fl_value(_doc.body, 'mid')) AS m FROM kv_default AS _doc
                """
            ),
            // 34: a document is not copied.
            (#"{"WHAT":["."]}"#, "SELECT _doc.body FROM kv_default AS _doc"),
            // 35: an index of the property can be used.
            (
                #"{"WHAT":[["AS",[".d.k"],"answer"]],"WHERE":["=",[".answer"],1]}"#,
                """
                SELECT fl_result(fl_value(_doc.body, 'd.k')) AS answer FROM kv_default AS _doc \
                WHERE fl_value(_doc.body, 'd.k') = 1
                """
            ),
            // 36: both tables, with no view.
            (
                #"{"WHAT":["._id"],"WHERE":["._deleted"]}"#,
                """
                SELECT _doc.key FROM (SELECT rowid AS rowid, key, sequence, flags, version, body, \
                expiration FROM kv_default UNION ALL SELECT NULL, key, sequence, flags, version, \
                body, expiration FROM "kv_del_default") AS _doc WHERE (_doc.flags & 1 != 0)
                """
            ),
            // 38
            (
                #"{"WHAT":[".b.t"],"FROM":[{"AS":"b"},"#
                    + #"{"AS":"l","ON":["=",[".b.lib"],[".l._id"]]}]}"#,
                """
                SELECT fl_result(fl_value(b.body, 't')) FROM kv_default AS b \
                INNER JOIN kv_default AS l ON fl_value(b.body, 'lib') = l.key
                """
            ),
            // 39
            (
                #"{"FROM":[{"AS":"a"},{"AS":"c","JOIN":"CROSS"}],"WHERE":["=",[".c.x"],1]}"#,
                """
                SELECT a.key, a.sequence FROM kv_default AS a CROSS JOIN kv_default AS c \
                WHERE fl_value(c.body, 'x') = 1
                """
            ),
            // 40
            (
                #"{"FROM":[{"COLLECTION":"books"}],"WHAT":[".books.t"]}"#,
                #"SELECT fl_result(fl_value(books.body, 't')) FROM "kv_.books" AS books"#
            ),
            // 41
            (
                #"{"FROM":[{"SCOPE":"s","COLLECTION":"c"}],"WHAT":[".name",".c.x",".s.c.y"]}"#,
                """
                SELECT fl_result(fl_value("s.c".body, 'name')), \
                fl_result(fl_value("s.c".body, 'x')), fl_result(fl_value("s.c".body, 'y')) \
                FROM "kv_.s.c" AS "s.c"
                """
            ),
            // 42
            (
                #"{"FROM":[{"AS":"b"},{"AS":"n","UNNEST":[".b.notes"]}],"WHERE":["=",[".n"],"t"]}"#,
                """
                SELECT b.key, b.sequence FROM kv_default AS b \
                JOIN fl_each(b.body, 'notes') AS n WHERE n.value = 't'
                """
            ),
            (
                #"{"WHAT":[["._id"]],"FROM":[{"AS":"b"},{"AS":"n","UNNEST":[".b.notes"]}],"#
                    + #""WHERE":["=",[".n.page"],3]}"#,
                """
                SELECT b.key FROM kv_default AS b JOIN fl_each(b.body, 'notes') AS n \
                WHERE fl_nested_value(n.body, 'page') = 3
                """
            ),
            // 48
            (
                #"{"WHAT":[["EXISTS",["SELECT",{"WHAT":[["IS",6,9]]}]]]}"#,
                """
                SELECT fl_boolean_result(EXISTS (SELECT fl_boolean_result(6 IS 9) \
                FROM kv_default AS _doc)) FROM kv_default AS _doc
                """
            ),
        ])
    func pairs(json: String, sql: String) throws {
        #expect(try StubCatalog().sql(json) == sql)
    }

    @Test("tests for tombstones where the table of live records may contain some")
    func tombstones() throws {
        let catalog = StubCatalog()
        catalog.mayHaveLiveTombstones = true
        #expect(
            try catalog.sql(#"["OR",["=",[".a"],1],["=",[".b"],2]]"#) == """
                SELECT _doc.key, _doc.sequence FROM kv_default AS _doc \
                WHERE (fl_value(_doc.body, 'a') = 1 OR fl_value(_doc.body, 'b') = 2) \
                AND (_doc.flags & 1 = 0)
                """)
        #expect(
            try catalog.sql(#"{"WHAT":[["EXISTS",["SELECT",{"WHAT":[["IS",6,9]]}]]]}"#) == """
                SELECT fl_boolean_result(EXISTS (SELECT fl_boolean_result(6 IS 9) \
                FROM kv_default AS _doc WHERE (_doc.flags & 1 = 0))) \
                FROM kv_default AS _doc WHERE (_doc.flags & 1 = 0)
                """)
        #expect(
            try catalog.sql(
                #"{"WHAT":[".b.t"],"FROM":[{"AS":"b"},{"AS":"l","ON":["=",[".b.l"],[".l._id"]]}]}"#)
                    == """
                    SELECT fl_result(fl_value(b.body, 't')) FROM kv_default AS b \
                    INNER JOIN kv_default AS l ON fl_value(b.body, 'l') = l.key \
                    AND (l.flags & 1 = 0) WHERE (b.flags & 1 = 0)
                    """)
        #expect(
            try catalog.sql(
                #"{"FROM":[{"AS":"a"},{"AS":"c","JOIN":"CROSS"}]}"#) == """
                    SELECT a.key, a.sequence FROM kv_default AS a CROSS JOIN kv_default AS c \
                    ON (c.flags & 1 = 0) WHERE (a.flags & 1 = 0)
                    """)
    }

    @Test("uses the table of an array index for elements")
    func arrayIndex() throws {
        let catalog = StubCatalog()
        catalog.indexes.arrays["notes"] = .init(
            sqlName: "\"ab12\"", path: "notes", title: "the elements of notes",
            expressions: ["fl_unnested_value(body)"], leading: ["fl_unnested_value(body)"])
        #expect(
            try catalog.sql(
                #"{"FROM":[{"AS":"b"},{"AS":"n","UNNEST":[".b.notes"]}],"WHERE":["=",[".n"],"t"]}"#)
                    == """
                    SELECT b.key, b.sequence FROM kv_default AS b \
                    JOIN "ab12" AS n ON n.docid=b.rowid WHERE fl_unnested_value(n.body) = 't'
                    """)
        // Nothing is asked of the documents themselves.
        #expect(
            try catalog.sql(
                #"{"WHAT":[["COUNT()",["."]]],"FROM":[{"AS":"b"},"#
                    + #"{"AS":"n","UNNEST":[".b.notes"]}],"#
                    + #""WHERE":["=",[".n.page"],3]}"#) == """
                    SELECT count(*) FROM "ab12" AS n WHERE fl_unnested_value(n.body, 'page') = 3
                    """)
    }

    @Test("uses the full-text tables")
    func words() throws {
        let catalog = StubCatalog()
        catalog.indexes.words["bio"] = .init(sqlName: "\"kv_default::bio\"")
        catalog.indexes.words["job"] = .init(sqlName: "\"kv_default::job\"")
        #expect(
            try catalog.sql(#"{"WHAT":[["rank()","bio"]],"WHERE":["MATCH()","bio","mobile"]}"#)
                == """
                SELECT rank(matchinfo("<idx1>"."kv_default::bio")) FROM kv_default AS _doc \
                INNER JOIN "kv_default::bio" AS "<idx1>" ON "<idx1>".docid = _doc.rowid \
                WHERE "<idx1>"."kv_default::bio" MATCH 'mobile'
                """)
        #expect(
            try catalog.sql(#"["AND",["MATCH()","bio","mobile"],["MATCH()","job","cook"]]"#) == """
                SELECT _doc.key, _doc.sequence FROM kv_default AS _doc \
                INNER JOIN "kv_default::bio" AS "<idx1>" ON "<idx1>".docid = _doc.rowid \
                INNER JOIN "kv_default::job" AS "<idx2>" ON "<idx2>".docid = _doc.rowid \
                WHERE "<idx1>"."kv_default::bio" MATCH 'mobile' \
                AND "<idx2>"."kv_default::job" MATCH 'cook'
                """)
        // Beyond LiteCore: anywhere in a condition.
        #expect(
            try catalog.sql(#"["OR",["MATCH()","bio","mobile"],["=",[".a"],1]]"#) == """
                SELECT _doc.key, _doc.sequence FROM kv_default AS _doc \
                WHERE _doc.rowid IN (SELECT docid FROM "kv_default::bio" \
                WHERE "kv_default::bio" MATCH 'mobile') OR fl_value(_doc.body, 'a') = 1
                """)
    }

    @Test("uses the vector tables")
    func vectors() throws {
        let catalog = StubCatalog()
        catalog.mayHaveLiveTombstones = true
        catalog.indexes.vectors["fl_value(body, 'v')"] = [
            .init(sqlName: "\"kv_default:vector:ix\"", metric: "euclidean2")
        ]
        // 46
        #expect(
            try catalog.sql(
                #"{"WHAT":["._id"],"ORDER_BY":[["APPROX_VECTOR_DISTANCE()",[".v"],["[]",12,34]]],"#
                    + #""LIMIT":5}"#) == """
                    SELECT _doc.key FROM kv_default AS _doc \
                    INNER JOIN (SELECT docid, distance FROM \
                    "kv_default:vector:ix" WHERE vector MATCH \
                    encode_vector(array_of(12, 34)) LIMIT 5) \
                    AS "<idx1>" ON "<idx1>".docid = _doc.rowid WHERE (_doc.flags & 1 = 0) \
                    ORDER BY "<idx1>".distance LIMIT 5
                    """)
        #expect(
            try catalog.sql(
                #"{"WHAT":["._id"],"ORDER_BY":[["APPROX_VECTOR_DISTANCE()",[".v"],["[]",12],"#
                    + #""L2_squared",50]],"LIMIT":5}"#) == """
                    SELECT _doc.key FROM kv_default AS _doc \
                    INNER JOIN (SELECT docid, distance FROM \
                    "kv_default:vector:ix" WHERE vector MATCH encode_vector(array_of(12)) \
                    AND vectorsearch_probes(vector, 50) LIMIT 5) \
                    AS "<idx1>" ON "<idx1>".docid = _doc.rowid WHERE (_doc.flags & 1 = 0) \
                    ORDER BY "<idx1>".distance LIMIT 5
                    """)
        // 47
        #expect(
            try catalog.sql(
                #"{"WHAT":["._id"],"WHERE":[">",["._id"],"x"],"ORDER_BY":[["#
                    + #""APPROX_VECTOR_DISTANCE()",[".v"],["[]",12]]],"LIMIT":5}"#) == """
                    SELECT _doc.key FROM kv_default AS _doc INNER JOIN "kv_default:vector:ix" AS \
                    "<idx1>" ON "<idx1>".docid = _doc.rowid AND "<idx1>".vector MATCH \
                    encode_vector(array_of(12)) WHERE _doc.key > 'x' AND (_doc.flags & 1 = 0) \
                    ORDER BY "<idx1>".distance LIMIT 5
                    """)
    }
}
