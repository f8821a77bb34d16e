internal import FleeceLite
package import QueryLanguage

/// Evaluates queries over documents in memory, directly by the meaning of each clause: a reference
/// for the results of the engine.
package struct QueryEvaluator {
    /// The documents by the full names of their collections: `_default._default`, `shop.orders`.
    package let documents: [String: [ModelDocument]]
    package var parameters: [String: ModelValue] = [:]
    package let notes = ModelNotes()

    package init(documents: [String: [ModelDocument]], parameters: [String: ModelValue] = [:]) {
        self.documents = documents
        self.parameters = parameters
    }

    package func rows(of statement: QueryStatement) throws -> ModelResult {
        guard case .select(let select) = statement else {
            throw ModelError.unsupported("a statement that changes documents")
        }
        return try rows(of: select, ModelScope())
    }

    func rows(of select: QuerySelect, _ outer: ModelScope) throws -> ModelResult {
        var scope = outer
        for table in select.with {
            scope.tables[table.name] = try rows(of: table.query, scope)
        }
        var result = try rows(of: select.body, select.order, scope)
        result.offset = try select.offset.map { try count($0, scope) } ?? 0
        result.limit = try select.limit.map { try count($0, scope) }
        return result
    }

    /// The value of a limit or offset, at least 0.
    private func count(_ expression: QueryExpression, _ scope: ModelScope) throws -> Int {
        guard case .integer(let number) = try value(expression, scope).canonical else {
            throw ModelError.failure("a limit that is not a whole number")
        }
        return Int(max(0, number))
    }

    func rows(
        of body: QueryBody, _ order: [QueryOrder], _ scope: ModelScope
    ) throws -> ModelResult {
        switch body {
        case .block(let block): return try rows(of: block, order, scope)
        case .nested(let select):
            let inner = try rows(of: select, scope)
            if order.isEmpty { return cut(inner) }
            return try sorted(cut(inner), order, scope)
        case .compound(let operation, let isAll, let one, let other):
            let left = cut(try rows(of: one, [], scope))
            let right = cut(try rows(of: other, [], scope))
            guard left.columns.count == right.columns.count else {
                throw ModelError.failure("queries with different numbers of columns")
            }
            let rows = try combine(operation, isAll, left.rows, right.rows)
            return try sorted(
                ModelResult(columns: left.columns, rows: rows, ties: rows.map { _ in 0 }), order,
                scope)
        }
    }

    /// Applies the limit to a result; records whether other rows would be correct, too.
    func cut(_ result: ModelResult) -> ModelResult {
        if !result.isDetermined { notes.isUndetermined = true }
        return ModelResult(
            columns: result.columns, rows: Array(result.kept),
            ties: Array(result.ties[result.window]))
    }

    private func combine(
        _ operation: QuerySetOperator, _ isAll: Bool, _ left: [[ModelValue]],
        _ right: [[ModelValue]]
    ) throws -> [[ModelValue]] {
        if isAll {
            guard operation == .union else { throw ModelError.unsupported("\(operation) ALL") }
            return left + right
        }
        switch operation {
        case .union: return distinct(left + right)
        case .intersect:
            let others = Set(right.map { $0.map(\.canonical) })
            return distinct(left.filter { others.contains($0.map(\.canonical)) })
        case .except:
            let others = Set(right.map { $0.map(\.canonical) })
            return distinct(left.filter { !others.contains($0.map(\.canonical)) })
        }
    }

    private func distinct(_ rows: [[ModelValue]]) -> [[ModelValue]] {
        var seen: Set<[ModelValue]> = []
        return rows.filter { seen.insert($0.map(\.canonical)).inserted }
    }

    /// Sorts by columns of the result.
    private func sorted(
        _ result: ModelResult, _ order: [QueryOrder], _ scope: ModelScope
    ) throws -> ModelResult {
        guard !order.isEmpty else { return result }
        let keys = try result.rows.map { row in
            let columns = zip(result.columns, row).map { (name: $0, value: $1) }
            let frame = ModelFrame(sources: [ModelSource(names: [], row: .columns(columns))])
            return try self.keys(order, scope.with(frame))
        }
        return sorted(result.columns, result.rows, keys, order)
    }

    func keys(_ order: [QueryOrder], _ scope: ModelScope) throws -> [ModelValue] {
        try order.map { try value($0.expression, scope) }
    }

    func sorted(
        _ columns: [String], _ rows: [[ModelValue]], _ keys: [[ModelValue]], _ order: [QueryOrder]
    ) -> ModelResult {
        let positions = rows.indices.sorted { compare(keys[$0], keys[$1], order) < 0 }
        var ties: [Int] = []
        for (index, position) in positions.enumerated() {
            let isTie = index > 0 && compare(keys[positions[index - 1]], keys[position], order) == 0
            ties.append(isTie ? ties[index - 1] : index)
        }
        return ModelResult(columns: columns, rows: positions.map { rows[$0] }, ties: ties)
    }

    func compare(_ one: [ModelValue], _ other: [ModelValue], _ order: [QueryOrder]) -> Int {
        for (index, term) in order.enumerated() {
            let (left, right) = (one[index], other[index])
            let isLast = term.missingIsLast ?? term.isDescending
            switch (left.isMissing, right.isMissing) {
            case (true, true): continue
            case (true, false): return isLast ? 1 : -1
            case (false, true): return isLast ? -1 : 1
            case (false, false): break
            }
            let collationChanged = (try? explicitOrder(term.expression)) ?? .binary
            let result = compare(left, right, collationChanged)
            if result != 0 { return term.isDescending ? -result : result }
        }
        return 0
    }
}

// Comparisons.
extension QueryEvaluator {
    /// Compares values, neither of which is MISSING.
    func compare(_ one: ModelValue, _ other: ModelValue, _ order: ModelOrder = .binary) -> Int {
        guard one.rank == other.rank else { return one.rank - other.rank }
        switch (one, other) {
        case (.text(let one), .text(let other)): return order.order(one, other)
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        default: break
        }
        if let one = one.plainNumber, let other = other.plainNumber {
            return ModelNumber.order(one, other)
        }
        if one.canonical == other.canonical { return 0 }
        notes.hasOrderedCollections = true
        return one.fleece.lexicographicallyPrecedes(other.fleece) ? -1 : 1
    }

    /// The result of `=`; nil if a value is MISSING.
    func equals(_ one: ModelValue, _ other: ModelValue, _ order: ModelOrder) -> Bool? {
        if one.isMissing || other.isMissing { return nil }
        if one.isCollection || other.isCollection { return one.canonical == other.canonical }
        return compare(one, other, order) == 0
    }

    /// The collation that an operand specifies: in SQLite that of the first `COLLATE` in it.
    func explicitOrder(_ expression: QueryExpression) throws -> ModelOrder? {
        switch expression {
        case .collate(let collation, _): return try order(collation)
        case .quantified: return nil
        default:
            for child in expression.children {
                if let order = try explicitOrder(child) { return order }
            }
            return nil
        }
    }

    func order(_ collation: QueryCollation) throws -> ModelOrder {
        guard !collation.isUnicode else {
            throw ModelError.unsupported("a Unicode collation")
        }
        return collation.isCaseSensitive ? .binary : .noCase
    }
}

extension QueryOperator {
    /// Whether a collation around the expression applies to it.
    var isOrdered: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .is, .isNot,
            .isDistinctFrom, .isNotDistinctFrom, .in, .notIn, .like, .between:
            true
        default: false
        }
    }
}
