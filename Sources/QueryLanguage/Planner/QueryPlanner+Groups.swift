internal import FleeceLite
internal import StoreFormat

// Groups that an index provides.
extension QueryPlanner {
    /// The check for an index that provides the groups in order, without reading any row; nil if
    /// there is no such index.
    ///
    /// A Boolean and its number in the index are two groups that look equal there: a guard checks
    /// whether there may be any.
    func answeringIndex(
        _ block: BoundBlock, _ planner: ExpressionPlanner
    ) throws -> PlanGuard? {
        guard !options.avoidsIndexes, !options.onlyChanged, planner.block.outer == nil,
            block.groups.count == 1, block.condition == nil,
            block.sources[0].source.aliveTest == nil, planner.joins.isEmpty,
            let index = try indexedKey(block, planner)
        else { return nil }
        let key = try planner.value(block.groups[0])
        let isAnswered = try block.expressionsOnGroups.allSatisfy {
            try isMade(of: key, $0, planner)
        }
        return isAnswered ? index : nil
    }

    /// The group key in an index that begins with it, and the table of the index.
    private func indexedKey(
        _ block: BoundBlock, _ planner: ExpressionPlanner
    ) throws -> PlanGuard? {
        let parts = TypedParts()
        let key = try planner.exact(block.groups[0], parts)
        let text = try SQLPrinter.sql(key, isBare: true)
        let source = block.sources[block.sources.count - 1].source
        switch planner.access(to: source) {
        case .table where block.sources.count == 1:
            guard let table = source.table, table.indexes.leading.contains(text),
                try planner.keepsTypes(source, parts)
            else { return nil }
            return PlanGuard(table: table.live, expression: key)
        case .elementTable(let table, _)
        where block.sources.count == 2 && block.sources[1].join != .left:
            guard table.leading.contains(text), try planner.keepsTypes(source, parts) else {
                return nil
            }
            return PlanGuard(table: table.sqlName, expression: key)
        default: return nil
        }
    }

    /// Whether an expression consists of a group key and row counts.
    private func isMade(
        of key: SQLExpression, _ expression: BoundExpression, _ planner: ExpressionPlanner
    ) throws -> Bool {
        guard expression.facts.contains(.varies) else { return true }
        if case .call(let call) = expression.form {
            return call.countsRows && call.filter == nil && call.window == nil
        }
        if !expression.facts.contains(.aggregate), try planner.value(expression) == key {
            return true
        }
        guard case .operation(_, let operands) = expression.form else { return false }
        return try operands.allSatisfy { try isMade(of: key, $0, planner) }
    }
}

// Aggregate functions of outer queries.
extension BoundExpression {
    /// Whether it contains an aggregate function that depends on the outer queries only: SQL would
    /// treat it as one of theirs.
    func hasForeignAggregate(_ block: Int) -> Bool {
        guard facts.contains(.aggregate) else { return false }
        if case .call(let call) = form, call.window == nil {
            return call.parts.areForeign(to: block)
        }
        return form.parts.contains { $0.hasForeignAggregate(block) }
    }
}

extension [BoundExpression] {
    /// Whether some expressions depend on an outer query, and none on the block's sources.
    fileprivate func areForeign(to block: Int) -> Bool {
        contains { $0.readsOther(than: block) } && !contains { $0.readsBlock(block) }
    }
}

extension BoundExpression {
    fileprivate func readsBlock(_ block: Int) -> Bool {
        switch form {
        case .property(let source, _), .metadata(_, let source): source.block == block
        default: form.parts.contains { $0.readsBlock(block) }
        }
    }

    fileprivate func readsOther(than block: Int) -> Bool {
        switch form {
        case .property(let source, _), .metadata(_, let source): source.block != block
        case .variable, .subquery, .match, .rank, .blob: true
        default: form.parts.contains { $0.readsOther(than: block) }
        }
    }
}
