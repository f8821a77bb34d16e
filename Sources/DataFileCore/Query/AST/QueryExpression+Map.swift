internal import FleeceLite

extension QueryExpression {
    /// The expression with its properties replaced by other expressions; queries inside of it stay
    /// as they are.
    func mappingProperties(
        _ map: (PropertyPath) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        try mappingLeaves { leaf in
            if case .property(let path) = leaf { return try map(path) }
            return leaf
        }
    }

    /// The expression with those in it that consist of no others replaced; queries inside of it
    /// stay as they are.
    func mappingLeaves(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .array(let elements): return .array(try elements.map { try $0.mappingLeaves(map) })
        case .dictionary(let entries):
            return .dictionary(
                try entries.map {
                    QueryDictionaryEntry(key: $0.key, value: try $0.value.mappingLeaves(map))
                })
        case .nested(let value, let path): return .nested(try value.mappingLeaves(map), path)
        case .operation(let known, let operands):
            return .operation(known, try operands.map { try $0.mappingLeaves(map) })
        case .function(let name, let arguments):
            return .function(name, try arguments.map { try $0.mappingLeaves(map) })
        case .collate(let order, let value):
            return .collate(order, try value.mappingLeaves(map))
        case .cases(let subject, let branches, let otherwise):
            return .cases(
                subject: try subject?.mappingLeaves(map),
                try branches.map {
                    QueryCase(
                        condition: try $0.condition.mappingLeaves(map),
                        value: try $0.value.mappingLeaves(map))
                }, otherwise: try otherwise?.mappingLeaves(map))
        case .quantified(var quantifier):
            quantifier.collection = try quantifier.collection.mappingLeaves(map)
            quantifier.condition = try quantifier.condition.mappingLeaves(map)
            return .quantified(quantifier)
        case .match(let index, let words):
            return .match(index: index, words: try words.mappingLeaves(map))
        case .prediction(let model, let input, let property):
            return .prediction(
                model: try model.mappingLeaves(map), input: try input.mappingLeaves(map),
                property: property)
        case .literal, .property, .variable, .parameter, .meta, .call, .subquery, .rank, .blob:
            return try map(self)
        }
    }
}
