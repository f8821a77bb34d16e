internal import StoreFormat

// Aggregate and window functions.
extension ExpressionPlanner {
    func aggregate(
        _ call: BoundCall, _ use: ValueUse
    ) throws -> SQLExpression {
        if call.window != nil { return try window(call, use) }
        // The minimum of distinct values is the minimum of all values.
        let isExtreme = ["max", "min"].contains(call.function.name)
        var aggregate = SQLAggregate(
            function: call.function.sqlName, isDistinct: call.isDistinct && !isExtreme,
            arguments: try arguments(of: call, use))
        aggregate.filter = try call.filter.map { try argument($0, isTyped: false, use) }
        return .aggregate(aggregate)
    }

    /// Nil for `*`.
    private func arguments(
        of call: BoundCall, _ use: ValueUse
    ) throws -> [SQLExpression]? {
        if call.countsRows { return nil }
        guard statement != nil else {
            return try call.arguments.map { try value($0, use.typed()) }
        }
        if let extreme = try extreme(call) { return [extreme] }
        let keepsTypes = call.function.keepsTypes
        return try call.arguments.map { argument in
            // Equal values count once; a Boolean differs from a number.
            guard call.isDistinct, call.function.name == "array_agg" || !keepsTypes else {
                return try self.argument(argument, isTyped: keepsTypes, use)
            }
            let value = try ungrouped.result(argument)
            return groups.map { .column("", $0.column(value)) } ?? value
        }
    }

    /// The argument of `MIN` or `MAX` as it is in an index, where it is found at once; a guard
    /// checks that its values there are unambiguous.
    private func extreme(_ call: BoundCall) throws -> SQLExpression? {
        guard let statement, ["max", "min"].contains(call.function.name), !call.isDistinct,
            call.filter == nil, groups == nil, block.outer == nil, !options.avoidsIndexes,
            call.arguments[0].isProperty || call.arguments[0].encoding == .plain,
            let slot = try servingIndex(of: call.arguments[0]),
            let table = slot.source.table, table.indexes.leading.contains(slot.text)
        else { return nil }
        statement.require(PlanGuard(table: table.live, expression: slot.expression))
        return slot.annotated
    }

    /// An argument, which a grouped query computes for each document before grouping.
    private func argument(
        _ argument: BoundExpression, isTyped: Bool, _ use: ValueUse
    ) throws -> SQLExpression {
        guard let groups, argument.facts.contains(.varies) else {
            return try value(argument, use.typed(isTyped))
        }
        if isTyped, argument.encoding != .plain {
            return .call("fl_plain", [.column("", groups.column(try ungrouped.result(argument)))])
        }
        return .column("", groups.column(try ungrouped.value(argument)))
    }

    private func window(
        _ call: BoundCall, _ use: ValueUse
    ) throws -> SQLExpression {
        let picks = call.function.needsWindow && call.function.result == .any
        let arguments = try call.arguments.map { argument in
            try picks ? result(argument, use) : value(argument, use.typed(false))
        }
        var aggregate = SQLAggregate(
            function: call.function.sqlName, arguments: call.countsRows ? nil : arguments)
        aggregate.filter = try call.filter.map { try value($0, use.typed(false)) }
        aggregate.window = try call.window.map { try window($0, use) }
        return picks ? .call("fl_plain", [.aggregate(aggregate)]) : .aggregate(aggregate)
    }

    private func window(
        _ window: BoundWindow, _ use: ValueUse
    ) throws -> SQLWindow {
        SQLWindow(
            partitions: try window.partitions.map { try result($0, use) },
            order: try window.order.map { try order($0) },
            frame: try window.frame.map { frame in
                SQLWindow.Frame(
                    unit: frame.unit, start: try bound(frame.start),
                    end: try frame.end.map { try bound($0) }, exclusion: frame.exclusion)
            })
    }

    private func bound(
        _ bound: BoundFrame.Bound
    ) throws -> SQLWindow.Bound {
        switch bound {
        case .unboundedPreceding: .unboundedPreceding
        case .preceding(let distance): .preceding(try value(distance))
        case .currentRow: .currentRow
        case .following(let distance): .following(try value(distance))
        case .unboundedFollowing: .unboundedFollowing
        }
    }

    /// A term of `ORDER BY`.
    ///
    /// - Parameter isOfDocuments: whether it sorts the rows of the query, of which there are few if
    ///   only changed documents are read.
    func order(
        _ order: BoundOrder, isOfDocuments: Bool = false
    ) throws -> SQLOrder {
        let value = try value(order.expression)
        // A few documents are sorted: the `+` prevents the use of an index.
        let isHidden = isOfDocuments && options.onlyChanged
        return SQLOrder(
            expression: isHidden ? .hidden(.grouped(0, .within(0, value))) : value,
            isDescending: order.isDescending, missingIsLast: order.missingIsLast)
    }
}
