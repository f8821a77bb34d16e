internal import FleeceLite

extension SQLPPWriter {
    /// The SQL++ text of a statement.
    package static func text(_ statement: QueryStatement) -> String {
        var writer = Self()
        writer.sourceNames = []
        switch statement {
        case .select(let query): writer.write(query)
        case .update(let update): writer.write(update)
        case .delete(let delete): writer.write(delete)
        }
        return writer.text
    }

    private mutating func write(_ update: QueryUpdate) {
        append("UPDATE ")
        sourceNames?.formUnion(update.target.metaNames)
        write(update.target)
        if !update.assignments.isEmpty {
            append(" SET ")
            write(update.assignments) { writer, assignment in
                writer.write(update.target.path(to: assignment.path))
                writer.append(" = ")
                writer.write(assignment.value)
            }
        }
        if !update.removals.isEmpty {
            append(" UNSET ")
            write(update.removals) { $0.write(update.target.path(to: $1.path)) }
        }
        write(" WHERE ", update.condition)
        write(" LIMIT ", update.limit)
    }

    private mutating func write(_ delete: QueryDelete) {
        append("DELETE FROM ")
        sourceNames?.formUnion(delete.target.metaNames)
        write(delete.target)
        write(" WHERE ", delete.condition)
        write(" LIMIT ", delete.limit)
    }

    private mutating func write<Element>(
        _ list: [Element], _ write: (inout Self, Element) -> Void
    ) {
        for (index, element) in list.enumerated() {
            if index > 0 { append(", ") }
            write(&self, element)
        }
    }

    private mutating func write(_ before: String, _ expression: QueryExpression?) {
        guard let expression else { return }
        append(before)
        write(expression)
    }

    private mutating func writeAlias(_ alias: String?) {
        if let alias { append(" AS " + Self.quotedName(alias)) }
    }
}

// MARK: Queries

extension SQLPPWriter {
    /// Writes a parenthesized query.
    mutating func writeNested(_ query: QuerySelect) { writeInParentheses { $0.write(query) } }

    /// Source names in parentheses are not visible outside.
    private mutating func writeInParentheses(_ body: (inout Self) -> Void) {
        let outer = sourceNames
        append("(")
        body(&self)
        append(")")
        sourceNames = outer
    }

    private mutating func write(_ query: QuerySelect) {
        if !query.with.isEmpty {
            append("WITH ")
            write(query.with) { writer, table in
                writer.append(Self.quotedName(table.name) + " AS ")
                writer.writeNested(table.query)
            }
            append(" ")
        }
        write(query.body)
        if !query.order.isEmpty {
            append(" ORDER BY ")
            write(query.order)
        }
        write(" LIMIT ", query.limit)
        write(" OFFSET ", query.offset)
    }

    mutating func write(_ order: [QueryOrder]) {
        write(order) { writer, order in
            writer.write(order.expression)
            if order.isDescending { writer.append(" DESC") }
            if let isLast = order.missingIsLast {
                writer.append(isLast ? " NULLS LAST" : " NULLS FIRST")
            }
        }
    }

    private mutating func write(_ body: QueryBody) {
        switch body {
        case .block(let block): write(block)
        case .nested(let query): writeNested(query)
        case .compound(let operation, let isAll, let left, let right):
            write(left, inParentheses: left.isLooser(than: operation))
            append(" \(operation.rawValue)\(isAll ? " ALL" : "") ")
            write(right, inParentheses: right.isLooser(than: operation, orEqual: true))
        }
    }

    private mutating func write(_ body: QueryBody, inParentheses: Bool) {
        inParentheses ? writeInParentheses { $0.write(body) } : write(body)
    }

    private mutating func write(_ block: QueryBlock) {
        for source in block.sources { sourceNames?.formUnion(source.metaNames) }
        append(block.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        if block.results.isEmpty { writeDefaultResults(of: block) }
        write(block.results) { writer, result in
            writer.write(result.expression)
            writer.writeAlias(result.alias)
        }
        for (index, source) in block.sources.enumerated() {
            append(index == 0 ? " FROM " : source.joiningWords)
            write(source)
            write(" ON ", source.condition)
        }
        if !block.bindings.isEmpty {
            append(" LET ")
            write(block.bindings) { writer, binding in
                writer.append(Self.quotedName(binding.name) + " = ")
                writer.write(binding.expression)
            }
        }
        write(" WHERE ", block.condition)
        if !block.groups.isEmpty {
            append(" GROUP BY ")
            write(block.groups)
        }
        write(" HAVING ", block.groupCondition)
    }

    /// Writes the default columns of a query without any, which only the JSON form allows.
    private mutating func writeDefaultResults(of block: QueryBlock) {
        let source = block.sources.count > 1 ? block.sources[0].name : nil
        write([.meta(.id, source: source), .meta(.sequence, source: source)])
    }

    private mutating func write(_ source: QuerySource) {
        switch source.kind {
        case .collection(let name):
            if let scope = name.scope { append(Self.quotedName(scope) + ".") }
            append(Self.quotedName(name.collection))
        case .unnest(let array): write(array)
        case .query(let query): writeNested(query)
        }
        writeAlias(source.alias)
    }
}

extension QueryBody {
    /// Whether it needs parentheses as an operand.
    fileprivate func isLooser(
        than operation: QuerySetOperator, orEqual: Bool = false
    ) -> Bool {
        guard case .compound(let own, _, _, _) = self else { return false }
        return own.tightness < operation.tightness
            || orEqual && own.tightness == operation.tightness
    }
}

extension QuerySetOperator {
    fileprivate var tightness: Int { self == .intersect ? 1 : 0 }
}

extension QuerySource {
    /// The words before it when it follows another source.
    fileprivate var joiningWords: String {
        let isLeft = join == .left
        if case .unnest = kind { return isLeft ? " LEFT UNNEST " : " UNNEST " }
        return isLeft ? " LEFT JOIN " : join == .cross ? " CROSS JOIN " : " JOIN "
    }
}
