internal import FleeceLite

/// Writes statements and expressions in their JSON form, which parses to the same tree.
///
/// The form is canonical: equal trees have equal JSON text. Index names are derived from it.
package struct QueryJSONWriter {
    var text = JSONText()
    /// Whether the expression is inside a `COLLATE`.
    private var isCollated = false

    /// The JSON text of one expression.
    package static func text(_ expression: QueryExpression) -> String {
        var writer = QueryJSONWriter()
        writer.write(expression)
        return writer.text.string
    }

    /// The JSON text of a list of expressions.
    package static func text(_ expressions: [QueryExpression]) -> String {
        var writer = QueryJSONWriter()
        writer.list(expressions) { $0.write($1) }
        return writer.text.string
    }

    mutating func write(_ expression: QueryExpression) {
        switch expression {
        case .literal(let literal): write(literal)
        case .array(let elements): operation("[]", elements)
        case .dictionary(let entries): dictionary(entries)
        case .property(let path): named("." + Self.pathText(path))
        case .variable(let name, let path): variable(name, path)
        case .parameter(let name): named("$" + name)
        case .nested(let value, let path): operation("_." + Self.pathText(path), [value])
        case .meta(let property, let source): meta(property, source)
        case .operation(let known, let operands): operation(known.rawValue, operands)
        case .function(let name, let arguments): operation(name + "()", arguments)
        case .call(let call): write(call)
        case .subquery(let query): writeNested(query)
        case .collate(let collation, let value): collate(collation, value)
        case .cases(let subject, let branches, let otherwise):
            cases(subject, branches, otherwise)
        case .quantified(let quantifier): quantified(quantifier)
        case .match(let index, let words): operation("MATCH()", [.string(index), words])
        case .rank(let index): operation("RANK()", [.string(index)])
        case .prediction(let model, let input, let property):
            let path = property.map { QueryExpression.string("." + Self.pathText($0)) }
            operation("PREDICTION()", [model, input] + (path.map { [$0] } ?? []))
        case .blob(let path): operation("BLOB", [.string(Self.pathText(path))])
        case .located(_, let value): write(value)
        }
    }

    private static func pathText(_ path: PropertyPath) -> String {
        path.components.isEmpty ? "" : path.description
    }
}

extension QueryExpression {
    /// A string literal.
    package static func string(_ text: String) -> QueryExpression { .literal(.string(text)) }
}

extension QueryJSONWriter {
    private mutating func write(_ literal: QueryLiteral) {
        switch literal {
        case .missing: text.append(#"["MISSING"]"#)
        case .null: text.append("null")
        case .boolean(let bool): text.append(bool ? "true" : "false")
        case .integer(let number): text.append(number)
        case .unsigned(let number): text.append(number)
        case .real(let number): text.utf8 += Array("\(number)".utf8)
        case .string(let string): text.append(quoted: string)
        }
    }

    mutating func list<Element>(
        _ elements: [Element], _ write: (inout QueryJSONWriter, Element) -> Void
    ) {
        text.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(",") }
            write(&self, element)
        }
        text.append("]")
    }

    mutating func operation(_ name: String, _ operands: [QueryExpression]) {
        list([.string(name)] + operands) { $0.write($1) }
    }

    private mutating func named(_ name: String) { operation(name, []) }

    private mutating func dictionary(_ entries: [QueryDictionaryEntry]) {
        text.append("{")
        for (index, entry) in entries.sortedByKey.enumerated() {
            if index > 0 { text.append(",") }
            text.append(quoted: entry.key)
            text.append(":")
            write(entry.value)
        }
        text.append("}")
    }

    private mutating func meta(_ property: MetaProperty, _ source: String?) {
        if property == .all { return operation("META()", source.map { [.string($0)] } ?? []) }
        let source = source.map { [PropertyPath.Component.key($0)] } ?? []
        named("." + PropertyPath(source + [.key(property.shortName)]).description)
    }

    /// A name that contains a dot is written apart from the path that follows it.
    private mutating func variable(_ name: String, _ path: PropertyPath) {
        guard name.utf8.contains(UInt8(ascii: ".")) else {
            let path = path.components.isEmpty ? "" : "." + path.description
            return named("?" + name + path)
        }
        let steps = [.key("?"), .key(name)] + path.components
        list(steps) { writer, step in
            switch step {
            case .key(let key): writer.text.append(quoted: key)
            case .index(let index):
                writer.text.append("[")
                writer.text.append(Int64(index))
                writer.text.append("]")
            }
        }
    }

    private mutating func collate(_ collation: QueryCollation, _ value: QueryExpression) {
        text.append(#"["COLLATE",{"CASE":"#)
        write(.boolean(collation.isCaseSensitive))
        text.append(#","DIAC":"#)
        write(.boolean(collation.isDiacriticSensitive))
        // Without it, the expression would inherit the locale of the enclosing COLLATE.
        if !collation.locale.isEmpty || isCollated {
            text.append(#","LOCALE":"#)
            text.append(quoted: collation.locale)
        }
        text.append(#","UNICODE":"#)
        write(.boolean(collation.isUnicode))
        text.append("},")
        let outer = isCollated
        isCollated = true
        write(value)
        isCollated = outer
        text.append("]")
    }

    private mutating func cases(
        _ subject: QueryExpression?, _ branches: [QueryCase], _ otherwise: QueryExpression?
    ) {
        let parts = branches.flatMap { [$0.condition, $0.value] }
        operation(
            "CASE", [subject ?? .literal(.null)] + parts + (otherwise.map { [$0] } ?? []))
    }

    private mutating func quantified(_ quantifier: QueryQuantifier) {
        operation(
            quantifier.kind.rawValue,
            [.string(quantifier.variable), quantifier.collection, quantifier.condition])
    }
}

extension QueryJSONWriter {
    mutating func write(_ call: QueryCall) {
        text.append("[\"CALL\",")
        object { object in
            object.text("FUNCTION", call.function)
            object.list("ARGUMENTS", call.arguments) { $0.write($1) }
            object.bool("DISTINCT", call.isDistinct)
            object.expression("FILTER", call.filter)
            if let window = call.window { object.value("OVER") { $0.write(window) } }
        }
        text.append("]")
    }

    private mutating func write(_ window: QueryWindow) {
        object { object in
            object.list("PARTITION_BY", window.partitions) { $0.write($1) }
            object.list("ORDER_BY", window.order) { $0.write($1) }
            if let frame = window.frame { object.value("FRAME") { $0.write(frame) } }
        }
    }

    private mutating func write(_ frame: QueryFrame) {
        object { object in
            object.text("UNIT", frame.unit.rawValue)
            object.value("START") { $0.write(frame.start) }
            if let end = frame.end { object.value("END") { $0.write(end) } }
            object.text("EXCLUDE", frame.exclusion?.rawValue)
        }
    }

    private mutating func write(_ bound: QueryFrame.Bound) {
        switch bound {
        case .unboundedPreceding: text.append("[\"UNBOUNDED PRECEDING\"]")
        case .preceding(let distance): operation("PRECEDING", [distance])
        case .currentRow: text.append("[\"CURRENT ROW\"]")
        case .following(let distance): operation("FOLLOWING", [distance])
        case .unboundedFollowing: text.append("[\"UNBOUNDED FOLLOWING\"]")
        }
    }
}
