internal import FleeceLite
internal import QueryLanguage

extension IndexSpec {
    /// The definition without `_`, by which statements call the documents: `_.age` becomes `age`,
    /// as a query of the collection means it. In an index it would be the property `age` of a
    /// property `_`.
    ///
    /// The texts stay as they are where nothing is called so.
    ///
    /// Throws `.invalidQuery`.
    package func withoutSourceName() throws -> IndexSpec {
        let definition = try IndexDefinition(expressions, where: condition)
        let mapped = definition.expressions.map(\.withoutSourceName)
        let mappedCondition = definition.condition?.withoutSourceName
        let mappedKind = kind.withoutSourceName
        let isSame = mapped == definition.expressions && mappedCondition == definition.condition
        guard !isSame || mappedKind != kind else { return self }
        guard !isSame else { return IndexSpec(name, mappedKind, on: expressions, where: condition) }
        switch expressions.language {
        case .sqlPlusPlus:
            return IndexSpec(
                name, mappedKind, on: .sqlPlusPlus(SQLPlusPlusWriter.text(mapped)),
                where: mappedCondition.map { SQLPlusPlusWriter.text($0) })
        case .json:
            return IndexSpec(
                name, mappedKind, on: .json(QueryJSONWriter.text(mapped)),
                where: mappedCondition.map { QueryJSONWriter.text($0) })
        }
    }
}

extension IndexSpec.Kind {
    fileprivate var withoutSourceName: IndexSpec.Kind {
        guard case .array(let path) = self, path.hasPrefix("_.") else { return self }
        return .array(path: String(path.dropFirst(2)))
    }
}

extension QueryExpression {
    fileprivate var withoutSourceName: QueryExpression {
        mappingProperties { path in
            guard path.components.count > 1, path.components[0] == .key("_"),
                case .key = path.components[1]
            else { return .property(path) }
            return .property(PropertyPath(Array(path.components.dropFirst())))
        }
    }
}
