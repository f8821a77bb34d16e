internal import FleeceLite

extension QueryJSONWriter {
    /// The JSON text of a statement.
    package static func text(_ statement: QueryStatement) -> String {
        var writer = QueryJSONWriter()
        switch statement {
        case .select(let query): writer.write(query)
        case .update(let update): writer.write(update)
        case .delete(let delete): writer.write(delete)
        }
        return writer.text.string
    }

    private mutating func write(_ update: QueryUpdate) {
        text.append("[\"UPDATE\",")
        object { object in
            object.target(update.target)
            object.list("SET", update.assignments) { writer, assignment in
                writer.text.append("[\"=\",")
                writer.text.append(quoted: "." + assignment.path.description)
                writer.text.append(",")
                writer.write(assignment.value)
                writer.text.append("]")
            }
            object.list("UNSET", update.removals) {
                $0.text.append(quoted: "." + $1.path.description)
            }
            object.expression("WHERE", update.condition)
            object.expression("LIMIT", update.limit)
        }
        text.append("]")
    }

    private mutating func write(_ delete: QueryDelete) {
        text.append("[\"DELETE\",")
        object { object in
            object.target(delete.target)
            object.expression("WHERE", delete.condition)
            object.expression("LIMIT", delete.limit)
        }
        text.append("]")
    }
}

// MARK: Queries

extension QueryJSONWriter {
    /// Writes a query as an expression.
    mutating func writeNested(_ query: QuerySelect) {
        if query.isBare, case .compound = query.body { return write(query) }
        text.append("[\"SELECT\",")
        write(query)
        text.append("]")
    }

    /// Writes a query where only a query is allowed.
    mutating func write(_ query: QuerySelect) {
        if query.isBare, case .compound = query.body { return write(query.body) }
        object { object in
            object.list("WITH", query.with) { writer, table in
                writer.object { object in
                    object.text("AS", table.name)
                    object.value("SELECT") { $0.write(table.query) }
                }
            }
            if case .block(let block) = query.body {
                object.block(block)
            } else {
                object.value("SELECT") { $0.write(query.body) }
            }
            object.list("ORDER_BY", query.order) { $0.write($1) }
            object.expression("LIMIT", query.limit)
            object.expression("OFFSET", query.offset)
        }
    }

    private mutating func write(_ body: QueryBody) {
        switch body {
        case .block(let block): object { $0.block(block) }
        case .nested(let query): write(query)
        case .compound(let operation, let isAll, _, _):
            let name = operation.rawValue + (isAll ? " ALL" : "")
            list([nil] + body.operands(of: operation, isAll: isAll)) { writer, operand in
                if let operand { return writer.write(operand) }
                writer.text.append(quoted: name)
            }
        }
    }

    mutating func write(_ order: QueryOrder) {
        if let isLast = order.missingIsLast {
            text.append(isLast ? "[\"NULLS LAST\"," : "[\"NULLS FIRST\",")
        }
        // A string alone would be a property.
        let hasDirection = order.isDescending || order.expression.isText
        if hasDirection { text.append(order.isDescending ? "[\"DESC\"," : "[\"ASC\",") }
        write(order.expression)
        if hasDirection { text.append("]") }
        if order.missingIsLast != nil { text.append("]") }
    }

    fileprivate mutating func write(_ result: QueryResult) {
        // A string alone would be a property.
        guard result.expression.isText || result.alias != nil else {
            return write(result.expression)
        }
        write(result.expression, alias: result.alias)
    }

    fileprivate mutating func write(_ expression: QueryExpression, alias: String?) {
        text.append("[\"AS\",")
        write(expression)
        if let alias {
            text.append(",")
            text.append(quoted: alias)
        }
        text.append("]")
    }

    fileprivate mutating func write(_ source: QuerySource, isFirst: Bool) {
        object { object in
            switch source.kind {
            case .collection(let name): object.collection(name)
            case .unnest(let array): object.expression("UNNEST", array)
            case .query(let query): object.value("SELECT") { $0.write(query) }
            }
            object.text("AS", source.alias?.replacing("\\", with: "\\\\"))
            if !isFirst, !source.isInnerUnnest { object.text("JOIN", source.join?.rawValue) }
            object.expression("ON", source.condition)
        }
    }
}

extension QueryExpression {
    /// Whether it is a string literal.
    fileprivate var isText: Bool { if case .literal(.string) = self { true } else { false } }
}

extension QuerySource {
    /// Whether it is an inner `UNNEST`, whose join needs no name.
    fileprivate var isInnerUnnest: Bool {
        if case .unnest = kind { join == .inner } else { false }
    }
}

extension QueryBody {
    /// The operands of a chain of one operator.
    fileprivate func operands(of operation: QuerySetOperator, isAll: Bool) -> [QueryBody] {
        var (operands, rest): ([QueryBody], QueryBody) = ([], self)
        while case .compound(operation, isAll: isAll, let left, let right) = rest {
            operands.append(right)
            rest = left
        }
        return (operands + [rest]).reversed()
    }
}

// MARK: Dictionaries

/// A dictionary that is being written.
struct QueryJSONObject {
    var writer: QueryJSONWriter
    private var isEmpty = true

    init(_ writer: QueryJSONWriter) { self.writer = writer }

    mutating func value(_ key: String, _ write: (inout QueryJSONWriter) -> Void) {
        if !isEmpty { writer.text.append(",") }
        isEmpty = false
        writer.text.append(quoted: key)
        writer.text.append(":")
        write(&writer)
    }

    mutating func text(_ key: String, _ text: String?) {
        guard let text else { return }
        value(key) { $0.text.append(quoted: text) }
    }

    mutating func expression(_ key: String, _ expression: QueryExpression?) {
        guard let expression else { return }
        value(key) { $0.write(expression) }
    }

    mutating func list<Element>(
        _ key: String, _ elements: [Element], _ write: (inout QueryJSONWriter, Element) -> Void
    ) {
        if !elements.isEmpty { value(key) { $0.list(elements, write) } }
    }

    mutating func bool(_ key: String, _ bool: Bool) {
        if bool { value(key) { $0.text.append("true") } }
    }

    mutating func collection(_ name: QueryCollectionName) {
        text("COLLECTION", name.collection)
        text("SCOPE", name.scope)
    }

    mutating func target(_ source: QuerySource) {
        if case .collection(let name) = source.kind { collection(name) }
        text("AS", source.alias)
    }

    mutating func block(_ block: QueryBlock) {
        bool("DISTINCT", block.isDistinct)
        list("WHAT", block.results) { $0.write($1) }
        list("FROM", Array(block.sources.enumerated())) { writer, item in
            writer.write(item.element, isFirst: item.offset == 0)
        }
        list("LET", block.bindings) { $0.write($1.expression, alias: $1.name) }
        expression("WHERE", block.condition)
        list("GROUP_BY", block.groups) { $0.write(QueryResult(expression: $1)) }
        expression("HAVING", block.groupCondition)
    }
}

extension QueryJSONWriter {
    /// A dictionary.
    mutating func object(_ write: (inout QueryJSONObject) -> Void) {
        text.append("{")
        var object = QueryJSONObject(self)
        // The object owns the text while it is written, to avoid a copy.
        text = JSONText()
        write(&object)
        self = object.writer
        text.append("}")
    }
}
