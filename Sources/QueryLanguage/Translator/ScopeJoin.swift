internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// An index table that a query is joined with.
struct ScopeJoin {
    /// The expression that the table provides.
    let expression: QueryExpression
    /// The SQL name of the table; for a vector index it can be a subquery.
    let table: String
    let alias: String
    /// The source of the documents.
    let source: ScopeSource
    /// Whether rows without a match are retained.
    var isLeft = false
    /// Additional join conditions, after `AND`.
    var condition = ""

    var sql: String {
        " \(isLeft ? "LEFT" : "INNER") JOIN \(table) AS \(alias) ON \(alias).docid = "
            + "\(source.sql).rowid\(condition)"
    }
}

extension QueryScope {
    /// The only join for an expression: FTS4 supports one `MATCH` condition for each table.
    func join(of expression: QueryExpression) -> ScopeJoin? {
        joins.first { $0.expression == expression }
    }

    /// `"<idx1>"`, as in LiteCore.
    func newJoinAlias() -> String { "<idx\(translation.newNumber())>".sqlName }
}

// Full-text tables.
extension QueryScope {
    /// The full-text table of an index: `name`, or `source.name`.
    ///
    /// - Throws: `.missingIndex` if it does not exist.
    func fullTextSource(_ name: String) throws -> (name: String, source: ScopeSource) {
        var scope: QueryScope? = self
        while let current = scope {
            for source in current.sources {
                guard case .records(let table) = source.kind else { continue }
                if let words = table.indexes.words[name] { return (words.sqlName, source) }
                let prefix = source.alias + "."
                if name.hasPrefix(prefix),
                    let words = table.indexes.words[String(name.dropFirst(prefix.count))]
                {
                    return (words.sqlName, source)
                }
            }
            scope = current.outer
        }
        throw StoreError(
            .missingIndex, "there is no full-text index \(name) of a collection of the query")
    }

    func rankedJoin(_ table: String) -> ScopeJoin? {
        joins.first { $0.table == table } ?? outer?.rankedJoin(table)
    }

    /// Joins the full-text tables that all rows of the query must match.
    func joinWords(of condition: QueryExpression?) throws {
        for operand in condition?.conjuncts ?? [] {
            guard case .match(let name, _) = operand else { continue }
            let table = try fullTextSource(name)
            guard !joins.contains(where: { $0.table == table.name }),
                sources.contains(where: { $0.sql == table.source.sql })
            else { continue }
            let alias = newJoinAlias()
            translation.fullTextIndexes[alias.unquotedSQLName] = name
            joins.append(
                ScopeJoin(
                    expression: operand, table: table.name, alias: alias, source: table.source))
        }
    }
}

extension String {
    /// An SQL name without its quotes.
    package var unquotedSQLName: String {
        guard utf8.first == UInt8(ascii: "\""), utf8.count >= 2 else { return self }
        var name = String.UnicodeScalarView()
        var isSecond = false
        for scalar in unicodeScalars.dropFirst().dropLast() {
            isSecond = scalar == "\"" && !isSecond
            if !isSecond { name.append(scalar) }
        }
        return String(name)
    }
}

// Predictive indexes.
extension QueryScope {
    /// The alias of the table with a model's results; nil if there is none.
    ///
    /// Documents without a result are retained, unless a condition on all rows requires one.
    func predictionTable(
        _ model: QueryExpression, _ input: QueryExpression, isRequired: Bool = false
    ) throws -> String? {
        guard takesJoins, !translation.options.avoidsIndexes else { return nil }
        let expression = QueryExpression.prediction(model: model, input: input, property: nil)
        if let join = join(of: expression) { return join.alias }
        var writer = SQLExpressionWriter(.scope(self))
        writer.isTextOfIndex = true
        try writer.write(expression)
        guard writer.usedTables.count == 1,
            let source = sources.first(where: { writer.usedTables.contains($0.sql) }),
            case .records(let table) = source.kind, !source.includesDeleted, !source.isOptional,
            let name = table.indexes.predictions[writer.sql]
        else { return nil }
        joins.append(
            ScopeJoin(
                expression: expression, table: name, alias: newJoinAlias(), source: source,
                isLeft: !isRequired))
        return joins.last?.alias
    }

    /// Joins the prediction tables that a condition compares: without a result it cannot be true.
    func joinPredictions(of condition: QueryExpression?) throws {
        for operand in condition?.conjuncts ?? [] {
            guard case .operation(let known, let operands) = operand, known.isComparison,
                ![.is, .isNot, .isDistinctFrom, .isNotDistinctFrom].contains(known)
            else { continue }
            for case .prediction(let model, let input, _) in operands {
                _ = try predictionTable(model, input, isRequired: true)
            }
        }
    }
}

extension QueryExpression {
    /// The conditions that must all be true for this one to be true.
    package var conjuncts: [QueryExpression] {
        guard case .operation(.and, let operands) = self else { return [self] }
        return operands.flatMap(\.conjuncts)
    }
}
