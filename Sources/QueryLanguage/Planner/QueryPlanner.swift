internal import StoreFormat

/// The third stage of a translation: chooses which indexes serve the parts of a query, and how
/// each value is computed so that SQL does not lose its type.
///
/// What it decides follows from the query, its options and the catalog alone.
package final class QueryPlanner {
    let options: TranslationOptions
    /// Nil unless an error is being located.
    private let origins: QueryOrigins?
    /// The checks that the plan depends on.
    private(set) var guards: [PlanGuard] = []
    private var searches: [SearchText] = []
    private var joinCount = 0
    /// The number of expressions that were planned.
    private var stepCount = 0

    private init(_ options: TranslationOptions, _ origins: QueryOrigins? = nil) {
        self.options = options
        self.origins = origins
    }

    /// Plans a query.
    ///
    /// - Throws: `.invalidQuery` for what SQL cannot express, `.missingIndex` if a vector index
    ///   does not exist, `CancellationError` if the task is cancelled.
    package static func plan(
        _ query: BoundQuery, _ options: TranslationOptions,
        _ origins: QueryOrigins? = nil
    ) throws -> QueryStatementPlan {
        let planner = QueryPlanner(options, origins)
        var output = PlanOutput()
        let rows = try planner.rows(query, .output, outer: nil, &output)
        return QueryStatementPlan(
            rows: rows, columnNames: query.columnNames, bodies: output.bodies,
            hasKeys: output.hasKeys, guards: planner.guards, searches: planner.searches)
    }

    /// The SQL of an expression of an index, as LiteCore writes it.
    ///
    /// - Throws: `.invalidQuery` for an expression that is not allowed in an index.
    package static func indexSQL(_ expression: BoundExpression) throws -> String {
        try SQLPrinter.sql(ExpressionPlanner.ofDefinition.exact(expression))
    }

    /// A planner of expressions outside a query.
    static func analyst(of source: ResolvedSource) -> ExpressionPlanner {
        ExpressionPlanner(
            QueryPlanner(TranslationOptions()), BlockSources(number: source.block, [], outer: nil))
    }

    /// The error of planning an expression, at its position if that is known.
    func located(_ error: any Error, _ expression: BoundExpression) -> any Error {
        origins?.located(error, expression) ?? error
    }

    /// Makes the plan depend on a check.
    func require(_ check: PlanGuard) {
        if !guards.contains(check) { guards.append(check) }
    }

    func note(_ search: BoundExpression) {
        let text: SearchText =
            switch search.form {
            case .literal(.string(let text)): .literal(text)
            case .parameter(let name): .parameter(name)
            default: .computed
            }
        searches.append(text)
    }

    /// Some expressions are planned more than once, and parts of them again, so the number of steps
    /// can be exponential in their depth.
    private static let mostSteps = 2_000_000

    /// Counts a planned expression.
    ///
    /// - Throws: `.invalidQuery` after too many, `CancellationError` if the task is cancelled.
    func countStep() throws {
        stepCount += 1
        guard stepCount <= Self.mostSteps else {
            throw StoreError.invalidQuery("the query is nested too deeply")
        }
        if stepCount % 256 == 0 { try Task.checkCancellation() }
    }

    /// The alias of another joined index table: `"<idx1>"`, as in LiteCore.
    func newJoinAlias() -> String {
        joinCount += 1
        return "\"<idx\(joinCount)>\""
    }
}

/// The form of result columns.
enum ColumnForm {
    /// They are read; each has its column name in the query.
    case output
    /// They are columns `c1`, `c2`, … of a subquery, and keep their types.
    case typed
}

/// What is known of the columns of the outermost query.
struct PlanOutput {
    /// The columns that are document bodies as stored in the file.
    var bodies: Set<Int> = []
    /// Whether an additional first column contains the document IDs.
    var hasKeys = false
}

// Queries.
extension QueryPlanner {
    func rows(
        _ query: BoundQuery, _ form: ColumnForm, outer: ExpressionPlanner?,
        _ output: inout PlanOutput
    ) throws -> RowsPlan {
        let tables = try query.with.map { table in
            CTEPlan(name: table.sqlName, rows: try self.rows(table.query, .typed, outer: outer))
        }
        let rows: RowsPlan =
            switch query.body {
            case .block(let block): .select(try select(block, form, outer, &output))
            case .nested(let inner): try self.rows(inner, form, outer: outer, &output)
            case .compound(let compound):
                .select(try select(compound, query.columnNames, form, outer))
            }
        return tables.isEmpty ? rows : .with(tables, rows)
    }

    /// The rows of a subquery.
    func rows(
        _ query: BoundQuery, _ form: ColumnForm, outer: ExpressionPlanner?
    ) throws -> RowsPlan {
        var output = PlanOutput()
        return try rows(query, form, outer: outer, &output)
    }

    private func select(
        _ compound: BoundCompound, _ columnNames: [String], _ form: ColumnForm,
        _ outer: ExpressionPlanner?
    ) throws -> SelectPlan {
        let columns = columnNames.enumerated().map { index, name in
            ColumnPlan(
                expression: .column("q", "c\(index + 1)"),
                name: form == .output ? name.sqlIdentifier : "c\(index + 1)")
        }
        let source = SourcePlan(table: .rows(try self.rows(compound.rows, outer)), alias: "q")
        let planner = ExpressionPlanner(
            self, BlockSources(number: compound.block, [], outer: outer))
        var select = SelectPlan(columns: columns, sources: [source])
        try finish(&select, compound.tail, planner)
        return select
    }

    /// The rows of an operand, in a form that is allowed in an SQL compound query.
    private func rows(
        _ rows: BoundRows, _ outer: ExpressionPlanner?
    ) throws -> RowsPlan {
        switch rows {
        case .block(let block):
            var output = PlanOutput()
            return .select(try select(block, .typed, outer, &output))
        case .nested(let query): return .all(try self.rows(query, .typed, outer: outer))
        case .compound(let known, let isAll, let left, let right):
            let (one, other) = (try self.rows(left, outer), try self.rows(right, outer))
            if isAll, known != .union {
                return .counted(known.rawValue, one, other, columnCount: left.columnCount)
            }
            // SQL's set operators have equal precedence and associate from the left.
            let isCompound = if case .compound = right { true } else { false }
            return .combined(
                known.rawValue + (isAll ? " ALL" : ""), one, isCompound ? .all(other) : other)
        }
    }

    /// Adds the order and limits.
    func finish(
        _ select: inout SelectPlan, _ tail: BoundTail,
        _ planner: ExpressionPlanner
    ) throws {
        select.order = try tail.order.map { try planner.order($0, isOfDocuments: true) }
        select.limit = try tail.limit.map { try bound($0) }
        select.offset = try tail.offset.map { try bound($0) }
    }

    /// A number of rows.
    func bound(_ expression: BoundExpression) throws -> SQLExpression {
        if case .literal(.integer(let number)) = expression.form {
            return .atom("\(max(number, 0))")
        }
        let planner = ExpressionPlanner(self, BlockSources(number: 0, [], outer: nil))
        return .call("max", [try planner.value(expression), .atom("0")])
    }
}
