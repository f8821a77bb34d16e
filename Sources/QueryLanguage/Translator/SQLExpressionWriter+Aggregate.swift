internal import FleeceLite
internal import StoreFormat

// Aggregate functions.
extension SQLExpressionWriter {
    /// An aggregate without `DISTINCT`, `FILTER` or `OVER`.
    mutating func aggregate(_ function: QueryFunction, _ arguments: [QueryExpression]) throws {
        try aggregate(QueryCall(function: function.name, arguments: arguments), function)
    }

    /// A call with `DISTINCT`, `FILTER` or `OVER`.
    mutating func call(_ call: QueryCall) throws {
        guard let function = QueryFunction(named: call.function) else {
            throw StoreError.invalidQuery("there is no function \(call.function)()")
        }
        guard function.isAggregate || function.needsWindow else {
            throw StoreError.invalidQuery(
                "\(call.function)() takes no DISTINCT, FILTER or OVER: it is not an aggregate "
                    + "function")
        }
        if function.needsWindow || call.window != nil { return try windowCall(call, function) }
        try aggregate(call, function)
    }

    private mutating func aggregate(_ call: QueryCall, _ function: QueryFunction) throws {
        guard allowsAggregates, case .scope(let scope) = source else {
            throw StoreError.invalidQuery(
                "\(call.function)() is an aggregate function: it is allowed in SELECT, HAVING and "
                    + "ORDER BY, but not inside another one, ANY or EVERY")
        }
        allowsAggregates = false
        defer { allowsAggregates = true }
        sql += function.sqlName + "("
        // The minimum of distinct values is the minimum of all values.
        let isDistinct = call.isDistinct && !["max", "min"].contains(function.name)
        if isDistinct { sql += "DISTINCT " }
        try arguments(of: call, function, scope)
        sql += ")"
        if let filter = call.filter {
            sql += " FILTER (WHERE "
            try typed(false) { try $0.argument(filter, isTyped: false, scope) }
            sql += ")"
        }
    }

    private mutating func arguments(
        of call: QueryCall, _ function: QueryFunction, _ scope: QueryScope
    ) throws {
        if call.isOfRows(scope) { return sql += "*" }
        if try extreme(call, scope) { return }
        for (index, argument) in call.arguments.enumerated() {
            if index > 0 { sql += ", " }
            if call.isDistinct, function.name == "array_agg" || !function.keepsTypes {
                try distinctArgument(argument, scope)
            } else {
                try self.argument(argument, isTyped: function.keepsTypes, scope)
            }
        }
    }

    /// The argument of `MIN` or `MAX` as it is in an index, where it is found at once; a guard
    /// checks that its values there are unambiguous.
    private mutating func extreme(_ call: QueryCall, _ scope: QueryScope) throws -> Bool {
        guard ["max", "min"].contains(call.function), !call.isDistinct, call.filter == nil,
            scope.groups == nil, scope.outer == nil, !scope.translation.options.avoidsIndexes,
            call.arguments[0].isProperty || call.arguments[0].resultType == .plain,
            let source = try scope.indexedTable(of: call.arguments[0]),
            case .records(let table) = source.kind
        else { return false }
        var text = SQLExpressionWriter(.scope(scope))
        text.isTextOfIndex = true
        try text.write(call.arguments[0])
        guard table.indexes.leading.contains(text.sql) else { return false }
        scope.translation.guards.append(
            "SELECT 1 FROM \(table.live) WHERE \(text.sql) < 2 LIMIT 1")
        let wasVerbatim = isVerbatim
        isVerbatim = true
        defer { isVerbatim = wasVerbatim }
        try within(0) { try $0.write(call.arguments[0]) }
        return true
    }

    /// Equal values count once; a Boolean differs from a number.
    private mutating func distinctArgument(
        _ argument: QueryExpression, _ scope: QueryScope
    ) throws {
        let value =
            try scope.groups.map { $0.column(try result(argument, ungrouped: scope)) }
            ?? result(argument, ungrouped: scope)
        sql += value
    }

    /// An argument, which a grouped query computes for each document before grouping.
    private mutating func argument(
        _ argument: QueryExpression, isTyped: Bool, _ scope: QueryScope
    ) throws {
        guard let groups = scope.groups else {
            return try typed(isTyped) { writer in try writer.within(0) { try $0.write(argument) } }
        }
        if argument.isConstant { return try within(0) { try $0.write(argument) } }
        if isTyped, argument.resultType != .plain {
            sql += "fl_plain(\(groups.column(try result(argument, ungrouped: scope))))"
        } else {
            sql += groups.column(try scope.ungrouped { try Self.sql(argument, .scope(scope)) })
        }
    }

    private func result(_ argument: QueryExpression, ungrouped scope: QueryScope) throws -> String {
        try scope.ungrouped { try SQLResultWriter.sql(argument, scope) }
    }
}

extension QueryCall {
    /// Whether it is `COUNT(*)`.
    func isOfRows(_ scope: QueryScope) -> Bool {
        guard function == "count", arguments.count == 1, !isDistinct,
            case .property(let path) = arguments[0]
        else { return false }
        return path.components.isEmpty
    }
}

extension QueryScope {
    /// Runs `operation` as if the query were not grouped.
    func ungrouped<T>(_ operation: () throws -> T) rethrows -> T {
        let outer = groups
        groups = nil
        defer { groups = outer }
        return try operation()
    }
}

// Windows.
extension SQLExpressionWriter {
    private mutating func windowCall(_ call: QueryCall, _ function: QueryFunction) throws {
        guard let window = call.window else {
            throw StoreError.invalidQuery("\(call.function)() needs OVER (…)")
        }
        guard allowsWindows, case .scope(let scope) = source else {
            throw StoreError.invalidQuery(
                "\(call.function)() OVER (…) is allowed in SELECT and ORDER BY only")
        }
        guard !call.isDistinct else {
            throw StoreError.invalidQuery("DISTINCT cannot be combined with OVER")
        }
        guard call.function != "array_agg" else {
            throw StoreError.invalidQuery("array_agg() cannot be combined with OVER")
        }
        allowsWindows = false
        defer { allowsWindows = true }
        let picks = function.needsWindow && function.result == .any
        if picks { sql += "fl_plain(" }
        sql += function.sqlName + "("
        if call.isOfRows(scope) {
            sql += "*"
        } else {
            try list(call.arguments) { writer, argument in
                picks
                    ? writer.sql += try SQLResultWriter.sql(argument, scope, like: writer)
                    : try writer.typed(false) { try $0.write(argument) }
            }
        }
        sql += ")"
        if let filter = call.filter {
            sql += " FILTER (WHERE "
            try typed(false) { writer in try writer.within(0) { try $0.write(filter) } }
            sql += ")"
        }
        try over(window, scope)
        if picks { sql += ")" }
    }

    private mutating func over(_ window: QueryWindow, _ scope: QueryScope) throws {
        var clauses: [String] = []
        if !window.partitions.isEmpty {
            let partitions = try window.partitions.map {
                try SQLResultWriter.sql($0, scope, like: self)
            }
            clauses.append("PARTITION BY " + partitions.joined(separator: ", "))
        }
        if !window.order.isEmpty {
            let order = try window.order.map { try self.order($0) }
            clauses.append("ORDER BY " + order.joined(separator: ", "))
        }
        if let frame = window.frame { clauses.append(try text(of: frame)) }
        sql += " OVER (" + clauses.joined(separator: " ") + ")"
    }

    /// A term of `ORDER BY`.
    func order(_ order: QueryOrder) throws -> String {
        var writer = self
        writer.sql = ""
        try writer.typed(false) { writer in
            try writer.within(0) { try $0.write(order.expression) }
        }
        return writer.sql + order.direction
    }

    private func text(of frame: QueryFrame) throws -> String {
        guard frame.start != .unboundedFollowing, frame.end != .unboundedPreceding else {
            throw StoreError.invalidQuery(
                "a frame cannot begin at UNBOUNDED FOLLOWING or end at UNBOUNDED PRECEDING")
        }
        let start = try text(of: frame.start)
        let end = try frame.end.map { try text(of: $0) }
        let range = end.map { "BETWEEN \(start) AND \($0)" } ?? start
        let exclusion = frame.exclusion.map { " EXCLUDE \($0.rawValue)" } ?? ""
        return "\(frame.unit.rawValue) \(range)\(exclusion)"
    }

    private func text(of bound: QueryFrame.Bound) throws -> String {
        switch bound {
        case .unboundedPreceding: "UNBOUNDED PRECEDING"
        case .preceding(let distance): try text(of: distance) + " PRECEDING"
        case .currentRow: "CURRENT ROW"
        case .following(let distance): try text(of: distance) + " FOLLOWING"
        case .unboundedFollowing: "UNBOUNDED FOLLOWING"
        }
    }

    private func text(of distance: QueryExpression) throws -> String {
        var writer = self
        writer.sql = ""
        try writer.typed(false) { writer in try writer.within(10) { try $0.write(distance) } }
        return writer.sql
    }

    private mutating func list(
        _ expressions: [QueryExpression],
        _ write: (inout SQLExpressionWriter, QueryExpression) throws -> Void
    ) throws {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { sql += ", " }
            try within(0) { try write(&$0, expression) }
        }
    }
}

// Values of groups.
extension SQLExpressionWriter {
    /// Writes an expression that the subquery has computed; returns false if it must be computed
    /// from the subquery's columns.
    mutating func writeGrouped(
        _ expression: QueryExpression, _ groups: GroupColumns, _ scope: QueryScope
    ) throws -> Bool {
        if expression.isConstant || expression.isAggregate { return false }
        // The subquery does not know the variables of ANY.
        let isOfVariable = variables.contains { expression.uses(variable: $0.name) }
        if isOfVariable || !variables.isEmpty && expression.hasSubquery { return false }
        if let column = try groups.key(expression, scope) {
            sql += "fl_plain(\(column))" + expression.sqlOrder
            return true
        }
        // The collation must be specified where the values are compared.
        if case .collate(_, let value) = expression, !value.isComparison { return false }
        if try expression.isMadeOfGroups(groups, scope) { return false }
        if expression.resultType == .plain {
            sql += groups.column(try scope.ungrouped { try Self.sql(expression, .scope(scope)) })
        } else {
            let value = try scope.ungrouped { try SQLResultWriter.sql(expression, scope) }
            sql += "fl_plain(\(groups.column(value)))"
        }
        return true
    }

    /// Writes a property of a grouped outer query, as computed there.
    mutating func writeOfGroupsAround(
        _ expression: QueryExpression, _ scope: QueryScope
    ) throws -> Bool {
        // Usually there is none, so the owner need not be determined.
        guard scope.outer?.isGrouped == true, let owner = try scope.owner(of: expression),
            owner !== scope, let groups = owner.groups
        else { return false }
        let inner = source
        source = .scope(owner)
        defer { source = inner }
        return try writeGrouped(expression, groups, owner)
    }
}

extension GroupColumns {
    /// The column of the `GROUP BY` expression that equals the expression.
    func key(_ expression: QueryExpression, _ scope: QueryScope) throws -> String? {
        guard hasKey(of: try expression.kind(in: scope)) else { return nil }
        let text = try scope.ungrouped { try SQLExpressionWriter.sqlOfAny(expression, scope) }
        guard let text else { return nil }
        return key(text)
    }
}

extension QueryExpression {
    /// Whether its value is the same for all rows.
    var isConstant: Bool {
        var isConstant = true
        visit {
            switch $0 {
            case .property, .variable, .meta, .match, .rank, .subquery, .blob, .prediction:
                isConstant = false
            case .function(let name, _):
                if QueryFunction(named: name)?.isAggregate == true { isConstant = false }
            case .call: isConstant = false
            default: break
            }
        }
        return isConstant
    }

    /// The collation of its string comparisons, as a suffix of a column; empty for byte order.
    var sqlOrder: String {
        guard case .collate(let order, let value) = self, !value.isComparison else { return "" }
        return order.sqlSuffix
    }

    /// Whether it is an aggregate function.
    var isAggregate: Bool {
        switch self {
        case .function(let name, _): QueryFunction(named: name)?.isAggregate ?? false
        case .call: true
        default: false
        }
    }

    /// Whether it contains a function with `OVER`.
    package var hasWindow: Bool {
        if case .call(let call) = self, call.window != nil { return true }
        return children.contains { $0.hasWindow }
    }

    /// Whether it contains an aggregate function, window functions excluded.
    package var hasAggregate: Bool {
        if case .call(let call) = self, call.window != nil {
            return call.expressions.contains { $0.hasAggregate }
        }
        return isAggregate || children.contains { $0.hasAggregate }
    }

    /// Whether it contains a value of the groups.
    fileprivate func isMadeOfGroups(_ groups: GroupColumns, _ scope: QueryScope) throws -> Bool {
        if case .property(let path) = self,
            case .name(let owner, let number, _) = try scope.resolution(of: path)
        {
            return try scope.translation.withName {
                try owner.withExpression(ofName: number) {
                    try groups.key($0, scope) != nil || $0.isMadeOfGroups(groups, scope)
                }
            }
        }
        if isAggregate { return true }
        for child in children {
            if try groups.key(child, scope) != nil { return true }
            if try child.isMadeOfGroups(groups, scope) { return true }
        }
        return false
    }
}

extension QueryOrder {
    /// The sort direction in SQL.
    var direction: String {
        let nulls = missingIsLast.map { $0 ? " NULLS LAST" : " NULLS FIRST" } ?? ""
        return (isDescending ? " DESC" : "") + nulls
    }
}
