import FleeceLite
import StoreFormat
import Testing
import QueryLanguage

/// The same expression in both languages.
struct LanguagePair: CustomTestStringConvertible, Sendable {
    let text: String
    let json: String

    init(_ text: String, _ json: String) {
        self.text = text
        self.json = json
    }

    var testDescription: String { text }

    static let all = [
        LanguagePair("a", #"[".a"]"#), LanguagePair("a.b[0].c", #"[".a.b[0].c"]"#),
        LanguagePair("`a b`.`c.d`", #"[".","a b","c.d"]"#), LanguagePair("a[-1]", #"[".a[-1]"]"#),
        LanguagePair("*", #"["."]"#), LanguagePair("`$p`", #"[".\\$p"]"#),
        LanguagePair("_id", #"["._id"]"#), LanguagePair("_sequence", #"["._sequence"]"#),
        LanguagePair("_deleted", #"["._deleted"]"#),
        LanguagePair("_expiration", #"["._expiration"]"#),
        LanguagePair("_revisionID", #"["._revisionID"]"#), LanguagePair("p._id", #"[".p._id"]"#),
        LanguagePair("p.q._id", #"[".p.q._id"]"#), LanguagePair("_idea", #"["._idea"]"#),
        LanguagePair("META().id", #"["_.",["META()"],"id"]"#),
        LanguagePair("META(p).sequence", #"[".p._sequence"]"#),
        LanguagePair("META()", #"["META()"]"#), LanguagePair("META(p)", #"["META()","p"]"#),
        LanguagePair("12", "12"), LanguagePair("-12", "-12"), LanguagePair("1.5", "1.5"),
        LanguagePair("1e300", "1e300"),
        LanguagePair("18446744073709551615", "18446744073709551615"),
        LanguagePair("'it''s'", #""it's""#), LanguagePair("TRUE", "true"),
        LanguagePair("NULL", "null"), LanguagePair("MISSING", #"["MISSING"]"#),
        LanguagePair("[1, 'a', b]", #"["[]",1,"a",[".b"]]"#),
        LanguagePair("{'b': 1, 'a': c}", #"{"a":[".c"],"b":1}"#),
        LanguagePair("$p", #"["$p"]"#), LanguagePair("-a", #"["-",[".a"]]"#),
        LanguagePair("a = 1 AND b != 2", #"["AND",["=",[".a"],1],["!=",[".b"],2]]"#),
        LanguagePair("a || 'x'", #"["||",[".a"],"x"]"#),
        LanguagePair("a BETWEEN 1 AND 2", #"["BETWEEN",[".a"],1,2]"#),
        LanguagePair("a IS MISSING", #"["IS",[".a"],["MISSING"]]"#),
        LanguagePair("a IS VALUED", #"["IS VALUED",[".a"]]"#),
        LanguagePair("a LIKE 'b%'", #"["LIKE",[".a"],"b%"]"#),
        LanguagePair("NOT a", #"["NOT",[".a"]]"#), LanguagePair("lower(a)", #"["LOWER()",[".a"]]"#),
        LanguagePair(
            "CASE a WHEN 1 THEN 'x' ELSE 'y' END", #"["CASE",[".a"],1,"x","y"]"#),
        LanguagePair("CASE WHEN a THEN 1 END", #"["CASE",null,[".a"],1]"#),
        LanguagePair(
            "ANY x IN l SATISFIES x.y = 1 END", #"["ANY","x",[".l"],["=",["?x.y"],1]]"#),
        LanguagePair(
            "EVERY x IN l SATISFIES x END", #"["EVERY","x",[".l"],["?x"]]"#),
        LanguagePair(
            "a COLLATE (UNICODE:se NOCASE)",
            #"["COLLATE",{"UNICODE":true,"LOCALE":"se","CASE":false},[".a"]]"#),
        LanguagePair("a = 'b' COLLATE NOCASE", #"["COLLATE",{"CASE":false},["=",[".a"],"b"]]"#),
        LanguagePair("BLOB(photo)", #"["BLOB",".photo"]"#),
        LanguagePair("BLOB(photo)", #"["BLOB",[".photo"]]"#),
        LanguagePair(
            "PREDICTION('m', {'n': a}, .b)", #"["PREDICTION()","m",{"n":[".a"]},".b"]"#),
        LanguagePair("MATCH(words, 'x')", #"["MATCH()","words","x"]"#),
        LanguagePair("RANK(words)", #"["RANK()","words"]"#),
    ]
}

@Suite("SQL++ and JSON")
struct QueryLanguageTests {
    /// An expression that may be a number or text alone.
    private func read(_ json: String) throws -> QueryExpression {
        let list = try QueryJSONReader.root("[\(json)]").array
        return try QueryJSONReader.expression(#require(list?.first))
    }

    @Test("with the same meaning have the same tree", arguments: LanguagePair.all)
    func trees(pair: LanguagePair) throws {
        let expression = try SQLPPParser.condition(pair.text)
        let other = try read(pair.json)
        #expect(ExpressionTree.text(expression) == ExpressionTree.text(other))
        #expect(QueryJSONWriter.text(expression) == QueryJSONWriter.text(other))
    }

    @Test("are translated to the same SQL, or both are errors", arguments: LanguagePair.all)
    func sql(pair: LanguagePair) throws {
        func sql(_ expression: QueryExpression) -> String {
            do {
                return try expression.indexSQL(of: .documents(prefix: "new."))
            } catch {
                return "\(error)"
            }
        }
        let text = sql(try SQLPPParser.condition(pair.text))
        #expect(try sql(read(pair.json)) == text)
        #expect(!text.isEmpty)
    }

    @Test("accept all aliases of a function")
    func functions() throws {
        for function in QueryFunction.all where !function.needsWindow {
            let arguments = Array(repeating: "1", count: function.arguments.lowerBound)
            let list = (["\"\(function.name.asciiUppercased)()\""] + arguments)
            let read = try QueryJSONReader.expression("[\(list.joined(separator: ","))]")
            #expect(read == .function(function.name, arguments.map { _ in .literal(.integer(1)) }))
        }
        #expect(QueryFunction.all.count > 100)
    }
}
