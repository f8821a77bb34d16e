import Foundation
import SQLCore
import Testing

@Suite("SQL functions: fl_each")
struct EachFunctionTests {
    let fixture: FunctionFixture
    let body: SQLValue

    init() throws {
        fixture = try FunctionFixture()
        body = try fixture.body(
            #"""
            {"a": ["x", 2, null, true, 2.5, [1], {"k": 1}], "d": {"p": 1, "q": [2]}, "s": "text",
             "n": null, "none": [], "people": [
               {"name": "Ada", "age": 36, "likes": ["tea", "sums"]},
               {"name": "Bob", "age": 40, "likes": []},
               {"name": "Cy", "age": 36, "likes": ["tea"]}]}
            """#)
    }

    @Test("returns a row for each element: its value, type and position")
    func elements() throws {
        #expect(
            try fixture.rows("SELECT rowid, key, value, type FROM fl_each(?, 'a')", body) == [
                "0 MISSING 'x' 3", "1 MISSING 2 2", "2 MISSING null 0", "3 MISSING 1 1",
                "4 MISSING 2.5 2", "5 MISSING [1] 5", #"6 MISSING {"k":1} 6"#,
            ])
        #expect(try fixture.rows("SELECT * FROM fl_each(?, 'none')", body) == [])
    }

    @Test("gives a row for each entry of a dictionary, with its key")
    func entries() throws {
        #expect(
            try fixture.rows("SELECT rowid, key, value, type FROM fl_each(?, 'd')", body)
                == ["0 'p' 1 2", "1 'q' [2] 5"])
    }

    @Test("returns one row for a scalar of any kind, and none for a missing value")
    func scalars() throws {
        let sql = "SELECT rowid, key, value, type FROM"
        #expect(try fixture.rows("\(sql) fl_each(?, 's')", body) == ["0 MISSING 'text' 3"])
        #expect(try fixture.rows("\(sql) fl_each(?, 'n')", body) == ["0 MISSING null 0"])
        #expect(try fixture.rows("\(sql) fl_each(fl_null())") == ["0 MISSING null 0"])
        #expect(try fixture.rows("\(sql) fl_each(7)") == ["0 MISSING 7 2"])
        #expect(try fixture.rows("\(sql) fl_each('t')") == ["0 MISSING 't' 3"])
        #expect(try fixture.rows("\(sql) fl_each(?, 'nope')", body) == [])
        #expect(try fixture.rows("\(sql) fl_each(NULL)") == [])
        #expect(try fixture.rows("\(sql) fl_each(7, 'x')") == [])
    }

    @Test("accepts a computed value, and the path NULL")
    func computed() throws {
        #expect(try fixture.rows("SELECT value FROM fl_each(array_of(1, 'x'))") == ["1", "'x'"])
        #expect(
            try fixture.rows("SELECT value FROM fl_each(array_of(1, 'x'), NULL)") == ["1", "'x'"])
        #expect(
            try fixture.value("EXISTS (SELECT 1 FROM fl_each(array_of(1, 2, 3)) WHERE value > 2)")
                == "1")
        #expect(
            try fixture.rows("SELECT data FROM fl_each(?, 'd') LIMIT 1", body)
                == [#"{"p":1,"q":[2]}"#])
    }

    @Test("passes elements to fl_nested_value, also in nested loops")
    func nested() throws {
        #expect(
            try fixture.rows(
                """
                SELECT fl_nested_value(p.body, 'name'), l.value
                FROM fl_each(?, 'people') AS p, fl_each(p.body, 'likes') AS l
                """, body) == ["'Ada' 'tea'", "'Ada' 'sums'", "'Cy' 'tea'"])
        #expect(
            try fixture.rows("SELECT fl_result(body) FROM fl_each(?, 'people') LIMIT 1", body)
                == [#"{"age":36,"likes":["tea","sums"],"name":"Ada"}"#])
        #expect(
            try fixture.rows("SELECT fl_result(body) FROM fl_each(?, 'a')", body)
                == ["'x'", "2", "null", "true", "2.5", "[1]", #"{"k":1}"#])
    }

    @Test("passes elements through groups, sorts and aggregates that outlive the row")
    func outlivingElements() throws {
        #expect(
            try fixture.rows(
                """
                SELECT fl_nested_value(body, 'age') AS age, max(fl_nested_value(body, 'name'))
                FROM fl_each(?, 'people') GROUP BY age ORDER BY age
                """, body) == ["36 'Cy'", "40 'Bob'"])
        #expect(
            try fixture.rows(
                "SELECT max(rowid), fl_nested_value(body, 'name') FROM fl_each(?, 'people')", body)
                == ["2 'Cy'"])
        #expect(
            try fixture.rows(
                """
                SELECT fl_nested_value(b, 'name')
                FROM (SELECT body AS b, value AS v FROM fl_each(?, 'people') ORDER BY v LIMIT 9)
                ORDER BY 1 DESC
                """, body) == ["'Cy'", "'Bob'", "'Ada'"])
    }

    @Test("returns large elements as standalone documents")
    func largeElements() throws {
        let text = String(repeating: "long ", count: 1000)
        let body = try fixture.body(
            #"{"l": [{"t": "\#(text)", "n": 1}, {"t": "short", "n": 2}, ["\#(text)", 3]]}"#)
        #expect(
            try fixture.rows(
                "SELECT fl_nested_value(body, 'n'), fl_nested_value(body, '[1]') "
                    + "FROM fl_each(?, 'l')",
                body) == ["1 MISSING", "2 MISSING", "MISSING 3"])
        #expect(
            try fixture.rows("SELECT length(fl_nested_value(body, 't')) FROM fl_each(?, 'l')", body)
                == ["5000", "5", "MISSING"])
    }

    @Test("continues with its shared keys while new ones are added")
    func keysWhileOpen() throws {
        let statement = try fixture.context.prepare(
            sql: "SELECT fl_nested_value(body, 'name'), key FROM fl_each(?, 'people')")
        try statement.bind(parameters: [body])
        #expect(try statement.next())
        #expect(statement.value(at: 0) == .text("Ada"))
        for index in 0..<100 { _ = try fixture.body(#"{"new\#(index)": 1}"#) }
        #expect(try statement.next())
        #expect(statement.value(at: 0) == .text("Bob"))
        #expect(try statement.next())
        #expect(statement.value(at: 0) == .text("Cy"))
        #expect(try statement.next() == false)
    }

    @Test("fills the table of an array index in a trigger, with the schema not trusted")
    func trigger() throws {
        try fixture.context.exec(
            sql: """
                CREATE TABLE kv (key TEXT, flags INTEGER DEFAULT 0, body BLOB);
                CREATE TABLE each (docid INTEGER NOT NULL, i INTEGER NOT NULL, body BLOB NOT NULL,
                  CONSTRAINT pk PRIMARY KEY (docid, i));
                CREATE TRIGGER ins AFTER INSERT ON kv WHEN (new.flags & 1) = 0 BEGIN
                  INSERT INTO each (docid, i, body) SELECT new.rowid, _each.rowid, _each.value
                  FROM fl_each(new.body, 'a') AS _each; END;
                CREATE INDEX byName ON each (fl_unnested_value(body))
                """)
        try fixture.context.exec(sql: "INSERT INTO kv (body) VALUES (?)", parameters: [body])
        try fixture.context.exec(sql: "INSERT INTO kv (body) VALUES (x'7000'), (NULL)")
        #expect(
            try fixture.rows("SELECT docid, i, fl_unnested_value(body) FROM each") == [
                "1 0 'x'", "1 1 2", "1 2 null", "1 3 1", "1 4 2.5", "1 5 [1]", #"1 6 {"k":1}"#,
            ])
        #expect(
            try fixture.rows("SELECT i FROM each WHERE fl_unnested_value(body) = 'x'") == ["0"])
        #expect(
            try fixture.rows("SELECT fl_unnested_value(body, 'k') FROM each WHERE i = 6") == ["1"])
    }

    @Test("fails for an invalid path, and without its argument")
    func errors() {
        #expect(fixture.error("value FROM fl_each(?, 'a[x]')", body)?.contains("'a[x]'") == true)
        #expect(fixture.error("value FROM fl_each") != nil)
    }
}
