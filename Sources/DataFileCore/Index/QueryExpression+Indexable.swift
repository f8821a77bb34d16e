internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

extension QueryExpression {
    /// Checks that SQLite takes it in an index of its own, which may have no subqueries, and
    /// nothing that a setting of the connection changes.
    ///
    /// Throws `.invalidQuery`.
    func requireIndexableBySQLite() throws {
        var reason: String?
        // In these orders it is a function, which no setting changes.
        var functions: Set<QueryExpression> = []
        visit { expression in
            switch expression {
            case .collate(let order, let operation) where order.isUnicode || !order.isCaseSensitive:
                functions.insert(operation)
            case .quantified(let quantifier) where !quantifier.isMembership:
                reason =
                    "ANY and EVERY cannot stand in an index, but for ANY x IN array SATISFIES "
                    + "x = value END; make an array index"
            case .operation(.like, _) where !functions.contains(expression):
                reason = "LIKE cannot stand in an index without COLLATE"
            default: break
            }
        }
        if let reason { throw StoreError.invalidQuery(reason) }
    }
}

extension QueryQuantifier {
    /// Whether it asks no more than whether an array has a value.
    fileprivate var isMembership: Bool {
        guard kind == .any, case .operation(.equal, let operands) = condition,
            operands.count == 2, case .variable(variable, let path) = operands[0]
        else { return false }
        return path.components.isEmpty
    }
}
