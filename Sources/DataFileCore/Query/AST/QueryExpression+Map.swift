internal import FleeceLite

extension QueryExpression {
    /// The expression with its properties replaced by other expressions; queries inside of it stay
    /// as they are.
    func mappingProperties(
        _ map: (PropertyPath) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .property(let path): return try map(path)
        case .array(let elements): return .array(try elements.map { try $0.mappingProperties(map) })
        case .dictionary(let entries):
            return .dictionary(
                try entries.map {
                    QueryDictionaryEntry(key: $0.key, value: try $0.value.mappingProperties(map))
                })
        case .nested(let value, let path): return .nested(try value.mappingProperties(map), path)
        case .operation(let known, let operands):
            return .operation(known, try operands.map { try $0.mappingProperties(map) })
        case .function(let name, let arguments):
            return .function(name, try arguments.map { try $0.mappingProperties(map) })
        case .collate(let order, let value):
            return .collate(order, try value.mappingProperties(map))
        case .cases(let subject, let branches, let otherwise):
            return .cases(
                subject: try subject?.mappingProperties(map),
                try branches.map {
                    QueryCase(
                        condition: try $0.condition.mappingProperties(map),
                        value: try $0.value.mappingProperties(map))
                }, otherwise: try otherwise?.mappingProperties(map))
        case .quantified(var quantifier):
            quantifier.collection = try quantifier.collection.mappingProperties(map)
            quantifier.condition = try quantifier.condition.mappingProperties(map)
            return .quantified(quantifier)
        case .match(let index, let words):
            return .match(index: index, words: try words.mappingProperties(map))
        case .prediction(let model, let input, let property):
            return .prediction(
                model: try model.mappingProperties(map), input: try input.mappingProperties(map),
                property: property)
        case .literal, .variable, .parameter, .meta, .call, .subquery, .rank, .blob: return self
        }
    }
}
