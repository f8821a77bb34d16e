internal import StoreFormat

/// The input columns of a grouped query, which a subquery computes for each document, so that
/// SQLite sorts them instead of whole documents, and so that they keep their types.
final class GroupColumns {
    /// The columns of the `GROUP BY` expressions, by the expressions.
    private var keys: [SQLExpression: String] = [:]
    /// The sizes of the `GROUP BY` expressions: expressions of other sizes need not be compared.
    private var keySizes: Set<Int> = []
    private(set) var columns: [SQLExpression] = []
    /// The numbers of the columns, by their expressions.
    private var numbers: [SQLExpression: Int] = [:]
    private let prefix: String

    /// - Parameter depth: the number of outer queries, whose columns have other names.
    init(depth: Int) {
        prefix = depth == 0 ? "g" : "g\(depth)_"
    }

    /// Adds a `GROUP BY` expression.
    func addKey(_ expression: SQLExpression, _ column: String, size: Int) {
        if keys[expression] == nil { keys[expression] = column }
        keySizes.insert(size)
    }

    /// The column of a `GROUP BY` expression.
    func key(_ expression: SQLExpression) -> String? { keys[expression] }

    /// Whether an expression of this size can be a `GROUP BY` expression.
    func hasKey(ofSize size: Int) -> Bool { keySizes.contains(size) }

    /// The name of the column that computes an expression.
    func column(_ expression: SQLExpression) -> String {
        if let index = numbers[expression] { return name(index) }
        numbers[expression] = columns.count
        columns.append(expression)
        return name(columns.count - 1)
    }

    /// The columns with their names; at least one, as SQL requires.
    var plans: [ColumnPlan] {
        guard !columns.isEmpty else { return [ColumnPlan(expression: .atom("1"))] }
        return columns.enumerated().map { ColumnPlan(expression: $1, name: name($0)) }
    }

    private func name(_ index: Int) -> String { "\(prefix)\(index + 1)" }
}

// Values of groups.
extension ExpressionPlanner {
    /// An expression that the subquery computes; nil if it must be computed from the subquery's
    /// columns.
    func grouped(
        _ expression: BoundExpression, _ groups: GroupColumns
    ) throws -> SQLExpression? {
        guard expression.facts.contains(.varies), !expression.isCall,
            // The subquery does not know the variables of ANY.
            expression.freeVariables.isEmpty
        else { return nil }
        if let column = try key(expression, groups) {
            let value = SQLExpression.call("fl_plain", [.column("", column)])
            return expression.order.map { .collated(value, $0) } ?? value
        }
        // The collation must be specified where the values are compared.
        if case .collate(_, let value) = expression.form, !value.isComparison { return nil }
        if try isMadeOfGroups(expression, groups) { return nil }
        if expression.encoding == .plain {
            return .column("", groups.column(try ungrouped.value(expression)))
        }
        return .call("fl_plain", [.column("", groups.column(try ungrouped.result(expression)))])
    }

    /// A property of a grouped outer query, as computed there.
    func groupedOutside(_ expression: BoundExpression) throws -> SQLExpression? {
        let source: ResolvedSource
        switch expression.form {
        case .property(let owner, _), .metadata(_, let owner): source = owner
        default: return nil
        }
        guard source.block != block.number else { return nil }
        let outer = owner(of: source)
        guard let groups = outer.groups else { return nil }
        return try outer.grouped(expression, groups)
    }

    /// The column of the `GROUP BY` expression that equals the expression.
    func key(_ expression: BoundExpression, _ groups: GroupColumns) throws -> String? {
        guard groups.hasKey(ofSize: expression.size), !expression.facts.contains(.aggregate),
            !expression.facts.contains(.window)
        else { return nil }
        return groups.key(try ungrouped.value(expression))
    }

    /// Whether it contains a value of the groups.
    private func isMadeOfGroups(
        _ expression: BoundExpression, _ groups: GroupColumns
    ) throws -> Bool {
        try statement?.countStep()
        if expression.isCall { return true }
        return try expression.form.parts.contains {
            try key($0, groups) != nil || isMadeOfGroups($0, groups)
        }
    }
}

extension BoundExpression {
    /// Whether it is an aggregate or window function.
    var isCall: Bool { if case .call = form { true } else { false } }

    /// The collation of its values as a column; nil for byte order.
    var order: QueryCollation? {
        guard case .collate(let order, let value) = form, !value.isComparison else { return nil }
        return order
    }
}
