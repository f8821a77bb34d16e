import FleeceLite
import Testing
@testable import QueryLanguage

/// A text in SQL++ and its tree in the JSON form.
struct ExpressionPair: Sendable, CustomTestStringConvertible {
    let text: String
    let tree: String
    var testDescription: String { text }

    init(_ text: String, _ tree: String) {
        self.text = text
        self.tree = tree
    }

    func check() throws {
        let expression = try SQLPPParser.condition(text)
        #expect(ExpressionTree.text(expression) == tree)
        let written = SQLPPWriter.text(expression)
        #expect(try SQLPPParser.condition(written) == expression, "\(written)")
    }
}

@Suite("SQL++: an expression is read")
struct SQLPPParserTests {
    @Test(
        "that is a literal",
        arguments: [
            ExpressionPair("0", "0"), ExpressionPair("007", "7"), ExpressionPair("1e3", "1000.0"),
            ExpressionPair(".5", "0.5"), ExpressionPair("5.", "5.0"),
            ExpressionPair("1.5E-2", "0.015"),
            ExpressionPair("9223372036854775807", "9223372036854775807"),
            ExpressionPair("9223372036854775808", "9223372036854775808u"),
            ExpressionPair("18446744073709551615", "18446744073709551615u"),
            ExpressionPair("18446744073709551616", "1.8446744073709552e+19"),
            ExpressionPair("-9223372036854775808", "-9223372036854775808"),
            ExpressionPair("-9223372036854775809", "-9.223372036854776e+18"),
            ExpressionPair("'a'", #""a""#), ExpressionPair(#""a""#, #""a""#),
            ExpressionPair("'it''s \"so\"'", #""it's "so"""#), ExpressionPair("''", #""""#),
            ExpressionPair(#""say ""é"" 'x'""#, #""say "é" 'x'""#),
            ExpressionPair("'''' ", #""'""#), ExpressionPair("'/* -- '", #""/* -- ""#),
            ExpressionPair("TRUE", "true"), ExpressionPair("fAlse", "false"),
            ExpressionPair("null", "null"), ExpressionPair("MISSING", #"["MISSING"]"#),
            ExpressionPair("[]", #"["[]"]"#), ExpressionPair("[1, 'a']", #"["[]",1,"a"]"#),
            ExpressionPair("{}", "{}"),
            ExpressionPair("{'a': 1, \"b\": [x]}", #"{"a":1,"b":["[]",[".x"]]}"#),
        ])
    func literals(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with signs, which belong to a number if one follows",
        arguments: [
            ExpressionPair("-5", "-5"), ExpressionPair("--5", "5"), ExpressionPair("- -5", "5"),
            ExpressionPair("---5", "-5"), ExpressionPair("+5", "5"),
            ExpressionPair("-+-5.5", "5.5"),
            ExpressionPair("-(5)", #"["-",5]"#), ExpressionPair("-(-5)", #"["-",-5]"#),
            ExpressionPair("-a", #"["-",[".a"]]"#), ExpressionPair("--a", #"["-",["-",[".a"]]]"#),
            ExpressionPair("+a", #"[".a"]"#), ExpressionPair("1--2", #"["-",1,-2]"#),
            ExpressionPair("1 -2", #"["-",1,2]"#), ExpressionPair("-3-2", #"["-",-3,2]"#),
            ExpressionPair("-a.b[0]", #"["-",[".a.b[0]"]]"#),
        ])
    func signs(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "that is a property, by its path",
        arguments: [
            ExpressionPair("a", #"[".a"]"#), ExpressionPair("a.b.c", #"[".a.b.c"]"#),
            ExpressionPair("a[0].b[-1][2]", #"[".a[0].b[-1][2]"]"#),
            ExpressionPair("`key with space`.`a``b`", #"[".key with space.a`b"]"#),
            ExpressionPair("`a.b`.`$c[0]`", #"[".a\.b.$c\[0]"]"#),
            ExpressionPair("``.x", #"[".[""].x"]"#), ExpressionPair("_id", #"["META()","id"]"#),
            ExpressionPair("a$b_1", #"[".a$b_1"]"#), ExpressionPair("`order`", #"[".order"]"#),
            ExpressionPair("a.order.END", #"[".a.order.END"]"#),
            ExpressionPair("*", #"["."]"#), ExpressionPair("p.*", #"[".p"]"#),
            ExpressionPair("*[1].a", #"[".[1].a"]"#),
            ExpressionPair("* * *", #"["*",["."],["."]]"#),
            ExpressionPair("exists", #"[".exists"]"#), ExpressionPair("meta.x", #"[".meta.x"]"#),
            ExpressionPair("some", #"[".some"]"#),
        ])
    func properties(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with a path after a value",
        arguments: [
            ExpressionPair("{'a': {'b': 5}}.a.b", #"["_.a.b",{"a":{"b":5}}]"#),
            ExpressionPair("[10, 20][1]", #"["_.[1]",["[]",10,20]]"#),
            ExpressionPair("(a).b", #"["_.b",[".a"]]"#), ExpressionPair("$p.a", #"["_.a",["$p"]]"#),
            ExpressionPair("((a).b).c", #"["_.c",["_.b",[".a"]]]"#),
            ExpressionPair("array_sort(a)[0]", #"["_.[0]",["array_sort()",[".a"]]]"#),
            ExpressionPair("(-5).a", #"["_.a",-5]"#), ExpressionPair("'x'.a", #"["_.a","x"]"#),
            ExpressionPair("META().id.x", #"["_.x",["META()","id"]]"#),
            ExpressionPair("(META()).id", #"["_.id",["META()","all"]]"#),
        ])
    func paths(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with operator symbols",
        arguments: [
            ExpressionPair("a == 1", #"["=",[".a"],1]"#),
            ExpressionPair("a = 1", #"["=",[".a"],1]"#),
            ExpressionPair("a<>1", #"["!=",[".a"],1]"#),
            ExpressionPair("a!=1", #"["!=",[".a"],1]"#),
            ExpressionPair("a<1", #"["<",[".a"],1]"#), ExpressionPair("a<=1", #"["<=",[".a"],1]"#),
            ExpressionPair("a>1", #"[">",[".a"],1]"#), ExpressionPair("a>=1", #"[">=",[".a"],1]"#),
            ExpressionPair("7%2", #"["%",7,2]"#), ExpressionPair("7/2", #"["/",7,2]"#),
            ExpressionPair("'a'||'b'||'c'", #"["||",["||","a","b"],"c"]"#),
        ])
    func operators(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with comparison keywords",
        arguments: [
            ExpressionPair("a LIKE 'x%'", #"["LIKE",[".a"],"x%"]"#),
            ExpressionPair("a NOT LIKE 'x'", #"["NOT",["LIKE",[".a"],"x"]]"#),
            ExpressionPair("a BETWEEN 1 AND 2", #"["BETWEEN",[".a"],1,2]"#),
            ExpressionPair("a not between 1 and 2", #"["NOT",["BETWEEN",[".a"],1,2]]"#),
            ExpressionPair("a IS NULL", #"["IS",[".a"],null]"#),
            ExpressionPair("a IS NOT NULL", #"["IS NOT",[".a"],null]"#),
            ExpressionPair("a NOT NULL", #"["IS NOT",[".a"],null]"#),
            ExpressionPair("a IS MISSING", #"["IS",[".a"],["MISSING"]]"#),
            ExpressionPair("a IS NOT MISSING", #"["IS NOT",[".a"],["MISSING"]]"#),
            ExpressionPair("a IS VALUED", #"["IS VALUED",[".a"]]"#),
            ExpressionPair("a IS NOT VALUED", #"["NOT",["IS VALUED",[".a"]]]"#),
            ExpressionPair("a IS b", #"["IS",[".a"],[".b"]]"#),
            ExpressionPair("a IS NOT b", #"["IS NOT",[".a"],[".b"]]"#),
            ExpressionPair("EXISTS (a.b)", #"["EXISTS",[".a.b"]]"#),
        ])
    func comparisons(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with IN and a list, an array, or an expression for one",
        arguments: [
            ExpressionPair("a IN (1, 2)", #"["IN",[".a"],["[]",1,2]]"#),
            ExpressionPair("a IN [1, 2]", #"["IN",[".a"],["[]",1,2]]"#),
            ExpressionPair("a IN (b)", #"["IN",[".a"],["[]",[".b"]]]"#),
            ExpressionPair("a IN ()", #"["IN",[".a"],["[]"]]"#),
            ExpressionPair("a NOT IN (1)", #"["NOT IN",[".a"],["[]",1]]"#),
            ExpressionPair("a IN b.c", #"["IN",[".a"],[".b.c"]]"#),
            ExpressionPair("a IN $list", #"["IN",[".a"],["$list"]]"#),
            ExpressionPair("a NOT IN $list", #"["NOT IN",[".a"],["$list"]]"#),
            ExpressionPair("a IN +(b).c", #"["IN",[".a"],["_.c",[".b"]]]"#),
            ExpressionPair(
                "a IN [[1], [2]][0]", #"["IN",[".a"],["_.[0]",["[]",["[]",1],["[]",2]]]]"#),
        ])
    func membership(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with CASE in both forms",
        arguments: [
            ExpressionPair("CASE a WHEN 1 THEN 'x' END", #"["CASE",[".a"],1,"x"]"#),
            ExpressionPair(
                "CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END",
                #"["CASE",[".a"],1,"x",2,"y","z"]"#),
            ExpressionPair(
                "case when a = 1 then 'x' else null end", #"["CASE",-,["=",[".a"],1],"x",null]"#),
        ])
    func cases(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with ANY, SOME and EVERY, inside which a name is a variable",
        arguments: [
            ExpressionPair(
                "ANY x IN l SATISFIES x.y.z > x[0] END",
                #"["ANY","x",[".l"],[">",["?x.y.z"],["?x.[0]"]]]"#),
            ExpressionPair(
                "some x in l satisfies x = 1 end", #"["ANY","x",[".l"],["=",["?x"],1]]"#),
            ExpressionPair(
                "EVERY `x y` IN l SATISFIES `x y` END", #"["EVERY","x y",[".l"],["?x y"]]"#),
            ExpressionPair(
                "ANY AND EVERY x IN $l SATISFIES TRUE END", #"["ANY AND EVERY","x",["$l"],true]"#),
            ExpressionPair(
                "ANY x IN x SATISFIES ANY y IN x.l SATISFIES x = y END END AND x",
                #"["AND",["ANY","x",[".x"],["ANY","y",["?x.l"],["=",["?x"],["?y"]]]],[".x"]]"#),
        ])
    func quantifiers(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with functions in any case, under each of their names",
        arguments: [
            ExpressionPair("ABS(1)", #"["abs()",1]"#), ExpressionPair("pi ( )", #"["pi()"]"#),
            ExpressionPair("is_array(a)", #"["isarray()",[".a"]]"#),
            ExpressionPair("To_String(a)", #"["tostring()",[".a"]]"#),
            ExpressionPair("typename(a)", #"["type()",[".a"]]"#),
            ExpressionPair("isvalued(a)", #"["isvalued()",[".a"]]"#),
            ExpressionPair("greatest(1, 2, 3)", #"["greatest()",1,2,3]"#),
            ExpressionPair("COUNT(*)", #"["count()",["."]]"#),
            ExpressionPair("COUNT(p.*)", #"["count()",[".p"]]"#),
        ])
    func functions(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with expressions that look like functions",
        arguments: [
            ExpressionPair("META().id", #"["META()","id"]"#),
            ExpressionPair("meta()", #"["META()","all"]"#),
            ExpressionPair("META(p).revisionID", #"["META(p)","revisionID"]"#),
            ExpressionPair("META(`a b`)", #"["META(a b)","all"]"#),
            ExpressionPair("META(s.c).rowid", #"["META(s.c)","rowid"]"#),
            ExpressionPair("MATCH(byName, 'hwy')", #"["MATCH()","byName","hwy"]"#),
            ExpressionPair("MATCH(p.byName, $w)", #"["MATCH()","p.byName",["$w"]]"#),
            ExpressionPair("rank(`by name`)", #"["RANK()","by name"]"#),
            ExpressionPair(
                "PREDICTION('m', {'n': a})", #"["PREDICTION()","m",{"n":[".a"]}]"#),
            ExpressionPair(
                "PREDICTION('m', {}, .square.x)", #"["PREDICTION()","m",{},".square.x"]"#),
            ExpressionPair("PREDICTION('m', {}, '.x[1]')", #"["PREDICTION()","m",{},".x[1]"]"#),
            ExpressionPair("PREDICTION('m', {}, '[1]')", #"["PREDICTION()","m",{},".[1]"]"#),
            ExpressionPair("PREDICTION('m', {}, x)", #"["PREDICTION()","m",{},".x"]"#),
            ExpressionPair("PREDICTION('m', {}).x", #"["_.x",["PREDICTION()","m",{}]]"#),
            ExpressionPair("BLOB(a.photo)", #"["BLOB",".a.photo"]"#),
        ])
    func specials(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with a collation",
        arguments: [
            ExpressionPair("a COLLATE NOCASE", #"["COLLATE NOUNICODE NOCASE DIAC",[".a"]]"#),
            ExpressionPair("a COLLATE (UNICODE)", #"["COLLATE UNICODE: CASE DIAC",[".a"]]"#),
            ExpressionPair(
                "a COLLATE (unicode:yue_Hans_CN nocase nodiac)",
                #"["COLLATE UNICODE:yue_Hans_CN NOCASE NODIAC",[".a"]]"#),
            ExpressionPair("a COLLATE UNICODE:se", #"["COLLATE UNICODE:se CASE DIAC",[".a"]]"#),
            ExpressionPair(
                "a COLLATE (NOUNICODE CASE DIAC)", #"["COLLATE NOUNICODE CASE DIAC",[".a"]]"#),
        ])
    func collations(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "with comments and blanks",
        arguments: [
            ExpressionPair("-- why\n a -- that\r\n + /* one\n -- ' */ 2 --", #"["+",[".a"],2]"#),
            ExpressionPair("1/**//2", #"["/",1,2]"#),
            ExpressionPair("\t\u{B}\u{C}a\r\n", #"[".a"]"#),
            ExpressionPair("a /* * / */", #"[".a"]"#), ExpressionPair("1 --\t2\n-3", #"["-",1,3]"#),
        ])
    func comments(pair: ExpressionPair) throws { try pair.check() }

    @Test("and others after commas, such as the columns of an index")
    func lists() throws {
        let columns = try SQLPPParser.expressions("name.last, length(name.first) , 1")
        #expect(
            columns.map(ExpressionTree.text) == [
                #"[".name.last"]"#, #"["length()",[".name.first"]]"#, "1",
            ])
        #expect(SQLPPWriter.text(columns) == "name.last, length(name.first), 1")
    }

    @Test("and a path alone, such as that of an array index")
    func path() throws {
        let path = try SQLPPParser.path("a.`b c`[1]")
        #expect(path == PropertyPath([.key("a"), .key("b c"), .index(1)]))
    }
}
