internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

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

    init(_ query: QuerySelect, in snapshot: Snapshot) throws {
        let resolved = try QueryResolver.resolve(query, SnapshotCatalog(snapshot))
        add(QueryTyper().type(resolved))
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
    private mutating func add(_ query: BoundQuery) {
        for block in query.blocks {
            for item in block.sources {
                if let found = BlockAnalysis(block: block).source(item.source) {
                    sources.append(found)
                }
            }
        }
    }
}

/// The parts of one `SELECT` that concern its sources.
private struct BlockAnalysis {
    let block: BoundBlock

    func source(_ source: ResolvedSource) -> QueryAnalysis.Source? {
        guard let table = source.table, let collection = CollectionName(table.store) else {
            return nil
        }
        var found = QueryAnalysis.Source(
            name: source.fullName, collection: collection, table: table)
        let conditions = [block.condition] + block.sources.map(\.condition)
        for part in conditions.flatMap({ $0?.conjuncts ?? [] }) { add(part, source, &found) }
        let terms = block.groups.isEmpty ? block.tail.order.map(\.expression) : block.groups
        let sorted = terms.map { term($0, source, isEquality: false) }
        let isCounted = block.results.allSatisfy { $0.expression.countsRowsAtMost }
        if !sorted.contains(nil), block.groups.isEmpty || isCounted {
            found.order = sorted.compactMap(\.self)
        }
        return found
    }

    private func add(
        _ part: BoundExpression, _ source: ResolvedSource, _ found: inout QueryAnalysis.Source
    ) {
        switch part.form {
        case .operation(let known, let operands) where known.isComparison:
            add(known, operands, source, &found)
        case .collate(_, let value) where value.isComparison:
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
        _ known: QueryOperator, _ operands: [BoundExpression], _ source: ResolvedSource,
        _ found: inout QueryAnalysis.Source
    ) {
        if case .prediction = operands[0].form {
            found.predictions.append(operands[0].definition)
        }
        let isEquality = [.equal, .is, .in].contains(known)
        for side in 0..<(known.isSymmetric ? 2 : 1) {
            let others = operands.indices.filter { $0 != side }.map { operands[$0] }
            guard let term = term(operands[side], source, isEquality: isEquality),
                others.allSatisfy({ !$0.reads(source) })
            else { continue }
            switch known {
            case .like where others[0].definition.likePrefix == nil:
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
        _ expression: BoundExpression, _ source: ResolvedSource,
        _ found: inout QueryAnalysis.Source
    ) {
        guard case .property(let element, let rest) = expression.form,
            case .elements(let owner, let array) = element.kind, owner === source
        else { return }
        found.arrays.append(.init(path: array.description, expression: Self.text(rest)))
    }

    private func add(
        _ quantifier: BoundQuantifier, _ source: ResolvedSource,
        _ found: inout QueryAnalysis.Source
    ) {
        guard quantifier.kind != .every,
            case .property(let owner, let array) = quantifier.collection.form, owner === source
        else { return }
        for part in quantifier.condition.conjuncts {
            guard case .operation(_, let operands) = part.form,
                case .variable(let variable, let rest) = operands[0].form,
                variable === quantifier.variable
            else { continue }
            found.arrays.append(.init(path: array.description, expression: Self.text(rest)))
        }
    }

    /// A property of an element; empty for the element itself.
    private static func text(_ path: PropertyPath) -> String {
        path.components.isEmpty ? "" : SQLPPWriter.text(.property(path))
    }

    /// The indexable expression of a source; nil if it depends on another source.
    private func term(
        _ expression: BoundExpression, _ source: ResolvedSource, isEquality: Bool
    ) -> QueryAnalysis.Term? {
        if case .metadata = expression.form { return nil }
        guard let term = IndexTerm(expression), term.source === source else { return nil }
        return QueryAnalysis.Term(
            expression: SQLPPWriter.text(term.definition), sql: term.sql, isEquality: isEquality,
            keepsTypes: term.keepsTypes)
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

extension BoundExpression {
    /// Whether it has no aggregate function but `COUNT(*)`, and that alone.
    fileprivate var countsRowsAtMost: Bool {
        guard facts.contains(.aggregate) else { return true }
        guard case .call(let call) = form else { return false }
        return call.countsRows && call.filter == nil
    }
}
