internal import FleeceLite
internal import StoreFormat

// Aggregate functions.
extension SQLExpressionWriter {
    /// An aggregate without `DISTINCT`, `FILTER` or `OVER`.
    mutating func aggregate(_ function: QueryFunction, _ arguments: [QueryExpression]) throws {
        try aggregate(QueryCall(function: function.name, arguments: arguments), function)
    }

    /// A function with more than arguments.
    mutating func call(_ call: QueryCall) throws {
        guard let function = QueryFunction(named: call.function) else {
            throw StoreError.invalidQuery("there is no function \(call.function)()")
        }
        guard function.isAggregate || function.needsWindow else {
            throw StoreError.invalidQuery(
                "\(call.function)() takes no DISTINCT, FILTER or OVER: it is of one row")
        }
        if function.needsWindow || call.window != nil { return try windowCall(call, function) }
        try aggregate(call, function)
    }

    private mutating func aggregate(_ call: QueryCall, _ function: QueryFunction) throws {
        guard allowsAggregates, case .scope(let scope) = source else {
            throw StoreError.invalidQuery(
                "\(call.function)() is of many rows: it stands behind SELECT, HAVING or ORDER BY, "
                    + "and not in another one, nor in ANY or EVERY")
        }
        allowsAggregates = false
        defer { allowsAggregates = true }
        sql += function.sqlName + "("
        // The least of different values is the least of all.
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

    /// The argument of `MIN` or `MAX` as an index has it, where it is found at once; a guard sees
    /// whether it could be taken for something else there.
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

    /// Equal values count once; a Boolean is another value than a number.
    private mutating func distinctArgument(
        _ argument: QueryExpression, _ scope: QueryScope
    ) throws {
        let value =
            try scope.groups.map { $0.column(try result(argument, ungrouped: scope)) }
            ?? result(argument, ungrouped: scope)
        sql += value
    }

    /// An argument, which a grouped query computes for each document before the groups are made.
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
    /// Runs `body` as if the query were not grouped.
    func ungrouped<T>(_ body: () throws -> T) rethrows -> T {
        let outer = groups
        groups = nil
        defer { groups = outer }
        return try body()
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
                "\(call.function)() OVER (…) stands behind SELECT or ORDER BY only")
        }
        guard !call.isDistinct else {
            throw StoreError.invalidQuery("DISTINCT cannot stand together with OVER")
        }
        guard call.function != "array_agg" else {
            throw StoreError.invalidQuery("array_agg() cannot stand together with OVER")
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
    /// Writes what the subquery has computed; false for what has to be computed from that.
    mutating func writeGrouped(
        _ expression: QueryExpression, _ groups: GroupColumns, _ scope: QueryScope
    ) throws -> Bool {
        if expression.isConstant || expression.isAggregate { return false }
        // What a variable of ANY stands for is not known to the subquery.
        let isOfVariable = variables.contains { expression.uses(variable: $0.name) }
        if isOfVariable || !variables.isEmpty && expression.hasSubquery { return false }
        if let column = try groups.key(expression, scope) {
            sql += "fl_plain(\(column))" + expression.sqlOrder
            return true
        }
        // The collation has to be said where they are compared.
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

    /// Writes a property of a query around that is grouped: what that has computed of it.
    mutating func writeOfGroupsAround(
        _ expression: QueryExpression, _ scope: QueryScope
    ) throws -> Bool {
        // Mostly there is none, and no need to look for the owner.
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
    /// The column of what the query is grouped by, if the expression is that.
    func key(_ expression: QueryExpression, _ scope: QueryScope) throws -> String? {
        guard hasKey(of: try expression.kind(in: scope)) else { return nil }
        let text = try scope.ungrouped { try SQLExpressionWriter.sqlOfAny(expression, scope) }
        guard let text else { return nil }
        return key(text)
    }
}

extension QueryExpression {
    /// Whether it is the same for all rows.
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

    /// The order by which its texts are compared, as it stands behind a column; empty for bytes.
    var sqlOrder: String {
        guard case .collate(let order, let value) = self, !value.isComparison else { return "" }
        return order.sqlSuffix
    }

    /// Whether it is itself an aggregate function.
    var isAggregate: Bool {
        switch self {
        case .function(let name, _): QueryFunction(named: name)?.isAggregate ?? false
        case .call: true
        default: false
        }
    }

    /// Whether a function with `OVER` stands somewhere in it.
    package var hasWindow: Bool {
        if case .call(let call) = self, call.window != nil { return true }
        return children.contains { $0.hasWindow }
    }

    /// Whether an aggregate function stands somewhere in it, windows aside.
    package var hasAggregate: Bool {
        if case .call(let call) = self, call.window != nil {
            return call.expressions.contains { $0.hasAggregate }
        }
        return isAggregate || children.contains { $0.hasAggregate }
    }

    /// Whether something in it is a value of the groups.
    fileprivate func isMadeOfGroups(_ groups: GroupColumns, _ scope: QueryScope) throws -> Bool {
        if case .property(let path) = self,
            case .name(let owner, let number, _) = try scope.place(of: path)
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
    /// What stands behind the expression in SQL.
    var direction: String {
        let nulls = missingIsLast.map { $0 ? " NULLS LAST" : " NULLS FIRST" } ?? ""
        return (isDescending ? " DESC" : "") + nulls
    }
}
