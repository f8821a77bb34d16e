internal import FleeceLite
internal import StoreFormat

/// An index table that a query is joined with.
struct JoinPlan {
    /// What the table provides.
    enum Content: Equatable {
        /// Documents with a match, by the table and the search string.
        case match(String, SQLExpression)
        /// The outputs of a model.
        case prediction(SQLExpression)
        /// Distances from a vector, by the arguments of the function.
        case distance([SQLExpression])
    }

    let content: Content
    let table: SourcePlan.Table
    let alias: String
    /// The source of the documents.
    let source: ResolvedSource
    /// Whether rows without a match are retained.
    var isLeft = false
    var conditions: [SQLExpression] = []
    /// What the table is in the query.
    var title: SourcePlan.Title?

    var plan: SourcePlan {
        let isSame = SQLExpression.infix(
            "=", [.column(alias, "docid"), .column(source.sqlAlias, "rowid")], 3)
        return SourcePlan(
            table: table, alias: alias, title: title, join: isLeft ? .left : .inner,
            conditions: [isSame] + conditions)
    }
}

// Joining index tables.
extension ExpressionPlanner {
    /// The planner with the index tables that serve the expressions of a block.
    func joined(_ block: BoundBlock) throws -> ExpressionPlanner {
        var planner = self
        let conjuncts = block.condition?.conjuncts ?? []
        for part in conjuncts { try planner.joinWords(part) }
        for part in conjuncts { try planner.joinRequiredPredictions(part) }
        try VectorDistance(block).join(&planner)
        try block.forEachExpressionAfterSources { try planner.joinPredictions($0) }
        return planner
    }

    func join(_ content: JoinPlan.Content) -> JoinPlan? { joins.first { $0.content == content } }
}

// Full-text tables.
extension ExpressionPlanner {
    /// Joins the full-text table that all rows of the query must match: FTS4 supports one `MATCH`
    /// condition for each table.
    private mutating func joinWords(_ part: BoundExpression) throws {
        guard let statement, case .match(let index, let words) = part.form,
            index.source.block == block.number,
            !joins.contains(where: { $0.table == .table(index.sqlName) })
        else { return }
        joins.append(
            JoinPlan(
                content: .match(index.sqlName, try value(words)), table: .table(index.sqlName),
                alias: statement.newJoinAlias(), source: index.source,
                title: .fullTextIndex(index.name)))
    }

    /// Whether a document matches a full-text query: by a join with the full-text table, or by a
    /// subquery of its rows.
    func match(
        _ index: FullTextReference, _ words: BoundExpression, _ use: ValueUse
    ) throws -> SQLExpression {
        statement?.note(words)
        let text = try value(words, use.operand())
        if let join = join(.match(index.sqlName, text)) {
            return .match("\(join.alias).\(index.sqlName)", words: text)
        }
        let lookup = SQLLookup(
            column: "docid", table: index.sqlName, title: index.sqlName.unquotedSQLName,
            condition: .match(index.sqlName, words: text))
        return .isInRows(
            .column(index.source.sqlAlias, "rowid"), .lookup(lookup), isNegated: false)
    }

    /// The rank of a match.
    func rank(_ index: FullTextReference) throws -> SQLExpression {
        var planner: ExpressionPlanner? = self
        while let current = planner {
            if let join = current.joins.first(where: { $0.table == .table(index.sqlName) }) {
                let table = SQLExpression.atom("\(join.alias).\(index.sqlName)")
                return .call("rank", [.call("matchinfo", [table])])
            }
            planner = current.block.outer
        }
        throw StoreError.invalidQuery(
            "RANK(\(index.name)) needs MATCH(\(index.name), …) as a condition that all rows meet")
    }
}

// Predictive indexes.
extension ExpressionPlanner {
    /// Joins the prediction tables that a condition compares: without a result it cannot be true.
    private mutating func joinRequiredPredictions(_ part: BoundExpression) throws {
        guard case .operation(let known, let operands) = part.form, known.isComparison,
            ![.is, .isNot, .isDistinctFrom, .isNotDistinctFrom].contains(known)
        else { return }
        for operand in operands {
            guard case .prediction(let model, let input, _) = operand.form else { continue }
            try join(model, input, isRequired: true)
        }
    }

    /// Joins the tables of all predictions in an expression, except those of elements.
    private mutating func joinPredictions(_ expression: BoundExpression) throws {
        guard expression.facts.contains(.prediction) else { return }
        if case .quantified(let quantifier) = expression.form {
            return try joinPredictions(quantifier.collection)
        }
        if case .prediction(let model, let input, _) = expression.form {
            try join(model, input, isRequired: false)
        }
        for part in expression.form.parts { try joinPredictions(part) }
    }

    /// Joins the table with a model's results, if there is one. Documents without a result are
    /// retained, unless a condition on all rows requires one.
    private mutating func join(
        _ model: BoundExpression, _ input: BoundExpression, isRequired: Bool
    ) throws {
        guard let statement, !options.avoidsIndexes,
            let source = source(of: [model, input]), !source.includesDeleted,
            !source.isOptional, let indexes = source.table?.indexes.predictions, !indexes.isEmpty
        else { return }
        let content = try content(model, input)
        guard join(content) == nil, case .prediction(let expression) = content,
            let table = indexes[try SQLPrinter.sql(expression, isBare: true)]
        else { return }
        joins.append(
            JoinPlan(
                content: content, table: .table(table), alias: statement.newJoinAlias(),
                source: source, isLeft: !isRequired))
    }

    /// The only source of this block that expressions read.
    private func source(of expressions: [BoundExpression]) -> ResolvedSource? {
        let use = expressions.reduce(SourceUse.none) { $0.union($1.sources) }
        guard let source = use.only, source.block == block.number else { return nil }
        return source
    }

    private func content(
        _ model: BoundExpression, _ input: BoundExpression
    ) throws -> JoinPlan.Content {
        .prediction(.call("prediction", try [model, input].map { try exact($0) }))
    }

    /// The output of a model, from the table of its predictive index if that is joined.
    func prediction(
        _ model: BoundExpression, _ input: BoundExpression, _ property: PropertyPath?,
        _ use: ValueUse
    ) throws -> SQLExpression {
        let path = property.map { [SQLExpression.string("." + $0.description)] } ?? []
        if !use.isExact, model.facts.contains(.varies) || input.facts.contains(.varies),
            let join = join(try content(model, input))
        {
            // A value from an index of that table has no type.
            let hides = use.keepsSubtypes || use.isHidden
            guard property != nil else { return try wholeOutput(join, model, input, hides) }
            let body = SQLExpression.column(join.alias, "body")
            return .call("fl_unnested_value", [hides ? .hidden(body) : body] + path)
        }
        let arguments = try [model, input].map { try value($0, use.typed()) }
        return .call("prediction", arguments + path)
    }

    /// The whole output of a model, in whose table a Boolean is a number.
    private func wholeOutput(
        _ join: JoinPlan, _ model: BoundExpression, _ input: BoundExpression, _ hides: Bool
    ) throws -> SQLExpression {
        let value = SQLExpression.call("fl_unnested_value", [.column(join.alias, "body")])
        guard hides else { return value }
        let typed = SQLExpression.call(
            "prediction", try [model, input].map { try self.value($0, ValueUse().typed()) })
        return .cases(
            subject: nil, [SQLCase(condition: .isAmbiguous(value), value: typed)],
            otherwise: value)
    }
}
