internal import FleeceLite
internal import StoreFormat

// One SELECT.
extension QueryPlanner {
    func select(
        _ block: BoundBlock, _ form: ColumnForm, _ outer: ExpressionPlanner?,
        _ output: inout PlanOutput
    ) throws -> SelectPlan {
        let planner = try ExpressionPlanner(self, sources(of: block, outer)).joined(block)
        if block.groups.isEmpty {
            return needsColumns(block, planner)
                ? try grouped(block, form, planner)
                : try plain(block, form, planner, &output)
        }
        guard let index = try answeringIndex(block, planner) else {
            return try grouped(block, form, planner)
        }
        require(index)
        var trusting = planner
        trusting.trustsIndexes = true
        return try plain(block, form, trusting, &output)
    }

    /// The sources with the tables of array indexes where elements have one.
    private func sources(
        of block: BoundBlock, _ outer: ExpressionPlanner?
    ) -> BlockSources {
        var planned: [PlannedSource] = []
        for item in block.sources {
            planned.append(
                PlannedSource(source: item.source, access: access(to: item.source, planned)))
        }
        return BlockSources(number: block.number, planned, outer: outer)
    }

    private func access(
        to source: ResolvedSource, _ planned: [PlannedSource]
    ) -> PlannedSource.Access {
        guard case .elements(let owner, let path) = source.kind else { return .table }
        guard !options.avoidsIndexes, owner.block == source.block, !owner.includesDeleted else {
            return .elements
        }
        switch planned[owner.position].access {
        case .table:
            guard let table = owner.table?.indexes.arrays[path.description] else {
                return .elements
            }
            return .elementTable(table, IndexedArray(of: owner, path))
        case .elementTable(let outer, let array):
            guard let table = outer.inner[path.description] else { return .elements }
            return .elementTable(table, IndexedArray(in: array, elements: owner, path))
        case .elements: return .elements
        }
    }

    /// Whether values must be columns of a subquery although there are no groups.
    private func needsColumns(
        _ block: BoundBlock, _ planner: ExpressionPlanner
    ) -> Bool {
        let expressions = block.expressionsOnGroups
        // Values of elements lose their subtypes where SQLite stores them for windows.
        if expressions.contains(where: { $0.facts.contains(.window) }),
            planner.block.sources.contains(where: {
                if case .elements = $0.access { true } else { false }
            })
        {
            return true
        }
        let isInner = planner.block.outer != nil
        return expressions.contains {
            $0.facts.contains(.collects) || isInner && $0.hasForeignAggregate(block.number)
        }
    }

    /// The `FROM` items with the joined index tables.
    private func from(
        _ block: BoundBlock, _ planner: ExpressionPlanner
    ) throws -> [SourcePlan] {
        try block.sources.map { try source($0, planner) } + planner.joins.map(\.plan)
    }

    private func source(
        _ item: BoundSource, _ planner: ExpressionPlanner
    ) throws -> SourcePlan {
        let source = item.source
        var plan = SourcePlan(
            table: try table(item, planner), alias: source.sqlAlias,
            title: planner.title(of: source), join: item.join.map(\.plan))
        if case .rows = source.kind { plan.marksMatches = source.isOptional }
        if let condition = item.condition {
            // Index tables are joined after the sources, which ON cannot refer to.
            var before = planner
            before.joins = []
            plan.conditions = [try before.value(condition)]
        }
        switch planner.access(to: source) {
        case .elementTable(_, let array):
            plan.conditions = [.atom("\(source.sqlAlias).docid=\(owner(of: source, array)).rowid")]
            if item.join != .left { plan.join = .elements }
        case .elements, .table:
            if case .elements = source.kind, item.join != .left { plan.join = .elements }
            if item.join != nil, let alive = source.aliveTest { plan.conditions.append(alive) }
        }
        return plan
    }

    /// The documents of a source in the rows of a block that meet conditions, as the argument of a
    /// search.
    func documents(
        of source: ResolvedSource, in block: BoundBlock, _ conditions: [BoundExpression],
        _ planner: ExpressionPlanner
    ) throws -> SelectPlan {
        let isAlive = block.sources.first?.source.aliveTest.map { [$0] } ?? []
        let set = SQLExpression.call("document_set", [.column(source.sqlAlias, "rowid")])
        return SelectPlan(
            columns: [ColumnPlan(expression: set)], sources: try from(block, planner),
            conditions: try isAlive + conditions.map { try planner.value($0) })
    }

    private func owner(of source: ResolvedSource, _ array: IndexedArray) -> String {
        guard case .elements(let owner, _) = source.kind else { return array.documents.sqlAlias }
        return owner.sqlAlias
    }

    private func table(
        _ item: BoundSource, _ planner: ExpressionPlanner
    ) throws -> SourcePlan.Table {
        switch item.content {
        case .cte(let name): return .cte(name)
        case .query(let query):
            return .rows(try rows(query, .typed, outer: planner.block.outer))
        case .elements(let array):
            if case .elementTable(let table, _) = planner.access(to: item.source) {
                return .table(table.sqlName)
            }
            let arguments = try planner.collectionArguments(array, ValueUse().typed())
            return .elements(.call("fl_each", arguments))
        case .documents:
            guard let table = item.source.table else { return .table("") }
            guard item.source.includesDeleted, let tombstones = table.tombstones else {
                return .table(table.live)
            }
            return .withTombstones(
                live: table.live, tombstones: tombstones, hasExpiration: table.hasExpiration)
        }
    }
}

extension ExpressionPlanner {
    /// What a source is in the query.
    fileprivate func title(of source: ResolvedSource) -> SourcePlan.Title {
        switch (source.kind, access(to: source)) {
        case (.elements, .elementTable(let table, _)): .elementTable(table.title)
        case (.elements, _): .elements(source.alias)
        case (.rows, _): .rows(source.alias)
        default: .documents(source.fullName)
        }
    }
}

extension QuerySource.Join {
    fileprivate var plan: SourcePlan.Join {
        switch self {
        case .inner: .inner
        case .left: .left
        case .cross: .cross
        }
    }
}

extension ResolvedSource {
    /// The condition that a row is not a tombstone; nil if the table has no tombstones.
    var aliveTest: SQLExpression? {
        guard let table, table.mayHaveLiveTombstones, !includesDeleted else { return nil }
        return .isAlive(.column(sqlAlias, "flags"))
    }
}

// Queries without groups, or with groups that an index provides in order.
extension QueryPlanner {
    private func plain(
        _ block: BoundBlock, _ form: ColumnForm, _ planner: ExpressionPlanner,
        _ output: inout PlanOutput
    ) throws -> SelectPlan {
        let isOfRows = form == .output && planner.block.outer == nil && block.hasRowsOfSources
        var select = SelectPlan(columns: [], sources: [])
        select.isDistinct = block.isDistinct
        if options.addsKeys, isOfRows, let source = block.onlyCollection {
            select.columns = [ColumnPlan(expression: .column(source.sqlAlias, "key"))]
            output.hasKeys = true
        }
        for (index, result) in block.results.enumerated() {
            // A whole document is not copied in SQL: its body is returned as stored in the file.
            let body = isOfRows ? result.expression.body : nil
            if body != nil { output.bodies.insert(index) }
            select.columns.append(
                ColumnPlan(
                    expression: try body ?? planner.result(result.expression),
                    name: Self.name(of: result, index, form)))
        }
        select.conditions = try conditions(block, planner)
        select.groups = try block.groups.map { try planner.value($0) }
        select.groupCondition = try block.groupCondition.map { try planner.value($0) }
        try finish(&select, block.tail, planner)
        select.sources = try from(block, planner)
        if let elements = elementsAlone(block, select, planner) { select.sources = [elements] }
        return select
    }

    /// The name of a result column in SQL; nil for none.
    private static func name(
        of result: BoundResult, _ index: Int, _ form: ColumnForm
    ) -> String? {
        form == .typed ? "c\(index + 1)" : result.alias?.sqlIdentifier
    }

    /// The table of an array's elements, if the query uses nothing else of the documents.
    private func elementsAlone(
        _ block: BoundBlock, _ select: SelectPlan, _ planner: ExpressionPlanner
    ) -> SourcePlan? {
        let sources = planner.block.sources
        guard sources.count == 2, planner.joins.isEmpty, block.sources[1].join != .left,
            case .elementTable(let table, let array) = sources[1].access,
            array.documents === sources[0].source, sources[0].source.aliveTest == nil,
            !select.reads(sources[0].source.sqlAlias)
        else { return nil }
        return SourcePlan(
            table: .table(table.sqlName), alias: sources[1].source.sqlAlias,
            title: .elementTable(table.title))
    }

    /// The conditions of `WHERE`, with the implied terms.
    private func conditions(
        _ block: BoundBlock, _ planner: ExpressionPlanner
    ) throws -> [SQLExpression] {
        var terms = block.sources.first?.source.aliveTest.map { [$0] } ?? []
        let onlyChanged = options.onlyChanged && planner.block.outer == nil
        if onlyChanged, let source = block.onlyCollection {
            let keys = SQLRowList.values(of: .atom(TranslationOptions.changedKeys))
            terms.append(.isInRows(.column(source.sqlAlias, "key"), keys, isNegated: false))
        }
        guard let condition = block.condition else { return terms }
        let own = try planner.value(condition)
        // A few documents are found by their IDs: the `+` prevents the use of another index.
        if onlyChanged { return [.hidden(.grouped(0, .within(0, own)))] + terms }
        return [own] + terms + (try ImpliedTerms(planner: planner).terms(of: condition))
    }

    /// A subquery computes the values of each document.
    private func grouped(
        _ block: BoundBlock, _ form: ColumnForm, _ planner: ExpressionPlanner
    ) throws -> SelectPlan {
        let groups = GroupColumns(depth: planner.block.depth)
        var documents = planner
        documents.joinsResults = true
        var keys: [SQLExpression] = []
        for group in block.groups {
            let column = groups.column(try documents.result(group))
            let key = SQLExpression.column("", column)
            keys.append(group.order.map { .collated(key, $0) } ?? key)
            groups.addKey(try documents.value(group), column, size: group.size)
        }
        let conditions = try conditions(block, documents)
        var many = documents
        many.groups = groups
        var select = SelectPlan(columns: [], sources: [])
        select.isDistinct = block.isDistinct
        select.columns = try block.results.enumerated().map { index, result in
            ColumnPlan(
                expression: try many.result(result.expression),
                name: Self.name(of: result, index, form))
        }
        select.groups = keys
        select.groupCondition = try block.groupCondition.map { try many.value($0) }
        try finish(&select, block.tail, many)
        var inner = SelectPlan(columns: groups.plans, sources: [], conditions: conditions)
        inner.order = orderOfDocuments(block, planner)
        inner.limit = .atom("-1")
        inner.sources = try from(block, documents)
        if let elements = elementsAlone(block, inner, documents) { inner.sources = [elements] }
        select.sources = [SourcePlan(table: .rows(.select(inner)), alias: nil)]
        return select
    }

    /// `ORDER BY` the rowids where values are collected, so that their order does not depend on the
    /// index that is used.
    private func orderOfDocuments(
        _ block: BoundBlock, _ planner: ExpressionPlanner
    ) -> [SQLOrder] {
        guard block.expressionsOnGroups.contains(where: { $0.facts.contains(.collects) }) else {
            return []
        }
        return planner.block.sources.compactMap { planned in
            guard let column = planned.orderColumn else { return nil }
            return SQLOrder(
                expression: .column(planned.source.sqlAlias, column), isDescending: false,
                missingIsLast: nil)
        }
    }
}

extension PlannedSource {
    /// The column with the order of its rows; nil if they have none.
    fileprivate var orderColumn: String? {
        switch (source.kind, access) {
        case (.documents, _): source.includesDeleted ? nil : "rowid"
        case (.elements, .elementTable): "i"
        case (.elements, _): "rowid"
        default: nil
        }
    }
}

extension BoundExpression {
    /// The stored body, if the expression is a whole document.
    fileprivate var body: SQLExpression? {
        guard case .property(let source, let path) = form, path.components.isEmpty,
            source.isOfDocuments
        else { return nil }
        return .column(source.sqlAlias, "body")
    }
}

extension BoundBlock {
    /// Whether each row of the result is one row of the sources.
    fileprivate var hasRowsOfSources: Bool {
        !isDistinct && groups.isEmpty && groupCondition == nil
            && !results.contains { $0.expression.facts.contains(.aggregate) }
            && !tail.order.contains { $0.expression.facts.contains(.aggregate) }
    }

    /// The only collection among its sources.
    fileprivate var onlyCollection: ResolvedSource? {
        let collections = sources.map(\.source).filter(\.isOfDocuments)
        return collections.count == 1 ? collections[0] : nil
    }
}
