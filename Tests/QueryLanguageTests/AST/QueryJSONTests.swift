import EngineTestSupport
import FleeceLite
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import QueryLanguage

@Suite("Expressions in JSON", .timeLimit(.minutes(20)))
struct QueryJSONTests {
    @Test("are written so that any tree reads back unchanged")
    func roundTrip() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 5_000)
        print("QueryJSONTests: \(count) trees from STORE_SEED=\(seed)")
        var expressions = RandomExpressions(seed: UInt64(seed))
        var compared = 0
        for number in 0..<count {
            let expression = expressions.next(1 + number % 6)
            guard expression.hasForm else { continue }
            compared += 1
            let text = QueryJSONWriter.text(expression)
            let list = try QueryJSONReader.root("[\(text)]").array
            let read = try QueryJSONReader.expression(#require(list?.first))
            guard read != expression.normal else { continue }
            Issue.record("tree \(number): \(text) reads back as \(ExpressionTree.text(read))")
        }
        #expect(compared > count / 2)
    }

    @Test("have equal text if they are equal")
    func canonical() throws {
        func text(_ json: String) throws -> String {
            QueryJSONWriter.text(try QueryJSONReader.expression(json))
        }
        #expect(
            try text(#"[ "=" , [".","a",[0],"b.c"], {"y":1,"x":2} ]"#)
                == #"["=",[".a[0].b\\.c"],{"x":2,"y":1}]"#)
        #expect(try text(#"["?","x","y"]"#) == #"["?x.y"]"#)
        #expect(try text(#"["?","a.b",[1],"c"]"#) == #"["?","a.b",[1],"c"]"#)
        #expect(try text(#"["_.",["META()","p.q"],"id"]"#) == #"[".p\\.q._id"]"#)
        #expect(try text(#"["and",1,["Missing"]]"#) == #"["AND",1,["MISSING"]]"#)
        #expect(
            try text(#"["COLLATE",{"locale":"se"},1]"#)
                == #"["COLLATE",{"CASE":true,"DIAC":true,"LOCALE":"se","UNICODE":false},1]"#)
    }

    @Test("begin with a dot where properties are listed")
    func shorthand() throws {
        let list = try QueryJSONReader.expressions(#"[".a.b", [".c"], "._id", "."]"#)
        #expect(
            list.map(ExpressionTree.text) == [
                #"[".a.b"]"#, #"[".c"]"#, #"["META()","id"]"#, #"["."]"#,
            ])
        #expect(
            try QueryJSONReader.expression(#"["=",".a",1]"#)
                == .operation(.equal, [.string(".a"), .literal(.integer(1))]))
    }

    @Test("can have names of properties that look like functions")
    func parentheses() throws {
        let property = try QueryJSONReader.expression(#"[".count()"]"#)
        #expect(property == .property(PropertyPath([.key("count()")])))
    }

    @Test(
        "that are invalid are rejected with a reason",
        arguments: [
            ("[]", "operation is missing"), ("[1]", "must be a string"),
            ("[[]]", "must be a string"), ("[null]", "must be a string"),
            (#"["nonsense",1]"#, "unknown operator: nonsense"),
            (#"["="]"#, "number of arguments"), (#"["=",1,2,3]"#, "number of arguments"),
            (#"["NOT",1,2]"#, "number of arguments"), (#"["BETWEEN",1,2]"#, "number of arguments"),
            (#"["MISSING",1]"#, "number of arguments"), (#"["CASE",1,2]"#, "number of arguments"),
            (#"[".a",1]"#, "takes no operands"), (#"[".",1]"#, "step of a path"),
            (#"[".",[1,2]]"#, "step of a path"), (#"[".",[1.5]]"#, "step of a path"),
            (#"[".",{}]"#, "step of a path"), (#"[".a["]"#, "not a path"),
            (#"[".a..b"]"#, "not a path"),
            (#"["$"]"#, "number of arguments"), (#"["$a b"]"#, "parameter name"),
            (#"["$",""]"#, "parameter name"), (#"["$","a\u0000"]"#, "parameter name"),
            (#"["?"]"#, "name of a variable"), (#"["?",1]"#, "name of a variable"),
            (#"["?x",1]"#, "step of a path"), (#"["_.a"]"#, "number of arguments"),
            (#"["_.",1,2]"#, "path of a property"), (#"["_.",1,""]"#, "path of a property"),
            (#"["BLOB",1]"#, "path of a property"), (#"["ANY",1,2,3]"#, "name of a variable"),
            (#"["ANY","x",[".a"]]"#, "number of arguments"),
            (#"["COLLATE",1,2]"#, "dictionary of options"),
            (#"["COLLATE",{"SIZE":1},2]"#, "no option SIZE"),
            (#"["MATCH()",1,"a"]"#, "name of an index"),
            (#"["MATCH()","","a"]"#, "name of an index"), (#"["RANK()"]"#, "number of arguments"),
            (#"["PREDICTION()","m"]"#, "number of arguments"),
            (#"["PREDICTION()","m",{},"a"]"#, "begins with a dot"),
            (#"["SELECT",1]"#, "dictionary of clauses"), ("", "invalid JSON"),
            ("[1", "invalid JSON"),
            ("[\"=\",1,2]]", "invalid JSON"),
        ])
    func refused(json: String, reason: String) throws {
        let error = storeError(.invalidQuery) { _ = try QueryJSONReader.expression(json) }
        #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("are rejected by the translator if no function or variable has the name")
    func unknownNames() throws {
        for (json, reason) in [
            (#"["lenght()",1]"#, "did you mean length()"), (#"["length()"]"#, "takes 1 argument"),
            (#"["?x"]"#, "no variable x"), (#"["=",[".a"],"b\u0000c"]"#, "U+0000"),
            (#"[".a\u0000"]"#, "U+0000"), (#"[".[\"\"]"]"#, "empty name"),
            (#"["ANY","a\u0000",[".l"],[">",1,2]]"#, "U+0000"),
            (#"["COLLATE",{"LOCALE":"a\u0000","UNICODE":true},[".a"]]"#, "U+0000"),
            (#"["MATCH()","i","w"]"#, "is not allowed here"),
            (#"["ANY","x",[".l"],["ANY","y",["?x"],["?z"]]]"#, "no variable z"),
        ] {
            let error = storeError(.invalidQuery) { _ = try Translation.sql(json) }
            #expect(error?.message.contains(reason) == true, "\(json): \(error?.message ?? "")")
        }
    }
}

extension QueryExpression {
    /// Whether the JSON form can say it: it has one text for no subject of a `CASE` and for a
    /// null, and takes a property of `META()` for what it is.
    fileprivate var hasForm: Bool {
        var hasForm = true
        visit { expression in
            switch expression {
            case .cases(.literal(.null)?, _, _): hasForm = false
            case .nested(.meta(.all, _), let path): hasForm = hasForm && path.components.count > 1
            case .dictionary(let entries):
                hasForm = hasForm && Set(entries.map(\.key)).count == entries.count
            default: break
            }
        }
        return hasForm
    }

    /// The tree as JSON has it: dictionaries by key.
    fileprivate var normal: QueryExpression {
        switch self {
        case .array(let elements): return .array(elements.map(\.normal))
        case .dictionary(let entries):
            return .dictionary(
                entries.map { QueryDictionaryEntry(key: $0.key, value: $0.value.normal) }
                    .sortedByKey)
        case .nested(let value, let path): return .nested(value.normal, path)
        case .operation(let known, let operands): return .operation(known, operands.map(\.normal))
        case .function(let name, let list): return .function(name, list.map(\.normal))
        case .collate(let order, let value): return .collate(order, value.normal)
        case .cases(let subject, let branches, let otherwise):
            return .cases(
                subject: subject?.normal,
                branches.map {
                    QueryCase(condition: $0.condition.normal, value: $0.value.normal)
                }, otherwise: otherwise?.normal)
        case .quantified(var quantifier):
            quantifier.collection = quantifier.collection.normal
            quantifier.condition = quantifier.condition.normal
            return .quantified(quantifier)
        case .match(let index, let words): return .match(index: index, words: words.normal)
        case .prediction(let model, let input, let property):
            return .prediction(model: model.normal, input: input.normal, property: property)
        default: return self
        }
    }
}
