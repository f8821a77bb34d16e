internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Terms of `WHERE` that a condition implies and that SQLite can look up in an index where it could
/// not use the condition itself. The condition stays, so that a term cannot make a row wrong.
struct ImpliedTerms {
    let planner: ExpressionPlanner

    /// The terms that follow from a condition on all rows.
    func terms(of condition: BoundExpression) throws -> [SQLExpression] {
        let conjuncts = condition.conjuncts
        var terms = try ElementSearch(planner: planner).terms(of: conjuncts)
        guard planner.block.hasIndexes else { return terms }
        terms += try conjuncts.flatMap { try PrefixSearch.terms(of: $0, planner) }
        terms += try conjuncts.compactMap { try listTerm(of: $0) }
        terms += try typedTerm(of: conjuncts).map { [$0] } ?? []
        return terms
    }

    /// Whether it is a string or a number: SQL and JSON compare other values differently.
    static func isPlain(_ expression: BoundExpression, _ options: TranslationOptions) -> Bool {
        switch expression.form {
        case .literal(let literal): literal.isPlain
        case .parameter(let name): options.parameters.isPlain(name)
        default: false
        }
    }

    /// The comparisons that an index can serve.
    static let searches: Set<QueryOperator> = [
        .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between,
    ]

    /// A comparison of an indexed expression with other values.
    static func comparison(
        _ known: QueryOperator, _ value: SQLExpression, _ others: [SQLExpression]
    ) -> SQLExpression {
        known == .between
            ? .between(value, others[0], others[1])
            : .infix(known.rawValue, [value, others[0]], known.sqlPrecedence)
    }
}

// Lists.
extension ImpliedTerms {
    /// `x IN $list` searches the list for each document. With this term SQLite looks up the
    /// elements of the list in an index on `x`.
    private func listTerm(of part: BoundExpression) throws -> SQLExpression? {
        guard case .operation(.in, let operands) = part.form, operands.count == 2,
            case .parameter(let name) = operands[1].form,
            !planner.options.parameters.oddLists.contains(name),
            let slot = try planner.servingIndex(of: operands[0])
        else { return nil }
        return .isInRows(
            slot.annotated, .values(of: try planner.value(operands[1])), isNegated: false)
    }
}

// Functions of indexed values.
extension ImpliedTerms {
    /// Finds documents by an indexed function that distinguishes types, where its argument is
    /// indexed too: `tostring(a) = 'true'`. The condition itself is computed from the documents,
    /// since SQLite could take the argument from the other index. The term finds the candidates by
    /// a subquery that can use only the right index; nil if another index can serve.
    private func typedTerm(of conjuncts: [BoundExpression]) throws -> SQLExpression? {
        guard !planner.options.avoidsIndexes else { return nil }
        let comparisons = conjuncts.compactMap(\.comparison)
        // A property has no argument that could come from another index.
        let candidates = comparisons.lazy.filter { !$0.operands[0].isProperty }
        var term: SQLExpression?
        for (known, operands) in candidates where term == nil {
            term = try lookup(known, operands)
        }
        guard let term else { return nil }
        for (_, operands) in comparisons {
            if case .metadata = operands[0].form { return nil }
            if try planner.servingIndex(of: operands[0]) != nil { return nil }
        }
        return term
    }

    private func lookup(
        _ known: QueryOperator, _ operands: [BoundExpression]
    ) throws -> SQLExpression? {
        let others = operands.dropFirst()
        guard Self.searches.contains(known),
            others.allSatisfy({ Self.isPlain($0, planner.options) }),
            let slot = try planner.slot(of: operands[0]), !slot.keepsTypes,
            slot.source.block == planner.block.number, !slot.source.includesDeleted,
            !slot.source.isOptional, let table = slot.source.table,
            let index = table.indexes.names[slot.text]
        else { return nil }
        let comparison = Self.comparison(
            known, .bare(slot.expression), try others.map { try planner.value($0) })
        let lookup = SQLLookup(
            column: "rowid", table: table.live, title: slot.source.alias, index: index.sqlName,
            condition: comparison)
        return .isInRows(.column(slot.source.sqlAlias, "rowid"), .lookup(lookup), isNegated: false)
    }
}

extension BoundExpression {
    /// Its operator and operands, if it is a comparison.
    fileprivate var comparison: (known: QueryOperator, operands: [BoundExpression])? {
        guard case .operation(let known, let operands) = form, known.isComparison else {
            return nil
        }
        return (known, operands)
    }
}

/// Finds strings by prefix in the indexes of properties, since SQLite uses no expression index for
/// `LIKE 'abc%'`. The terms give the range of the candidate strings.
enum PrefixSearch {
    static func terms(
        of part: BoundExpression, _ planner: ExpressionPlanner
    ) throws -> [SQLExpression] {
        guard case .operation(.like, let operands) = part.form,
            let (prefix, end) = bounds(operands),
            operands[0].isProperty || operands[0].encoding == .plain,
            let slot = try planner.servingIndex(of: operands[0])
        else { return [] }
        return [
            .infix(">=", [slot.annotated, .string(prefix)], 4),
            .infix("<", [slot.annotated, .string(end)], 4),
        ]
    }

    /// The range of the strings that match a pattern; its upper bound is exclusive.
    static func bounds(_ operands: [BoundExpression]) -> (prefix: String, end: String)? {
        guard operands.count == 2, case .literal(let pattern) = operands[1].form,
            let prefix = QueryExpression.literal(pattern).likePrefix, !isOfNumbers(prefix),
            let end = end(of: prefix)
        else { return nil }
        return (prefix, end)
    }

    /// Whether a number can have this prefix: `LIKE` converts numbers to strings, an index does
    /// not.
    private static func isOfNumbers(_ prefix: String) -> Bool {
        guard let first = prefix.utf8.first else { return true }
        return "0123456789+-.Ii".utf8.contains(first)
    }

    /// The least string after all strings with this prefix; nil if its last character is not ASCII.
    private static func end(of prefix: String) -> String? {
        guard let last = prefix.utf8.last, last < 0x7E else { return nil }
        var scalars = prefix.unicodeScalars
        scalars.removeLast()
        scalars.append(Unicode.Scalar(last + 1))
        return String(scalars)
    }
}

extension QueryExpression {
    /// The literal prefix of a `LIKE` pattern, up to its first wildcard; nil if it is empty or the
    /// pattern is not a literal.
    package var likePrefix: String? {
        guard case .literal(.string(let pattern)) = self else { return nil }
        var prefix = String.UnicodeScalarView()
        for scalar in pattern.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { break }
            prefix.append(scalar)
        }
        return prefix.isEmpty || prefix.contains("\0") ? nil : String(prefix)
    }
}
