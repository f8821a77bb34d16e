internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Finds documents by an indexed function that distinguishes types, where its argument is indexed
/// too: `tostring(a) = 'true'`. The condition itself is computed from the documents, since SQLite
/// could take the argument from the other index. An additional term of `WHERE` finds the candidates
/// by a subquery that can use only the right index.
struct TypedSearch {
    let scope: QueryScope

    /// Terms that a condition implies and that SQLite can look up; empty if another index can
    /// serve.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard scope.hasIndexes, !scope.translation.options.avoidsIndexes else { return [] }
        var terms: [String] = []
        for part in condition.conjuncts {
            guard case .operation(let known, let operands) = part, known.isComparison else {
                continue
            }
            if case .meta = operands[0] { return [] }
            if try scope.indexedTable(of: operands[0]) != nil { return [] }
            if terms.isEmpty, let term = try term(known, operands) { terms.append(term) }
        }
        return terms
    }

    private func term(
        _ known: QueryOperator, _ operands: [QueryExpression]
    ) throws -> String? {
        guard ElementSearch.searches.contains(known),
            operands.dropFirst().allSatisfy({ ElementSearch(scope: scope).isPlain($0) }),
            let slot = try scope.indexedSlot(of: operands[0], []), !slot.keepsTypes,
            scope.sources.contains(where: { $0.sql == slot.source.sql }),
            case .records(let table) = slot.source.kind, !slot.source.includesDeleted,
            !slot.source.isOptional,
            let index = table.indexes.names[slot.text]
        else { return nil }
        let others = try operands.dropFirst().map { try SQLExpressionWriter.sql($0, .scope(scope)) }
        let isOperation = if case .operation = operands[0] { true } else { false }
        let value = isOperation ? "(\(slot.text))" : slot.text
        scope.translation.sourceNames[table.live.unquotedSQLName] = slot.source.alias
        return "\(slot.source.sql).rowid IN (SELECT rowid FROM \(table.live) INDEXED BY "
            + "\(index.sqlName) WHERE \(ElementSearch.comparison(known, value, others)))"
    }
}

/// Finds documents by the elements of a parameter: `x IN $list` searches the list for each
/// document. If all rows must meet it, an additional term of `WHERE` lets SQLite look up the
/// elements in an index on `x`.
struct ListSearch {
    let scope: QueryScope

    /// Terms that a condition implies and that SQLite can look up.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard scope.hasIndexes else { return [] }
        return try condition.conjuncts.compactMap { operand in
            guard case .operation(.in, let operands) = operand, operands.count == 2,
                case .parameter(let name) = operands[1],
                !scope.translation.options.oddLists.contains(name),
                try scope.indexedTable(of: operands[0]) != nil
            else { return nil }
            var value = SQLExpressionWriter(.scope(scope))
            value.isVerbatim = true
            try value.within(4) { try $0.write(operands[0]) }
            let list = try SQLExpressionWriter.sql(operands[1], .scope(scope))
            return "\(value.sql) IN (SELECT value FROM fl_each(\(list)))"
        }
    }
}

/// How a name in a query is compared with the names that it can refer to, in order of precedence:
/// as in LiteCore, `P.age` refers to the source `p` unless there is a `P`.
package enum NameComparison: CaseIterable {
    case exact
    /// ASCII letters are compared case-insensitively.
    case ignoringCase

    package func areEqual(_ one: String, _ other: String) -> Bool {
        switch self {
        case .exact: one.hasSameBytes(as: other)
        case .ignoringCase:
            one.utf8.count == other.utf8.count
                && one.asciiLowercased
                    .hasSameBytes(as: other.asciiLowercased)
        }
    }
}
