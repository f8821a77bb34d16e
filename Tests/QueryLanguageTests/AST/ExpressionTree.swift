import FleeceLite
import QueryLanguage

/// A tree as a line of text: the JSON form of LiteCore's queries, with all details of the tree.
enum ExpressionTree {
    static func text(_ expression: QueryExpression) -> String {
        switch expression {
        case .literal(let literal): text(literal)
        case .array(let items): call("[]", items)
        case .dictionary(let entries):
            "{" + entries.map { "\"\($0.key)\":\(text($0.value))" }.joined(separator: ",") + "}"
        case .property(let path): "[\"\(text(path))\"]"
        case .variable(let name, let path):
            "[\"?\(name)\(path.components.isEmpty ? "" : text(path))\"]"
        case .parameter(let name): "[\"$\(name)\"]"
        case .nested(let value, let path): call("_\(text(path))", [value])
        case .meta(let property, let source): "[\"META(\(source ?? ""))\",\"\(property)\"]"
        case .operation(let operation, let operands): call(operation.rawValue, operands)
        case .function(let name, let arguments): call(name + "()", arguments)
        case .call(let call): "\(call)"
        case .subquery(let query): "\(query)"
        case .collate(let collation, let value): call("COLLATE \(text(collation))", [value])
        case .cases(let subject, let branches, let otherwise):
            "[\"CASE\",\(subject.map(text) ?? "-")"
                + branches.map { ",\(text($0.condition)),\(text($0.value))" }.joined()
                + (otherwise.map { ",\(text($0))" } ?? "") + "]"
        case .quantified(let quantifier):
            "[\"\(quantifier.kind.rawValue)\",\"\(quantifier.variable)\","
                + "\(text(quantifier.collection)),\(text(quantifier.condition))]"
        case .match(let index, let words): "[\"MATCH()\",\"\(index)\",\(text(words))]"
        case .rank(let index): "[\"RANK()\",\"\(index)\"]"
        case .prediction(let model, let input, let property):
            "[\"PREDICTION()\",\(text(model)),\(text(input))"
                + (property.map { ",\"\(text($0))\"" } ?? "") + "]"
        case .blob(let path): "[\"BLOB\",\"\(text(path))\"]"
        case .located(_, let value): text(value)
        }
    }

    private static func call(_ name: String, _ operands: [QueryExpression]) -> String {
        "[" + (["\"\(name)\""] + operands.map(text)).joined(separator: ",") + "]"
    }

    private static func text(_ path: PropertyPath) -> String {
        path.components.isEmpty ? "." : "." + path.description
    }

    private static func text(_ collation: QueryCollation) -> String {
        (collation.isUnicode ? "UNICODE:\(collation.locale)" : "NOUNICODE")
            + (collation.isCaseSensitive ? " CASE" : " NOCASE")
            + (collation.isDiacriticSensitive ? " DIAC" : " NODIAC")
    }

    private static func text(_ literal: QueryLiteral) -> String {
        switch literal {
        case .missing: "[\"MISSING\"]"
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): "\(integer)u"
        case .real(let real): "\(real)"
        case .string(let string): "\"\(string)\""
        }
    }
}
