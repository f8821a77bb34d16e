internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage

/// Collects the document properties that a query uses.
struct PropertyCollector {
    private(set) var found: [QueriedProperty] = []
    private var known: Set<QueriedProperty> = []
    /// The paths that are compared as they are written, on the right of an operator.
    private var operands: Set<PropertyPath> = []

    /// Adds the properties of a query.
    ///
    /// - Throws: the errors of resolving its names.
    mutating func add(_ query: QuerySelect, _ catalog: SnapshotCatalog) throws {
        let resolved = try QueryResolver.resolve(query, catalog)
        Self.visit(query) { note($0) }
        add(QueryTyper().type(resolved))
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

    private mutating func note(_ expression: QueryExpression) {
        guard case .operation(let known, let sides) = expression, known.isComparison else { return }
        for case .property(let path) in sides.dropFirst() where path.components.count == 1 {
            operands.insert(path)
        }
    }

    private mutating func add(_ query: BoundQuery) {
        for block in query.blocks {
            for expression in block.expressions { add(expression, isOperand: false) }
        }
    }

    private mutating func add(_ expression: BoundExpression, isOperand: Bool) {
        switch expression.form {
        case .property(let source, let path): add(path, of: source, isOperand: isOperand)
        case .blob(let source, let path): add(path, of: source, isOperand: false)
        case .subquery(let query): add(query)
        case .operation(let known, let sides):
            let isTest = known == .isValued || known == .is || known == .isNot
            for (index, side) in sides.enumerated() {
                // A property that is only tested for existence may well be missing.
                if isTest, known == .isValued || sides.contains(where: \.isMissing),
                    case .property = side.form
                {
                    continue
                }
                add(side, isOperand: known.isComparison && index > 0)
            }
        default: for part in expression.form.parts { add(part, isOperand: false) }
        }
    }

    private mutating func add(_ path: PropertyPath, of source: ResolvedSource, isOperand: Bool) {
        switch source.kind {
        case .documents(let table):
            guard let collection = CollectionName(table.store) else { return }
            add(path, of: collection, isBareOperand: isOperand && operands.contains(path))
        case .elements(let owner, let array):
            guard let store = owner.table?.store, let collection = CollectionName(store),
                !path.components.isEmpty
            else { return }
            add(PropertyPath(array.components + path.components), of: collection)
        case .rows, .indexedDocuments, .indexedElements: break
        }
    }
}

// The written expressions.
extension PropertyCollector {
    /// Calls `body` with all expressions of a query, those of subqueries included.
    private static func visit(_ query: QuerySelect, _ body: (QueryExpression) -> Void) {
        for table in query.with { visit(table.query, body) }
        visit(query.body, body)
        for order in query.order { visit(order.expression, body) }
    }

    private static func visit(_ part: QueryBody, _ body: (QueryExpression) -> Void) {
        switch part {
        case .block(let block):
            for case .query(let inner) in block.sources.map(\.kind) { visit(inner, body) }
            let expressions =
                block.results.map(\.expression) + block.bindings.map(\.expression)
                + block.sources.compactMap(\.condition) + block.groups
                + [block.condition, block.groupCondition].compactMap(\.self)
            for expression in expressions { visit(expression, body) }
        case .nested(let query): visit(query, body)
        case .compound(_, _, let left, let right):
            visit(left, body)
            visit(right, body)
        }
    }

    private static func visit(
        _ expression: QueryExpression, _ body: (QueryExpression) -> Void
    ) {
        expression.visit {
            body($0)
            if case .subquery(let query) = $0 { visit(query, body) }
        }
    }
}

extension BoundExpression {
    fileprivate var isMissing: Bool {
        if case .literal(.missing) = form { true } else { false }
    }
}
