/// What is known of LiteCore's translation of expressions: `["=",[".a"],"x"]` to SQL.
enum LiteCorePairs {
    static let all = comparisons + collections + orders

    private static let comparisons = [
        Translation(#"["=",[".a"],"x"]"#, "fl_value(body, 'a') = 'x'"),
        Translation(#"["=",[".a"],true]"#, "fl_value(body, 'a') = fl_bool(1)"),
        Translation(
            #"["AND",["=",[".a"],1],["=",[".b"],2]]"#,
            """
            fl_value(body, 'a') = 1 AND fl_value(body, 'b') = 2
            """),
        Translation(#"["=",["power()",25,["/",1,2]],5]"#, "power(25, 1 / 2) = 5"),
        Translation(#"["NOT",["<",2,1]]"#, "NOT (2 < 1)"),
        Translation(#"["-",["+",2,1]]"#, "-(2 + 1)"),
        Translation(#"["*",["+",1,2],["+",3,["-",4]]]"#, "(1 + 2) * (3 + -4)"),
        Translation(#"["BETWEEN",10,0,100]"#, "10 BETWEEN 0 AND 100"),
        Translation(#"["=",["$X"],["$",7]]"#, "$_X = $_7"),
        Translation(#"["ifnull()",["._id"],["._sequence"]]"#, "N1QL_ifnull(key, sequence)"),
        Translation(#"["EXISTS",[".a"]]"#, "fl_exists(body, 'a')"),
        Translation(#"["EXISTS",17]"#, "EXISTS 17"),
        Translation(
            #"["CASE",[".c"],"r",1,"g",2]"#,
            """
            CASE fl_value(body, 'c') WHEN 'r' THEN 1 WHEN 'g' THEN 2 ELSE fl_null() END
            """),
        Translation(
            #"["CASE",null,["=",2,3],"w",["=",2,2],"ok"]"#,
            """
            CASE WHEN 2 = 3 THEN 'w' WHEN 2 = 2 THEN 'ok' ELSE fl_null() END
            """),
        Translation(#"["IS",[".a"],["MISSING"]]"#, "fl_value(body, 'a') IS NULL"),
        Translation(#"["IS",[".a"],null]"#, "fl_value(body, 'a') = fl_null()"),
        Translation(#"["IS NOT",[".a"],["MISSING"]]"#, "fl_value(body, 'a') IS NOT NULL"),
        Translation(#"["IS NOT",[".a"],null]"#, "fl_value(body, 'a') != fl_null()"),
        Translation(#"["=",[".","$foo"],17]"#, #"fl_value(body, '\$foo') = 17"#),
        Translation(#"["AND",["AND",1,2],["OR",3,4]]"#, "(1 AND 2) AND (3 OR 4)"),
        Translation(#"["lower()",[".b"]]"#, "N1QL_lower(fl_value(body, 'b'))"),
    ]

    private static let collections = [
        Translation(#"["=",[".c"],["[]","p","q"]]"#, "fl_value(body, 'c') = array_of('p', 'q')"),
        Translation(
            #"["=",[".addr"],{"street":"S","city":[".city"]}]"#,
            """
            fl_value(body, 'addr') = dict_of('city', fl_value(body, 'city'), 'street', 'S')
            """),
        Translation(#"["IN",[".n"],["[]","a","b"]]"#, "fl_value(body, 'n') IN ('a', 'b')"),
        Translation(#"["NOT IN",[".n"],["[]","a","b"]]"#, "fl_value(body, 'n') NOT IN ('a', 'b')"),
        Translation(#"["IN","x",[".list"]]"#, "array_contains(fl_value(body, 'list'), 'x')"),
        Translation(
            #"["NOT IN","x",[".list"]]"#,
            """
            NOT array_contains(fl_value(body, 'list'), 'x')
            """),
        Translation(#"[".","addrs",[1],"zip"]"#, "fl_value(body, 'addrs[1].zip')"),
        Translation(
            #"["_.",[".addr"],"zip"]"#,
            """
            fl_nested_value(fl_value(body, 'addr'), 'zip')
            """),
        Translation(#"["_.zip",[".addr"]]"#, "fl_nested_value(fl_value(body, 'addr'), 'zip')"),
        Translation(#"["array_count()",[".a"]]"#, "fl_count(body, 'a')"),
        Translation(#"["array_count()",["$X"]]"#, "array_count($_X)"),
        Translation(
            #"["ANY","X",[".names"],["=",["?X"],"S"]]"#,
            """
            fl_contains(body, 'names', 'S')
            """),
        Translation(
            #"["ANY","X",[".names"],[">",["?X"],3.125]]"#,
            """
            EXISTS (SELECT 1 FROM fl_each(body, 'names') AS _X WHERE _X.value > 3.125)
            """),
        Translation(
            #"["EVERY","X",[".names"],["=",["?X"],"S"]]"#,
            """
            NOT EXISTS (SELECT 1 FROM fl_each(body, 'names') AS _X WHERE NOT (_X.value = 'S'))
            """),
        Translation(
            #"["ANY AND EVERY","X",[".names"],["=",["?X"],"S"]]"#,
            """
            (fl_count(body, 'names') > 0 AND NOT EXISTS (SELECT 1 FROM fl_each(body, 'names') \
            AS _X WHERE NOT (_X.value = 'S')))
            """),
        Translation(
            #"["ANY","X",[".names"],["=",["?","X","last"],"S"]]"#,
            """
            EXISTS (SELECT 1 FROM fl_each(body, 'names') AS _X WHERE \
            fl_nested_value(_X.body, 'last') = 'S')
            """),
        Translation(#"["ANY","X",["pi()"],["=",["?X"],"S"]]"#, "fl_contains(pi(), NULL, 'S')"),
    ]

    private static let orders = [
        Translation(#"["LIKE",[".c"],"b%"]"#, #"fl_value(body, 'c') LIKE 'b%' ESCAPE '\'"#),
        Translation(
            #"["COLLATE",{"case":true,"unicode":false},["LIKE",[".c"],"b%"]]"#,
            """
            fl_value(body, 'c') COLLATE BINARY LIKE 'b%' ESCAPE '\\'
            """),
        Translation(
            #"["COLLATE",{"case":false},["LIKE",[".c"],"b%"]]"#,
            """
            fl_like(fl_value(body, 'c'), 'b%', 'NOCASE')
            """),
        Translation(
            #"["COLLATE",{"unicode":true},["LIKE",[".c"],"b%"]]"#,
            """
            fl_like(fl_value(body, 'c'), 'b%', 'LCUnicode____')
            """),
        Translation(
            #"["COLLATE",{"unicode":true,"case":false,"diac":false},["=",[".a"],["$P"]]]"#,
            "fl_value(body, 'a') COLLATE LCUnicode_CD_ = $_P"),
        Translation(
            #"["COLLATE",{"unicode":true,"locale":"se"},[".a"]]"#,
            """
            fl_value(body, 'a') COLLATE LCUnicode____se
            """),
    ]
}
