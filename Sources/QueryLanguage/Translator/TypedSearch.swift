internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Finds documents by a function that tells types apart and has an index, where its argument stands
/// in an index, too: `tostring(a) = 'true'`. The condition itself is then computed of documents,
/// since SQLite could take the argument from the other index. A term of `WHERE` looks up the
/// documents in question in a query that can use no index but the right one.
struct TypedSearch {
    let scope: QueryScope

    /// What a condition implies, as terms that SQLite can look up; none if another index can serve.
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
            let place = try scope.place(ofIndexed: operands[0], []), !place.keepsTypes,
            scope.sources.contains(where: { $0.sql == place.source.sql }),
            case .records(let table) = place.source.kind, !place.source.includesDeleted,
            !place.source.isOptional,
            let index = table.indexes.names[place.text]
        else { return nil }
        let others = try operands.dropFirst().map { try SQLExpressionWriter.sql($0, .scope(scope)) }
        let isOperation = if case .operation = operands[0] { true } else { false }
        let value = isOperation ? "(\(place.text))" : place.text
        scope.translation.sourceNames[table.live.unquotedSQLName] = place.source.alias
        return "\(place.source.sql).rowid IN (SELECT rowid FROM \(table.live) INDEXED BY "
            + "\(index.sqlName) WHERE \(ElementSearch.comparison(known, value, others)))"
    }
}

/// Finds documents by the elements of a parameter: `x IN $list` looks into the list for each
/// document. If all rows must meet it, a term of `WHERE` beside it lets SQLite look up the
/// elements in an index of `x`.
struct ListSearch {
    let scope: QueryScope

    /// What a condition implies, as terms that SQLite can look up.
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

/// How a name in a query is compared with those that it can mean, in the order of their rank: as in
/// LiteCore, `P.age` is of the source `p` unless there is a `P`.
package enum NameComparison: CaseIterable {
    case exact
    /// Letters of ASCII are equal in upper and lower case.
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
