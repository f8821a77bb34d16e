import EngineTestSupport
import QueryLanguage
import StoreFormat
import Testing

/// A JSON expression and the SQL that LiteCore makes of it, or of which this project makes more.
struct Translation: CustomTestStringConvertible, Sendable {
    let json: String
    let sql: String

    init(_ json: String, _ sql: String) {
        self.json = json
        self.sql = sql
    }

    var testDescription: String { json }

    static func sql(_ json: String) throws -> String {
        try QueryJSONReader.expression(json).indexSQL()
    }
}

@Suite("The SQL of JSON expressions")
struct TranslationTests {
    @Test("is what LiteCore writes, letter by letter", arguments: LiteCorePairs.all)
    func pairs(pair: Translation) throws {
        #expect(try Translation.sql(pair.json) == pair.sql)
    }

    @Test(
        "has the meaning of the expression where LiteCore's SQL differs",
        arguments: [
            // SQL's NOT binds looser than its comparisons.
            Translation(#"["=",["NOT",true],false]"#, "(NOT fl_bool(1)) = fl_bool(0)"),
            Translation(#"["+",1,["NOT",2]]"#, "1 + (NOT 2)"),
            Translation(#"["AND",["NOT",1],2]"#, "NOT 1 AND 2"),
            Translation(
                #"["=",["NOT IN","x",[".l"]],1]"#,
                """
                (NOT array_contains(fl_value(body, 'l'), 'x')) = 1
                """),
            // Two signs begin a comment.
            Translation(#"["-",-5]"#, "-(-5)"), Translation(#"["-",["-",5]]"#, "-(-5)"),
            Translation(#"["-",-0.5]"#, "-(-0.5)"), Translation(#"["-",1,-5]"#, "1 - -5"),
            Translation(#"["-",["COLLATE",{},-5]]"#, "-(-5 COLLATE BINARY)"),
            // A comparison keeps its place when it has an order.
            Translation(
                #"["+",["COLLATE",{},["=",[".a"],2]],1]"#,
                """
                (fl_value(body, 'a') COLLATE BINARY = 2) + 1
                """),
            Translation(
                #"["=",3,["COLLATE",{},["=",[".a"],2]]]"#,
                """
                3 = (fl_value(body, 'a') COLLATE BINARY = 2)
                """),
            Translation(
                #"["NOT",["COLLATE",{},["=",[".a"],2]]]"#,
                """
                NOT (fl_value(body, 'a') COLLATE BINARY = 2)
                """),
            Translation(
                #"["+",["EVERY","x",[".l"],[">",["?x"],2]],1]"#,
                """
                (NOT EXISTS (SELECT 1 FROM fl_each(body, 'l') AS _x WHERE NOT (_x.value > 2))) + 1
                """),
            Translation(
                #"["ANY","x",[".l"],["ANY","X",["?x.m"],["<",["?x"],["?X"]]]]"#,
                """
                EXISTS (SELECT 1 FROM fl_each(body, 'l') AS _x WHERE EXISTS \
                (SELECT 1 FROM fl_each(_x.body, 'm') AS _X_ WHERE _x.value < _X_.value))
                """),
            Translation(
                #"["ANY","x",[".l"],["ANY","x",["?x"],["<",["?x"],1]]]"#,
                """
                EXISTS (SELECT 1 FROM fl_each(body, 'l') AS _x WHERE EXISTS \
                (SELECT 1 FROM fl_each(_x.body) AS _x_ WHERE _x_.value < 1))
                """),
            Translation(
                #"["ANY","x",[".l"],["ANY","y",["?x.m"],["=",["?y"],1]]]"#,
                """
                EXISTS (SELECT 1 FROM fl_each(body, 'l') AS _x WHERE fl_contains(_x.body, 'm', 1))
                """),
            Translation(
                #"["ANY","y",["."],["=",["?y"],1]]"#, "fl_contains(fl_root(body), NULL, 1)"),
        ])
    func defects(pair: Translation) throws {
        #expect(try Translation.sql(pair.json) == pair.sql)
    }

    @Test("quotes names that are SQL keywords, unlike LiteCore")
    func words() throws {
        let table = """
            EXISTS (SELECT 1 FROM fl_each(body, 'l') AS "_a b" WHERE "_a b".value > 1)
            """
        #expect(try Translation.sql(#"["ANY","a b",[".l"],[">",["?a b"],1]]"#) == table)
        #expect("order".sqlIdentifier == "\"order\"")
        #expect("Group".sqlIdentifier == "\"Group\"")
        #expect("orders".sqlIdentifier == "orders")
        #expect("1st".sqlIdentifier == "\"1st\"")
        #expect("a\"b".sqlIdentifier == "\"a\"\"b\"")
    }

    @Test("supports the document itself, its metadata, and properties of the same names")
    func metadata() throws {
        #expect(try Translation.sql(#"["."]"#) == "fl_root(body)")
        #expect(try Translation.sql(#"["._id"]"#) == "key")
        #expect(try Translation.sql(#"["._sequence"]"#) == "sequence")
        #expect(try Translation.sql(#"["._deleted"]"#) == "(flags & 1 != 0)")
        #expect(try Translation.sql(#"["._expiration"]"#) == "expiration")
        #expect(try Translation.sql(#"["._revisionID"]"#) == "fl_version(version)")
        #expect(try Translation.sql(#"["._rowid"]"#) == "rowid")
        #expect(try Translation.sql(#"[".","_id"]"#) == "key")
        #expect(try Translation.sql(#"["_.",["META()"],"id"]"#) == "key")
        #expect(try Translation.sql(#"["_.sequence",["META()","_"]]"#) == "sequence")
        #expect(try Translation.sql(#"[".contact._id"]"#) == "fl_value(body, 'contact._id')")
        #expect(try Translation.sql(#"[".a.b._id"]"#) == "fl_value(body, 'a.b._id')")
        #expect(try Translation.sql(#"["._ID"]"#) == "key")
        storeError(.invalidQuery) { _ = try Translation.sql(#"["_.",["META()"],"body"]"#) }
        storeError(.invalidQuery) { _ = try Translation.sql(#"["META()","other"]"#) }
    }

    @Test("for elements of arrays reads the elements")
    func elements() throws {
        func sql(_ json: String) throws -> String {
            try QueryJSONReader.expression(json).indexSQL(of: .elements)
        }
        #expect(try sql(#"["."]"#) == "fl_unnested_value(body)")
        #expect(try sql(#"[".a.b"]"#) == "fl_unnested_value(body, 'a.b')")
        #expect(
            try sql(#"["array_count()",[".a"]]"#) == "array_count(fl_unnested_value(body, 'a'))")
        #expect(
            try sql(#"["ANY","x",[".a"],["=",["?x"],1]]"#)
                == "fl_contains(fl_unnested_value(body, 'a'), NULL, 1)")
        storeError(.invalidQuery) { _ = try sql(#"["._id"]"#) }
        storeError(.invalidQuery) { _ = try sql(#"["BLOB",".a"]"#) }
    }
}
