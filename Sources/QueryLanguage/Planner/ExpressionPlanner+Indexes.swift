internal import FleeceLite
internal import StoreFormat

/// An expression in an index.
struct IndexedSlot {
    let source: ResolvedSource
    /// The expression exactly as in the index.
    let expression: SQLExpression
    /// Its SQL text in the index.
    let text: String
    /// Whether its value is correct even if SQLite takes parts of it from another index.
    let keepsTypes: Bool

    /// The expression with the name of the index, for descriptions of the plan.
    var annotated: SQLExpression {
        .indexed(expression, index: source.table?.indexes.owners[text] ?? text)
    }
}

// Values of indexes. SQLite takes the value of an index for the same expression anywhere in a
// statement, also within another expression, and that value has lost its subtype. So an
// expression whose type matters is never written exactly as in an index.
extension ExpressionPlanner {
    /// An indexed expression: exactly as in the index if only the value matters, so that SQLite
    /// finds it there, and in an equivalent form if its type matters.
    ///
    /// Nil if it is not indexed, or must be composed of its parts.
    func indexed(_ expression: BoundExpression, _ use: ValueUse) throws -> SQLExpression? {
        // A joined table provides a prediction.
        let isJoined = expression.facts.contains(.prediction) && !joins.isEmpty
        guard !use.isHidden, groups == nil, expression.canBeIndexed, !isJoined,
            let slot = try slot(of: expression)
        else { return nil }
        let isTyped = use.keepsSubtypes && expression.encoding != .plain
        if !isTyped || expression.encoding == .boolean, slot.keepsTypes {
            // `fl_bool` sets the subtype of a Boolean again.
            return isTyped ? .call("fl_bool", [slot.annotated]) : slot.annotated
        }
        guard isTyped else { return nil }
        var hidden = use
        hidden.isHidden = true
        return try value(expression, hidden)
    }

    /// The location of an expression in an index of this query that can provide its value; nil if
    /// there is none.
    func servingIndex(of expression: BoundExpression) throws -> IndexedSlot? {
        guard block.hasIndexes, let slot = try slot(of: expression), slot.keepsTypes,
            slot.source.table != nil, slot.source.block == block.number
        else { return nil }
        return slot
    }

    /// The location of an expression in an index of a source, of this query or of an outer one.
    func slot(of expression: BoundExpression) throws -> IndexedSlot? {
        guard let source = expression.sources.only, isVisible(source),
            expression.facts.isDisjoint(with: [.aggregate, .window]),
            let indexed = indexedExpressions(of: source), !indexed.sqlTexts.isEmpty,
            expression.isProperty || indexed.hasComposites, expression.size <= indexed.longest
        else { return nil }
        let parts = TypedParts()
        guard let sql = try exactOrNil(expression, parts) else { return nil }
        let text = try SQLPrinter.sql(sql, isBare: true)
        guard indexed.sqlTexts.contains(text) else { return nil }
        return IndexedSlot(
            source: source, expression: sql, text: text,
            keepsTypes: try keepsTypes(source, parts))
    }

    /// An expression as in an index; nil for one that no index can contain. Errors are reported
    /// when the expression is planned.
    private func exactOrNil(
        _ expression: BoundExpression, _ parts: TypedParts
    ) throws -> SQLExpression? {
        do {
            return try exact(expression, parts)
        } catch let error as StoreError where error.has(.invalidQuery) {
            return nil
        }
    }

    /// Whether the rows of a source are visible here, rather than columns of groups.
    private func isVisible(_ source: ResolvedSource) -> Bool {
        var planner = self
        while planner.groups == nil {
            if planner.block.number == source.block { return true }
            guard let outer = planner.block.outer else { return false }
            planner = outer
        }
        return false
    }

    private func indexedExpressions(of source: ResolvedSource) -> IndexedExpressions? {
        switch access(to: source) {
        case .table: source.table.map { $0.indexes.indexedExpressions }
        case .elementTable(let table, _): table.indexedExpressions
        case .elements: nil
        }
    }

    /// Whether no index contains any of these values, where it would lose its type.
    func keepsTypes(_ source: ResolvedSource, _ parts: TypedParts) throws -> Bool {
        let sqlTexts = try parts.sqlTexts()
        if case .elementTable(let table, _) = access(to: source) {
            return table.keepsTypes(sqlTexts)
        }
        return source.table?.indexes.keepsTypes(sqlTexts) ?? true
    }
}

/// The SQL texts of the expressions in the indexes of a table.
struct IndexedExpressions {
    let sqlTexts: Set<String>
    /// The length of the longest of them.
    let longest: Int
    /// Whether some of them are not properties.
    let hasComposites: Bool
}

extension QueryIndexes {
    fileprivate var indexedExpressions: IndexedExpressions {
        IndexedExpressions(sqlTexts: expressions, longest: longest, hasComposites: hasComposites)
    }

    /// Whether no index contains any of these values.
    package func keepsTypes(_ sqlTexts: Set<String>) -> Bool {
        sqlTexts.isEmpty || !hasOthers && sqlTexts.isDisjoint(with: expressions)
    }
}

extension QueryIndexes.ElementTable {
    fileprivate var indexedExpressions: IndexedExpressions {
        IndexedExpressions(
            sqlTexts: expressions, longest: expressions.map(\.utf8.count).max() ?? 0,
            hasComposites: true)
    }

    /// Whether none of these values is the element itself or indexed: there it has no type.
    func keepsTypes(_ sqlTexts: Set<String>) -> Bool {
        !sqlTexts.contains("fl_unnested_value(body)") && sqlTexts.isDisjoint(with: expressions)
    }
}

extension BoundExpression {
    /// Whether an index may contain it as a whole, rather than SQLite decomposing it.
    fileprivate var canBeIndexed: Bool {
        switch form {
        case .function, .operation, .nested, .cases, .quantified, .collate, .prediction, .blob: true
        default: false
        }
    }
}
