/// The same statement in both languages.
struct StatementPair: Sendable {
    let text: String
    let json: String

    init(_ text: String, _ json: String) {
        self.text = text
        self.json = json
    }

    static let all = blocks + sources + compounds + calls + changes

    private static let blocks = [
        StatementPair("SELECT *", #"{"WHAT":["."]}"#),
        StatementPair("SELECT p.* FROM _ p", #"{"WHAT":[".p"],"FROM":[{"AS":"p"}]}"#),
        StatementPair(
            "SELECT a, b.c AS d FROM _",
            #"["SELECT",{"what":[".a",["AS",[".b.c"],"d"]],"from":[{}]}]"#),
        StatementPair("SELECT _id, 'x', '.x'", #"{"WHAT":["._id",["AS","x"],["AS",".x"]]}"#),
        StatementPair(
            "SELECT DISTINCT a FROM _ WHERE a > 1 GROUP BY b, c HAVING COUNT(*) > 2",
            #"""
            {"DISTINCT":true,"WHAT":[".a"],"FROM":[{"COLLECTION":"_"}],"WHERE":[">",[".a"],1],
             "GROUP_BY":[[".b"],[".c"]],"HAVING":[">",["COUNT()",["."]],2]}
            """#),
        StatementPair(
            "SELECT a ORDER BY b, c DESC, d ASC NULLS LAST, e DESC NULLS FIRST LIMIT 3 OFFSET $o",
            #"""
            {"WHAT":[".a"],"ORDER_BY":[[".b"],["DESC",[".c"]],["NULLS LAST",["ASC",[".d"]]],
             ["NULLS FIRST",["DESC",[".e"]]]],"LIMIT":3,"OFFSET":["$o"]}
            """#),
        StatementPair(
            "SELECT x LET x = 1, y = a.b WHERE y = 2",
            #"""
            {"WHAT":[".x"],"LET":[["AS",1,"x"],["AS",[".a.b"],"y"]],"WHERE":["=",[".y"],2]}
            """#),
        StatementPair(
            "SELECT EXISTS (SELECT 6 IS 9)",
            #"{"WHAT":[["EXISTS",["SELECT",{"WHAT":[["IS",6,9]]}]]]}"#),
        StatementPair(
            "SELECT a WHERE EXISTS b AND NOT EXISTS c.d",
            #"{"WHAT":[".a"],"WHERE":["AND",["EXISTS",[".b"]],["NOT",["EXISTS",[".c.d"]]]]}"#),
        StatementPair(
            "SELECT a WHERE b IN (SELECT c) AND d NOT IN $p AND e IN [1] AND f IN (1) AND g IN h",
            #"""
            {"WHAT":[".a"],"WHERE":["AND",["AND",["AND",["AND",
             ["IN",[".b"],["SELECT",{"WHAT":[".c"]}]],["NOT IN",[".d"],["$p"]]],
             ["IN",[".e"],["[]",1]]],["IN",[".f"],["[]",1]]],["IN",[".g"],[".h"]]]}
            """#),
        StatementPair(
            "SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b + 1, a NOT LIKE 'x' ESCAPE '!'",
            #"""
            {"WHAT":[["IS DISTINCT FROM",[".a"],[".b"]],
             ["IS NOT DISTINCT FROM",[".a"],["+",[".b"],1]],["NOT",["LIKE",[".a"],"x","!"]]]}
            """#),
    ]

    private static let sources = [
        StatementPair(
            "SELECT e.n FROM hr.staff e LEFT JOIN hr.staff AS b ON META(b).id = e.boss",
            #"""
            {"WHAT":[".e.n"],"FROM":[{"COLLECTION":"staff","SCOPE":"hr","AS":"e"},
             {"COLLECTION":"hr.staff","AS":"b","JOIN":"LEFT","ON":["=",[".b._id"],[".e.boss"]]}]}
            """#),
        StatementPair(
            "SELECT 1 FROM a, b JOIN c INNER JOIN d LEFT OUTER JOIN e CROSS JOIN f ON 1",
            #"""
            {"WHAT":[1],"FROM":[{"COLLECTION":"a"},{"COLLECTION":"b","JOIN":"CROSS"},
             {"COLLECTION":"c"},{"COLLECTION":"d","JOIN":"inner"},
             {"COLLECTION":"e","JOIN":"LEFT OUTER"},{"COLLECTION":"f","JOIN":"CROSS","ON":1}]}
            """#),
        StatementPair(
            "SELECT l FROM _ AS p UNNEST p.likes AS l LEFT UNNEST p.a[0].tags INNER UNNEST [1] x",
            #"""
            {"WHAT":[".l"],"FROM":[{"AS":"p"},{"AS":"l","UNNEST":[".p.likes"]},
             {"UNNEST":[".p.a[0].tags"],"JOIN":"LEFT"},{"UNNEST":["[]",1],"AS":"x"}]}
            """#),
        StatementPair(
            "SELECT t.a FROM (SELECT a FROM _) AS t JOIN (SELECT 1 LIMIT 1) u ON u.`1` = t.a",
            #"""
            {"WHAT":[".t.a"],"FROM":[{"SELECT":{"WHAT":[".a"],"FROM":[{}]},"AS":"t"},
             {"SELECT":["SELECT",{"WHAT":[1],"LIMIT":1}],"AS":"u","ON":["=",[".u.1"],[".t.a"]]}]}
            """#),
    ]

    private static let compounds = [
        StatementPair(
            "SELECT 1 UNION SELECT 2 UNION SELECT 3",
            #"["UNION",{"WHAT":[1]},["SELECT",{"WHAT":[2]}],{"WHAT":[3]}]"#),
        StatementPair(
            "SELECT 1 UNION ALL SELECT 2 INTERSECT ALL SELECT 3 EXCEPT SELECT 4 LIMIT 5",
            #"""
            {"SELECT":["EXCEPT",["UNION ALL",{"WHAT":[1]},
             ["INTERSECT ALL",{"WHAT":[2]},{"WHAT":[3]}]],{"WHAT":[4]}],"LIMIT":5}
            """#),
        StatementPair(
            "(SELECT 1 LIMIT 1) UNION (SELECT 2) LIMIT 2",
            #"{"SELECT":["union",{"WHAT":[1],"LIMIT":1},{"WHAT":[2]}],"LIMIT":2}"#),
        StatementPair(
            "(SELECT 1 LIMIT 2) LIMIT 1", #"{"SELECT":{"WHAT":[1],"LIMIT":2},"LIMIT":1}"#),
        StatementPair(
            "WITH a AS (SELECT 1), b AS (SELECT 2 UNION SELECT 3) SELECT * FROM a, b",
            #"""
            {"WITH":[{"AS":"a","SELECT":{"WHAT":[1]}},
             {"AS":"b","SELECT":["UNION",{"WHAT":[2]},{"WHAT":[3]}]}],"WHAT":["."],
             "FROM":[{"COLLECTION":"a"},{"COLLECTION":"b","JOIN":"CROSS"}]}
            """#),
        StatementPair(
            "SELECT ((SELECT 1) UNION SELECT 2), a IN ((SELECT 1) EXCEPT SELECT 2)",
            #"""
            {"WHAT":[["UNION",{"WHAT":[1]},{"WHAT":[2]}],
             ["IN",[".a"],["EXCEPT",{"WHAT":[1]},{"WHAT":[2]}]]]}
            """#),
        StatementPair(
            "SELECT (WITH a AS (SELECT 1) SELECT 2 FROM a)",
            #"""
            {"WHAT":[["SELECT",{"WITH":[{"AS":"a","SELECT":{"WHAT":[1]}}],"WHAT":[2],
             "FROM":[{"COLLECTION":"a"}]}]]}
            """#),
    ]

    private static let calls = [
        StatementPair(
            "SELECT COUNT(DISTINCT a), SUM(b) FILTER (WHERE c > 1)",
            #"""
            {"WHAT":[["CALL",{"FUNCTION":"COUNT","ARGUMENTS":[[".a"]],"DISTINCT":true}],
             ["CALL",{"FUNCTION":"sum","ARGUMENTS":[[".b"]],"FILTER":[">",[".c"],1]}]]}
            """#),
        StatementPair(
            "SELECT row_number() OVER (), rank() OVER (PARTITION BY a, b ORDER BY c DESC)",
            #"""
            {"WHAT":[["CALL",{"FUNCTION":"row_number","OVER":{}}],
             ["CALL",{"FUNCTION":"rank","OVER":{"PARTITION_BY":[[".a"],[".b"]],
              "ORDER_BY":[["DESC",[".c"]]]}}]]}
            """#),
        StatementPair(
            """
            SELECT lag(a, 1, 0) OVER (ORDER BY b ROWS 2 PRECEDING),
             avg(a) OVER (RANGE BETWEEN UNBOUNDED PRECEDING AND a + 1 FOLLOWING
              EXCLUDE CURRENT ROW),
             sum(a) OVER (GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE TIES)
            """,
            #"""
            {"WHAT":[["CALL",{"FUNCTION":"lag","ARGUMENTS":[[".a"],1,0],"OVER":
              {"ORDER_BY":[[".b"]],"FRAME":{"UNIT":"ROWS","START":["PRECEDING",2]}}}],
             ["CALL",{"FUNCTION":"avg","ARGUMENTS":[[".a"]],"OVER":{"FRAME":{"UNIT":"RANGE",
              "START":["UNBOUNDED PRECEDING"],"END":["FOLLOWING",["+",[".a"],1]],
              "EXCLUDE":"CURRENT ROW"}}}],
             ["CALL",{"FUNCTION":"sum","ARGUMENTS":[[".a"]],"OVER":{"FRAME":{"UNIT":"GROUPS",
              "START":["CURRENT ROW"],"END":["UNBOUNDED FOLLOWING"],"EXCLUDE":"TIES"}}}]]}
            """#),
        StatementPair(
            "SELECT RANK(words), COUNT(a)", #"{"WHAT":[["RANK()","words"],["COUNT()",[".a"]]]}"#),
    ]

    private static let changes = [
        StatementPair(
            "UPDATE hr.staff AS s SET s.name.first = 'x', age = s.age + 1 UNSET s.old, b[0].c "
                + "WHERE s.id = 1 LIMIT 2",
            #"""
            ["UPDATE",{"COLLECTION":"staff","SCOPE":"hr","AS":"s",
             "SET":[["=",".name.first","x"],["=",[".age"],["+",[".s.age"],1]]],
             "UNSET":[".old",".b[0].c"],"WHERE":["=",[".s.id"],1],"LIMIT":2}]
            """#),
        StatementPair("UPDATE _ UNSET a", #"["update",{"unset":[".a"]}]"#),
        StatementPair("DELETE FROM _", #"["DELETE",{}]"#),
        StatementPair(
            "DELETE FROM people p WHERE p.a IS MISSING LIMIT 10;",
            #"""
            ["DELETE",{"COLLECTION":"people","AS":"p","WHERE":["IS",[".p.a"],["MISSING"]],
             "LIMIT":10}]
            """#),
    ]
}
