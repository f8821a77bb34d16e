internal import FleeceLite
internal import StoreFormat

extension BoundExpression {
    /// The expression as in the definition of an index: without the names of sources.
    package var definition: QueryExpression {
        switch form {
        case .literal(let literal): .literal(literal)
        case .array(let elements): .array(elements.map(\.definition))
        case .dictionary(let entries):
            .dictionary(
                entries.map { QueryDictionaryEntry(key: $0.key, value: $0.value.definition) })
        case .property(_, let path): .property(path)
        case .variable(let variable, let path): .variable(variable.name, path)
        case .parameter(let name): .parameter(name)
        case .nested(let value, let path): .nested(value.definition, path)
        case .metadata(let property, _): .meta(property, source: nil)
        case .operation(let known, let operands): .operation(known, operands.map(\.definition))
        case .function(let function, let arguments):
            .function(function.name, arguments.map(\.definition))
        case .call(let call):
            .function(call.function.name, call.arguments.map(\.definition))
        case .subquery: .literal(.missing)
        case .collate(let collation, let value): .collate(collation, value.definition)
        case .cases(let subject, let branches, let otherwise):
            .cases(
                subject: subject?.definition,
                branches.map {
                    QueryCase(condition: $0.condition.definition, value: $0.value.definition)
                }, otherwise: otherwise?.definition)
        case .quantified(let quantifier):
            .quantified(
                QueryQuantifier(
                    kind: quantifier.kind, variable: quantifier.variable.name,
                    collection: quantifier.collection.definition,
                    condition: quantifier.condition.definition))
        case .match(let index, let words): .match(index: index.name, words: words.definition)
        case .rank(let index): .rank(index: index.name)
        case .prediction(let model, let input, let property):
            .prediction(
                model: model.definition, input: input.definition, property: property)
        case .blob(_, let path): .blob(path)
        }
    }
}
