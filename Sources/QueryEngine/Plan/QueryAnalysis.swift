internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage

/// The parts of a query that an index could serve, for each collection.
struct QueryAnalysis {
    /// The parts that concern one source.
    struct Source {
        let name: String
        let collection: CollectionName
        let table: QueryTable
        var terms: [Term] = []
        /// Conditions that no index can serve, with the reason.
        var obstacles: [String] = []
        /// `ORDER BY` or `GROUP BY`, if all of it depends on this source.
        var order: [Term] = []
        /// Arrays whose elements are compared.
        var arrays: [ArrayTerm] = []
        /// Predictions.
        var predictions: [QueryExpression] = []
    }

    /// An expression that is compared.
    struct Term: Hashable {
        /// The expression in SQL++, as in an index definition.
        let expression: String
        /// The expression in SQL, as in an index definition.
        let sql: String
        let isEquality: Bool
        /// Whether SQLite can use an index on it: not if one of its arguments is indexed too.
        let keepsTypes: Bool
    }

    /// An array whose elements, or their properties, are compared.
    struct ArrayTerm: Hashable {
        let path: String
        /// The compared property of an element, in SQL++; empty for the element itself.
        let expression: String
    }

    private(set) var sources: [Source] = []

    init(_ statement: QueryStatement, in snapshot: Snapshot) throws {
        guard case .select(let query) = statement else { return }
        let catalog = SnapshotCatalog(snapshot)
        try add(query, catalog)
        withExtendedLifetime(catalog) {}
    }

    /// The reasons why no index is used for a source that is scanned.
    func reasons(source name: String) -> [String] {
        guard let source = sources.first(where: { $0.name == name }) else { return [] }
        return source.reasons
    }
}

extension QueryAnalysis.Source {
    var reasons: [String] {
        if terms.isEmpty, obstacles.isEmpty, arrays.isEmpty {
            return order.isEmpty || table.indexes.leading.contains(order[0].sql)
                ? [] : ["no index has the order of \(order[0].expression)"]
        }
        let missing = terms.map { term -> String in
            if table.indexes.leading.contains(term.sql), !term.keepsTypes {
                return "the index on \(term.expression) is not used, since its operand is "
                    + "indexed too, and that index does not distinguish types"
            }
            if table.indexes.leading.contains(term.sql) {
                return "SQLite estimates that a full scan is faster than the index on "
                    + term.expression
            }
            return table.indexes.expressions.contains(term.sql)
                ? "\(term.expression) is not the first expression of its index, or the index is "
                    + "partial"
                : "no index on \(term.expression)"
        }
        let elements = arrays.filter { !table.indexes.hasArrayIndex($0.path) }
            .map { "the array \($0.path) has no array index" }
        return missing + elements + obstacles
    }
}

// The parts of a query.
extension QueryAnalysis {
    private mutating func add(_ query: QuerySelect, _ catalog: SnapshotCatalog) throws {
        for table in query.with { try add(table.query, catalog) }
        try add(query.body, query, catalog)
    }

    private mutating func add(
        _ body: QueryBody, _ query: QuerySelect, _ catalog: SnapshotCatalog
    ) throws {
        switch body {
        case .block(let block): try add(block, query, catalog)
        case .nested(let inner): try add(inner, catalog)
        case .compound(_, _, let left, let right):
            try add(left, QuerySelect(with: query.with, body: left), catalog)
            try add(right, QuerySelect(with: query.with, body: right), catalog)
        }
    }

    private mutating func add(
        _ block: QueryBlock, _ query: QuerySelect, _ catalog: SnapshotCatalog
    ) throws {
        for case .query(let inner) in block.sources.map(\.kind) { try add(inner, catalog) }
        let translation = QueryTranslation(catalog, .init())
        defer { withExtendedLifetime(catalog) {} }
        var writer = SQLQueryWriter(translation)
        let tail = QueryTail(order: query.order)
        guard let (block, tail) = try? block.withoutOrdinalPositions(block.results, tail),
            let scope = try? writer.scope(of: block, tail, with: query.with)
        else { return }
        let analysis = BlockAnalysis(scope: scope)
        for source in scope.sources {
            if let found = try analysis.source(source, block, tail.order) { sources.append(found) }
        }
    }
}

/// The parts of one `SELECT` that concern its sources.
private struct BlockAnalysis {
    let scope: QueryScope

    func source(
        _ source: ScopeSource, _ block: QueryBlock, _ order: [QueryOrder]
    ) throws -> QueryAnalysis.Source? {
        guard case .records(let table) = source.kind,
            let collection = CollectionName(table.store)
        else { return nil }
        var found = QueryAnalysis.Source(
            name: source.alias, collection: collection, table: table)
        let conditions = [block.condition] + block.sources.map(\.condition)
        for part in conditions.flatMap({ $0?.conjuncts ?? [] }) { add(part, source, &found) }
        let terms = block.groups.isEmpty ? order.map(\.expression) : block.groups
        let sorted = terms.map { term($0, source, isEquality: false) }
        let results = block.results.map(\.expression)
        let isCounted = results.allSatisfy { !$0.hasAggregate || $0 == .allRows }
        if !sorted.contains(nil), block.groups.isEmpty || isCounted {
            found.order = sorted.compactMap(\.self)
        }
        return found
    }

    private func add(
        _ part: QueryExpression, _ source: ScopeSource, _ found: inout QueryAnalysis.Source
    ) {
        switch part {
        case .operation(let known, let operands) where known.isComparison:
            add(known, operands, source, &found)
        case .collate(_, .operation(let known, _)) where known.isComparison:
            found.obstacles.append("an index for this comparison needs the same COLLATE")
        case .operation(.or, let sides):
            var inner = found
            for side in sides.flatMap(\.conjuncts) { add(side, source, &inner) }
            found.terms += inner.terms.dropFirst(found.terms.count)
            found.obstacles += inner.obstacles.dropFirst(found.obstacles.count)
        case .quantified(let quantifier): add(quantifier, source, &found)
        default: break
        }
    }

    private func add(
        _ known: QueryOperator, _ operands: [QueryExpression], _ source: ScopeSource,
        _ found: inout QueryAnalysis.Source
    ) {
        if case .prediction = operands[0] { found.predictions.append(operands[0]) }
        let isEquality = [.equal, .is, .in].contains(known)
        for side in 0..<(known.isSymmetric ? 2 : 1) {
            let others = operands.indices.filter { $0 != side }.map { operands[$0] }
            guard let term = term(operands[side], source, isEquality: isEquality),
                others.allSatisfy({ !uses(source, $0) })
            else { continue }
            switch known {
            case .like where others[0].likePrefix == nil:
                found.obstacles.append(
                    "LIKE with a leading wildcard cannot use an index")
            case .notEqual, .isNot, .notIn, .isDistinctFrom:
                found.obstacles.append("\(known.rawValue) matches almost all documents")
            default: found.terms.append(term)
            }
        }
        addElement(operands[0], source, &found)
    }

    /// A condition on an element of an array of the source.
    private func addElement(
        _ expression: QueryExpression, _ source: ScopeSource, _ found: inout QueryAnalysis.Source
    ) {
        guard case .property(let path) = expression,
            case .source(let element, let rest)? = try? scope.resolution(of: path),
            case .elements(of: source.sql, let array) = element.kind
        else { return }
        let inner = rest.components.isEmpty ? "" : SQLPPWriter.text(.property(rest))
        found.arrays.append(.init(path: array.description, expression: inner))
    }

    private func add(
        _ quantifier: QueryQuantifier, _ source: ScopeSource, _ found: inout QueryAnalysis.Source
    ) {
        guard quantifier.kind != .every, case .property(let path) = quantifier.collection,
            case .source(let owner, let array)? = try? scope.resolution(of: path),
            owner.sql == source.sql
        else { return }
        for case .operation(_, let operands) in quantifier.condition.conjuncts {
            guard case .variable(quantifier.variable, let rest) = operands[0] else { continue }
            let inner = rest.components.isEmpty ? "" : SQLPPWriter.text(.property(rest))
            found.arrays.append(.init(path: array.description, expression: inner))
        }
    }

    /// The indexable expression of a source; nil if it depends on another source or already has an
    /// index.
    private func term(
        _ expression: QueryExpression, _ source: ScopeSource, isEquality: Bool
    ) -> QueryAnalysis.Term? {
        if case .meta = expression { return nil }
        let expression = expression.withExactDivision
        var writer = SQLExpressionWriter(.scope(scope))
        writer.isTextOfIndex = true
        guard (try? writer.write(expression)) != nil, writer.usedTables == [source.sql],
            let own = try? IndexText(scope: scope).expression(expression)
        else { return nil }
        return QueryAnalysis.Term(
            expression: SQLPPWriter.text(own), sql: writer.sql, isEquality: isEquality,
            keepsTypes: source.keepsTypes(writer.typedTexts))
    }

    private func uses(_ source: ScopeSource, _ expression: QueryExpression) -> Bool {
        var writer = SQLExpressionWriter(.scope(scope))
        return (try? writer.write(expression)) == nil || writer.usedTables.contains(source.sql)
    }
}

extension QueryOperator {
    /// Whether its operands can be swapped, possibly with another operator.
    fileprivate var isSymmetric: Bool {
        switch self {
        case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .is: true
        default: false
        }
    }
}

/// Writes an expression of a query as in an index definition: without the names of sources.
struct IndexText {
    let scope: QueryScope

    func expression(_ expression: QueryExpression) throws -> QueryExpression {
        if case .meta(let property, _) = expression { return .meta(property, source: nil) }
        return try expression.mappingProperties { path in
            switch try scope.resolution(of: path) {
            case .source(_, let rest): return .property(rest)
            case .name(let owner, let number, let rest):
                let inner = try owner.withExpression(ofName: number) { try self.expression($0) }
                return rest.components.isEmpty ? inner : .nested(inner, rest)
            }
        }
    }
}

extension QueryExpression {
    /// `COUNT(*)`
    fileprivate static let allRows = QueryExpression.function(
        "count", [.property(PropertyPath([]))])
}
