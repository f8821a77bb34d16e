internal import FleeceLite

/// Writes statements and expressions in SQL++.
///
/// The text of a tree from the parser parses to the same tree. The text of any other tree has the
/// same meaning: `AND` of three operands parses to two nested `AND`. A tree at the depth limit may
/// need parentheses that exceed it.
package struct SQLPPWriter {
    private(set) var text = ""
    /// The source names of the statement as far as it is written; nil for an expression.
    var sourceNames: Set<String>?

    /// The SQL++ text of an expression.
    package static func text(_ expression: QueryExpression) -> String {
        text([expression])
    }

    /// The SQL++ text of a list of expressions, separated by commas.
    package static func text(_ expressions: [QueryExpression]) -> String {
        var writer = Self()
        writer.write(expressions)
        return writer.text
    }

    mutating func append(_ text: String) { self.text += text }

    mutating func write(_ list: [QueryExpression]) {
        for (index, expression) in list.enumerated() {
            if index > 0 { append(", ") }
            write(expression)
        }
    }

    /// Writes an operand of an operator with this precedence, in parentheses if its own is lower.
    mutating func write(
        _ expression: QueryExpression, _ minimum: SQLPPPrecedence = .collation
    ) {
        let isLooser = expression.precedence < minimum
        if isLooser { append("(") }
        writeBare(expression)
        if isLooser { append(")") }
    }

    private mutating func writeBare(_ expression: QueryExpression) {
        switch expression {
        case .literal(let literal): write(literal)
        case .array(let items): write("[", items, "]")
        case .dictionary(let entries): write(entries)
        case .property(let path): write(path)
        case .variable(let name, let path): write(PropertyPath([.key(name)] + path.components))
        case .parameter(let name): append("$" + name)
        case .nested(let value, let path):
            write(value, followedBy: path)
        case .meta(let property, let source): write(property, source)
        case .operation(let operation, let operands): write(operation, operands)
        case .function(let name, let arguments): write(name + "(", arguments, ")")
        case .call(let call): write(call)
        case .subquery(let query): writeNested(query)
        case .collate(let collation, let value):
            // Without parentheses COLLATE would apply to the last condition only.
            write(value, value.isOfBooleans ? .primary : .collation)
            write(collation)
        case .cases(let subject, let branches, let otherwise):
            write(subject, branches, otherwise)
        case .quantified(let quantifier): write(quantifier)
        case .match(let index, let words): write("MATCH(\(Self.quotedName(index)), ", [words], ")")
        case .rank(let index): append("RANK(\(Self.quotedName(index)))")
        case .prediction(let model, let input, let property):
            writeModel(model)
            write(", ", [input], "")
            if let property { writePredicted(property) }
            append(")")
        case .blob(let path):
            append("BLOB(")
            write(path)
            append(")")
        case .located(_, let value): writeBare(value)
        }
    }

    /// Writes `PREDICTION(` and the model: a name is that of the model itself.
    private mutating func writeModel(_ model: QueryExpression) {
        switch model {
        case .literal(.string(let name)) where !name.isEmpty:
            append("PREDICTION(\(Self.quotedName(name))")
        case .property, .variable: write("PREDICTION((", [model], ")")
        default: write("PREDICTION(", [model], "")
        }
    }

    private mutating func write(_ property: MetaProperty, _ source: String?) {
        if let source, let sourceNames, !sourceNames.contains(source), property != .all {
            // META() applies to sources only; this is a property, unless a source has that name.
            return write(PropertyPath([.key(source), .key(property.shortName)]))
        }
        append("META(\(source.map(Self.quotedName) ?? ""))")
        if property != .all { append("." + property.rawValue) }
    }

    private mutating func write(_ begin: String, _ list: [QueryExpression], _ end: String) {
        append(begin)
        write(list)
        append(end)
    }
}

extension QueryExpression {
    /// The precedence of the expression when it is written.
    var precedence: SQLPPPrecedence {
        switch self {
        case .collate: .collation
        case .literal(let literal): literal.isNumber ? .sign : .primary
        case .operation(.subtract, let operands) where operands.count == 1: .sign
        // NOT LIKE, NOT BETWEEN, IS NOT VALUED
        case .operation(.not, let operands): operands.first?.canBeNegated == true ? .equality : .not
        case .operation(let operation, _): operation.precedence
        case .located(_, let value): value.precedence
        default: .primary
        }
    }

    fileprivate var isOfBooleans: Bool {
        guard case .operation(let known, _) = self else { return false }
        return known == .and || known == .or || known == .not
    }

    /// Whether a preceding `NOT` is written within it.
    var canBeNegated: Bool {
        switch self {
        case .operation(.like, _), .operation(.between, _), .operation(.isValued, _): true
        default: false
        }
    }
}

extension QueryLiteral {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .real: true
        default: false
        }
    }
}
