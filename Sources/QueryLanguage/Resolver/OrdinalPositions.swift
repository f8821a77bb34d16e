internal import FleeceLite
internal import StoreFormat

// `ORDER BY 2` and `GROUP BY 2`: ordinal positions of result columns.
extension QueryBlock {
    /// The block with ordinal positions replaced by expressions.
    ///
    /// - Throws: `.invalidQuery` for a position without a column.
    package func withoutOrdinalPositions(
        _ results: [QueryResult], _ tail: QueryTail
    ) throws -> (QueryBlock, QueryTail) {
        guard
            groups.contains(where: \.isInteger)
                || tail.order.contains(where: \.expression.isInteger)
        else { return (self, tail) }
        let columns = Self.columns(results)
        var (block, tail) = (self, tail)
        block.groups = try groups.map { try $0.ofColumn(columns, "GROUP BY") }
        tail.order = try tail.order.map { try $0.ofColumn(columns) }
        return (block, tail)
    }

    /// Names for the results by position, which no other name in the query equals.
    package static func columns(_ results: [QueryResult]) -> [QueryExpression] {
        results.indices.map { .named(columnName($0)) }
    }

    static func columnName(_ index: Int) -> String { "\u{0}\(index + 1)" }

    /// The names of results by position, if an expression uses one.
    func columnNames(
        _ results: [QueryResult], _ tail: QueryTail
    ) -> [ScopeName] {
        guard
            groups.contains(where: \.hasColumnName) || condition?.hasColumnName == true
                || tail.order.contains(where: \.expression.hasColumnName)
        else { return [] }
        return results.enumerated().map { ScopeName(Self.columnName($0), $1.expression) }
    }
}

extension QueryOrder {
    /// The term with its ordinal position replaced.
    package func ofColumn(_ columns: [QueryExpression]) throws -> QueryOrder {
        var order = self
        order.expression = try expression.ofColumn(columns, "ORDER BY")
        return order
    }
}

extension QueryExpression {
    /// The column of the result with this name.
    static func named(_ title: String) -> QueryExpression { .property(PropertyPath([.key(title)])) }

    /// The index of the column for an ordinal position; nil if the expression is not one.
    package var columnIndex: Int? {
        guard case .property(let path) = self, case .key(let name) = path.components.first,
            name.utf8.first == 0, let number = Int(name.dropFirst()), number > 0
        else { return nil }
        return number - 1
    }

    fileprivate var isInteger: Bool {
        if case .literal(.integer) = bare { true } else { false }
    }

    fileprivate var hasColumnName: Bool {
        var has = false
        visit { has = has || $0.columnIndex != nil }
        return has
    }

    fileprivate func ofColumn(
        _ columns: [QueryExpression], _ clause: String
    ) throws -> QueryExpression {
        if case .located(let position, let value) = self {
            return .located(position, try position.locating { try value.ofColumn(columns, clause) })
        }
        guard case .literal(.integer(let number)) = self else { return self }
        // Checked before the subtraction, since the number can be any 64-bit integer.
        guard number >= 1, number <= Int64(columns.count) else {
            throw StoreError.invalidQuery(
                "\(clause) \(number): the result has \(columns.count) "
                    + (columns.count == 1 ? "column" : "columns"))
        }
        return columns[Int(number) - 1]
    }
}
