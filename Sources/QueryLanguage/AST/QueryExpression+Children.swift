extension QueryExpression {
    /// Returns the expression with each of its direct subexpressions replaced; subqueries are not
    /// changed.
    func mappingChildren(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .literal, .property, .variable, .parameter, .meta, .rank, .blob, .subquery: self
        case .array(let elements): .array(try elements.map(map))
        case .dictionary(let entries):
            .dictionary(
                try entries.map { QueryDictionaryEntry(key: $0.key, value: try map($0.value)) })
        case .nested(let value, let path): .nested(try map(value), path)
        case .operation(let known, let operands): .operation(known, try operands.map(map))
        case .function(let name, let arguments): .function(name, try arguments.map(map))
        case .call(let call): .call(try call.mappingExpressions(map))
        case .collate(let collation, let value): .collate(collation, try map(value))
        case .cases(let subject, let branches, let otherwise):
            .cases(
                subject: try subject.map(map),
                try branches.map {
                    QueryCase(condition: try map($0.condition), value: try map($0.value))
                }, otherwise: try otherwise.map(map))
        case .quantified(let quantifier): .quantified(try quantifier.mappingExpressions(map))
        case .match(let index, let words): .match(index: index, words: try map(words))
        case .prediction(let model, let input, let property):
            .prediction(model: try map(model), input: try map(input), property: property)
        case .located(let position, let value): .located(position, try map(value))
        }
    }
}

extension QueryQuantifier {
    fileprivate func mappingExpressions(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryQuantifier {
        var quantifier = self
        quantifier.collection = try map(collection)
        quantifier.condition = try map(condition)
        return quantifier
    }
}

extension QueryCall {
    fileprivate func mappingExpressions(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryCall {
        var call = self
        call.arguments = try arguments.map(map)
        call.filter = try filter.map(map)
        call.window = try window?.mappingExpressions(map)
        return call
    }
}

extension QueryWindow {
    fileprivate func mappingExpressions(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryWindow {
        var window = self
        window.partitions = try partitions.map(map)
        window.order = try order.map { try $0.mappingExpression(map) }
        window.frame?.start = try frame?.start.mappingDistance(map) ?? .currentRow
        window.frame?.end = try frame?.end?.mappingDistance(map)
        return window
    }
}

extension QueryOrder {
    /// Returns the order with its expression replaced.
    func mappingExpression(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryOrder {
        var order = self
        order.expression = try map(expression)
        return order
    }
}

extension QueryFrame.Bound {
    fileprivate func mappingDistance(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryFrame.Bound {
        switch self {
        case .preceding(let distance): .preceding(try map(distance))
        case .following(let distance): .following(try map(distance))
        case .unboundedPreceding, .currentRow, .unboundedFollowing: self
        }
    }
}
