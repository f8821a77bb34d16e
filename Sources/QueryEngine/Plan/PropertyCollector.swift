internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage

/// Collects the document properties that a query uses.
struct PropertyCollector {
    private let translation: QueryTranslation
    private(set) var found: [QueriedProperty] = []
    private var known: Set<QueriedProperty> = []

    /// - Parameter catalog: the catalog of the file; it must outlive the collector.
    init(_ catalog: SnapshotCatalog) {
        translation = QueryTranslation(catalog, .init())
    }

    /// Adds the properties of a query.
    ///
    /// - Parameter outer: the names of the outer query.
    mutating func add(_ query: QuerySelect, outer: QueryScope?) {
        for table in query.with { add(table.query, outer: outer) }
        add(query.body, query, outer)
    }

    /// Adds a property of a collection.
    mutating func add(
        _ path: PropertyPath, of collection: CollectionName, isBareOperand: Bool = false
    ) {
        guard !path.components.isEmpty else { return }
        let property = QueriedProperty(
            collection: collection, path: path, isBareOperand: isBareOperand)
        if known.insert(property).inserted { found.append(property) }
    }

    private mutating func add(_ body: QueryBody, _ query: QuerySelect, _ outer: QueryScope?) {
        switch body {
        case .block(let block): add(block, query, outer)
        case .nested(let inner): add(inner, outer: outer)
        case .compound(_, _, let left, let right):
            add(left, QuerySelect(with: query.with, body: left), outer)
            add(right, QuerySelect(with: query.with, body: right), outer)
        }
    }

    private mutating func add(_ block: QueryBlock, _ query: QuerySelect, _ outer: QueryScope?) {
        for case .query(let inner) in block.sources.map(\.kind) { add(inner, outer: outer) }
        var writer =
            outer.map { SQLQueryWriter(outer: $0, []) } ?? SQLQueryWriter(translation)
        guard
            let (block, tail) = try? block.withoutOrdinalPositions(
                block.results, QueryTail(order: query.order)),
            let scope = try? writer.scope(of: block, tail, with: query.with)
        else { return }
        var expressions = block.results.map(\.expression) + block.bindings.map(\.expression)
        expressions += block.sources.compactMap(\.condition) + block.groups
        for case .unnest(let array) in block.sources.map(\.kind) { expressions.append(array) }
        expressions += [block.condition, block.groupCondition].compactMap(\.self)
        for expression in expressions + tail.order.map(\.expression) { add(expression, scope) }
    }

    private mutating func add(_ expression: QueryExpression, _ scope: QueryScope) {
        var operands: Set<PropertyPath> = []
        // The properties that are tested for existence only.
        var tested: [PropertyPath] = []
        expression.visit { part in
            switch part {
            case .operation(.isValued, let sides),
                .operation(.is, let sides) where sides.contains(.literal(.missing)),
                .operation(.isNot, let sides) where sides.contains(.literal(.missing)):
                for case .property(let path) in sides { tested.append(path) }
            case .operation(let known, let sides) where known.isComparison || known == .in:
                for case .property(let path) in sides.dropFirst() { operands.insert(path) }
            case .property(let path) where tested.contains(path):
                tested.removeAll { $0 == path }
            case .property(let path): add(path, scope, isOperand: operands.contains(path))
            case .blob(let path): add(path, scope, isOperand: false)
            case .subquery(let query): add(query, outer: scope)
            default: break
            }
        }
    }

    private mutating func add(_ path: PropertyPath, _ scope: QueryScope, isOperand: Bool) {
        guard case .source(let source, let rest)? = try? scope.resolution(of: path) else { return }
        switch source.kind {
        case .records(let table):
            guard let collection = CollectionName(table.store) else { return }
            add(
                rest, of: collection,
                isBareOperand: isOperand && path == rest && path.components.count == 1)
        case .elements(of: let owner, let array):
            guard
                case .records(let table)? = scope.sources.first(where: { $0.sql == owner })?.kind,
                let collection = CollectionName(table.store), !rest.components.isEmpty
            else { return }
            add(PropertyPath(array.components + rest.components), of: collection)
        case .indexed, .rows: break
        }
    }
}
