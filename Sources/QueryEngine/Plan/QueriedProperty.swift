package import DataFileCore
package import FleeceLite
internal import QueryLanguage

/// A document property that a query or an index uses.
package struct QueriedProperty: Hashable, Sendable {
    /// The collection of the documents.
    package let collection: CollectionName
    /// The path from the document; elements of arrays have no component.
    package let path: PropertyPath
    /// Whether it is a single unquoted word in a comparison, where a string is often meant.
    package let isBareOperand: Bool
}

extension Query {
    /// The names of the parameters in the query, in the order of their first use.
    package var parameterNames: [String] {
        var names = ParameterNames()
        names.add(statement)
        return names.found
    }

    /// The document properties that the query uses, each once.
    ///
    /// Properties of the results of subqueries, and those whose collection is ambiguous, are
    /// omitted.
    package func properties(in snapshot: Snapshot) throws -> [QueriedProperty] {
        let catalog = SnapshotCatalog(snapshot)
        var properties = PropertyCollector()
        try locatingErrors(in: snapshot) { try properties.add(statement.selection, catalog) }
        if case .update(let update) = statement, case .collection(let name) = update.target.kind {
            let collection = try CollectionName(name.text)
            for removal in update.removals { properties.add(removal.path, of: collection) }
        }
        return properties.found
    }
}

extension IndexSpec {
    /// The document properties that the index covers, each once.
    ///
    /// - Throws: `.invalidQuery`.
    package func properties(of collection: CollectionName) throws -> [QueriedProperty] {
        let definition = try IndexDefinition(expressions, where: condition)
        var start = PropertyPath([])
        if case .array(let path) = kind {
            // `contacts[].phones`: a path in an array is looked up in each element.
            start = try PropertyPath(parsing: path.replacing("[]", with: ""), syntax: .lenient)
        }
        var found: [QueriedProperty] = []
        func add(_ path: PropertyPath) {
            let property = QueriedProperty(
                collection: collection, path: path, isBareOperand: false)
            if !path.components.isEmpty, !found.contains(property) { found.append(property) }
        }
        if definition.expressions.isEmpty { add(start) }
        for expression in definition.expressions {
            expression.visit {
                guard case .property(let path) = $0 else { return }
                add(PropertyPath(start.components + path.withoutSource.components))
            }
        }
        definition.condition?.visit {
            if case .property(let path) = $0 { add(path.withoutSource) }
        }
        return found
    }
}

extension PropertyPath {
    /// The path without `_`, the name of the documents themselves.
    fileprivate var withoutSource: PropertyPath {
        guard components.count > 1, components[0] == .key("_") else { return self }
        return PropertyPath(Array(components.dropFirst()))
    }
}

/// Collects the parameter names of a statement.
private struct ParameterNames {
    private(set) var found: [String] = []

    mutating func add(_ statement: QueryStatement) {
        switch statement {
        case .select(let query): add(query)
        case .update(let update):
            for assignment in update.assignments { add(assignment.value) }
            add(update.condition)
            add(update.limit)
        case .delete(let delete):
            add(delete.condition)
            add(delete.limit)
        }
    }

    private mutating func add(_ query: QuerySelect) {
        for table in query.with { add(table.query) }
        add(query.body)
        for order in query.order { add(order.expression) }
        add(query.limit)
        add(query.offset)
    }

    private mutating func add(_ body: QueryBody) {
        switch body {
        case .nested(let query): add(query)
        case .compound(_, _, let left, let right):
            add(left)
            add(right)
        case .block(let block):
            for result in block.results { add(result.expression) }
            for source in block.sources { add(source) }
            for binding in block.bindings { add(binding.expression) }
            add(block.condition)
            for group in block.groups { add(group) }
            add(block.groupCondition)
        }
    }

    private mutating func add(_ source: QuerySource) {
        switch source.kind {
        case .collection: break
        case .unnest(let array): add(array)
        case .query(let query): add(query)
        }
        add(source.condition)
    }

    private mutating func add(_ expression: QueryExpression?) {
        expression?.visit { part in
            switch part {
            case .parameter(let name): if !found.contains(name) { found.append(name) }
            case .subquery(let query): add(query)
            default: break
            }
        }
    }
}
