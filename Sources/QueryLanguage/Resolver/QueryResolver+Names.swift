internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

// Properties, and names that stand for expressions.
extension QueryResolver {
    func property(
        _ path: PropertyPath, _ context: ResolverContext
    ) throws -> BoundExpression {
        switch try context.names.resolution(of: path) {
        case .source(let source, let rest):
            return BoundExpression(try property(rest, of: source))
        case .name(let scope, let number, let rest):
            let expression = try expression(ofName: number, scope)
            try requireAllowed(expression, context)
            return rest.components.isEmpty ? expression : try property(rest, of: expression)
        }
    }

    /// The expression that a name stands for.
    func expression(ofName number: Int, _ scope: NameScope) throws -> BoundExpression {
        let name = scope.names[number]
        if name.resolved == nil { define(number, scope) }
        return try use(name) ?? expression(name.expression, context(of: number, scope))
    }

    /// Resolves the expression of a name.
    func define(_ number: Int, _ scope: NameScope) {
        let name = scope.names[number]
        define(name) { try expression(name.expression, context(of: number, scope)) }
    }

    private func context(of number: Int, _ scope: NameScope) -> ResolverContext {
        ResolverContext(
            names: NameEnvironment(expressionOf: number, in: scope), variables: scope.variables
        ).ofManyRows
    }

    /// A property of the value of an expression.
    private func property(
        _ path: PropertyPath, of expression: BoundExpression
    ) throws -> BoundExpression {
        guard case .property(let source, let start) = expression.form else {
            return BoundExpression(.nested(expression, path))
        }
        return BoundExpression(
            try property(PropertyPath(start.components + path.components), of: source))
    }

    /// A property of the rows of a source.
    ///
    /// - Throws: `.invalidQuery` if the rows have no such column.
    func property(
        _ path: PropertyPath, of source: ResolvedSource
    ) throws -> BoundExpression.Form {
        if case .rows(let columns) = source.kind, let first = path.components.first {
            guard case .key(let name) = first, columns.index(name) != nil else {
                let rows = source.alias.isEmpty ? "the result" : source.alias
                throw StoreError.invalidQuery(
                    "\(rows) has no column \(PropertyPath([first]).description), but "
                        + columns.columnNames.joined(separator: ", "))
            }
        }
        if source.isOfDocuments { try requirePath(path) }
        return .property(source, path)
    }

    private func requirePath(_ path: PropertyPath) throws {
        for case .key(let key) in path.components {
            guard !key.isEmpty else {
                throw StoreError.invalidQuery("a path with an empty name has no meaning here")
            }
            guard !key.hasNUL else {
                throw StoreError.invalidQuery("a string in an expression cannot contain U+0000")
            }
        }
    }

    /// A blob that a property refers to.
    func blob(
        _ path: PropertyPath, _ context: ResolverContext
    ) throws -> BoundExpression.Form {
        try requireDocuments(context.names, "fl_blob")
        guard case .property(let source, let rest) = try property(path, context).form,
            !rest.components.isEmpty, source.hasBodies
        else {
            throw StoreError.invalidQuery("\(path) is not a property of a document")
        }
        return .blob(source, rest)
    }

    /// - Throws: if the expression is that of an index on elements of arrays.
    private func requireDocuments(_ names: NameEnvironment, _ what: String) throws {
        guard case .indexedElements = names.scope.sources.first?.kind else { return }
        throw StoreError.invalidQuery("\(what) is not supported for elements of arrays")
    }

    /// Metadata of a document, or a property whose name looks like it.
    func metadata(
        _ property: MetaProperty, _ owner: String?, _ context: ResolverContext
    ) throws -> BoundExpression {
        let names = context.names
        try requireDocuments(names, "META()")
        if let row = names.scope.sources.first, case .indexedDocuments = row.kind,
            property.isKnown(ofSource: owner)
        {
            return BoundExpression(.metadata(property, row))
        }
        let known = owner.flatMap { names.source(called: $0) }
        if let owner, known?.isOfDocuments != true {
            guard property != .all, known?.mayHave(property) != false else {
                throw StoreError.invalidQuery(
                    "META(\(owner)) does not name a collection of the query")
            }
            return try self.property(
                PropertyPath([.key(owner), .key(property.shortName)]), context)
        }
        let source = try known ?? names.onlyCollection()
        if property == .deleted || property == .all, source.block == names.scope.block {
            source.includesDeleted = true
        }
        return BoundExpression(.metadata(property, source))
    }
}

extension ResolvedSource {
    /// Whether its rows have a body, in which a path can be searched.
    fileprivate var hasBodies: Bool {
        switch kind {
        case .documents, .elements, .indexedDocuments: true
        case .rows, .indexedElements: false
        }
    }
}

// Functions.
extension QueryResolver {
    func function(
        _ name: String, _ arguments: [QueryExpression], _ context: ResolverContext
    ) throws -> BoundExpression.Form {
        let known = try function(named: name)
        guard known.arguments.contains(arguments.count) else {
            throw StoreError.invalidQuery(
                "\(name)() takes \(known.argumentCountText), not \(arguments.count)")
        }
        if name == QueryFunction.vectorDistance { _ = try catalog(for: "APPROX_VECTOR_DISTANCE()") }
        guard known.isAggregate else {
            return .function(known, try arguments.map { try expression($0, context) })
        }
        return .call(try call(QueryCall(function: known.name, arguments: arguments), context))
    }

    private func function(named name: String) throws -> QueryFunction {
        if let known = QueryFunction(named: name) { return known }
        let nearest = QueryFunction.nearest(to: name).map { "; did you mean \($0)()?" } ?? ""
        throw StoreError.invalidQuery("there is no function \(name)()\(nearest)")
    }

    /// A call of an aggregate or window function.
    func call(
        _ call: QueryCall, _ context: ResolverContext
    ) throws -> BoundCall {
        let known = try function(named: call.function)
        guard known.isAggregate || known.needsWindow else {
            throw StoreError.invalidQuery(
                "\(call.function)() takes no DISTINCT, FILTER or OVER: it is not an aggregate "
                    + "function")
        }
        var inner = context
        if known.needsWindow || call.window != nil {
            try requireWindow(call, context)
            inner.allowsWindows = false
        } else {
            guard context.allowsAggregates else { throw misplacedAggregate(call.function) }
            inner.allowsAggregates = false
        }
        return BoundCall(
            function: known,
            arguments: call.countsRows ? [] : try call.arguments.map { try expression($0, inner) },
            isDistinct: call.isDistinct, filter: try call.filter.map { try expression($0, inner) },
            window: try call.window.map { try window($0, inner) })
    }

    private func requireWindow(_ call: QueryCall, _ context: ResolverContext) throws {
        guard call.window != nil else {
            throw StoreError.invalidQuery("\(call.function)() needs OVER (…)")
        }
        guard context.allowsWindows else { throw misplacedWindow(call.function) }
        guard !call.isDistinct else {
            throw StoreError.invalidQuery("DISTINCT cannot be combined with OVER")
        }
        guard call.function != "array_agg" else {
            throw StoreError.invalidQuery("array_agg() cannot be combined with OVER")
        }
    }

    private func window(
        _ window: QueryWindow, _ context: ResolverContext
    ) throws -> BoundWindow {
        if let frame = window.frame,
            frame.start == .unboundedFollowing || frame.end == .unboundedPreceding
        {
            throw StoreError.invalidQuery(
                "a frame cannot begin at UNBOUNDED FOLLOWING or end at UNBOUNDED PRECEDING")
        }
        return BoundWindow(
            partitions: try window.partitions.map { try expression($0, context) },
            order: try window.order.map { try order($0, context) },
            frame: try window.frame.map { frame in
                BoundFrame(
                    unit: frame.unit, start: try bound(frame.start, context),
                    end: try frame.end.map { try bound($0, context) },
                    exclusion: frame.exclusion)
            })
    }

    private func bound(
        _ bound: QueryFrame.Bound, _ context: ResolverContext
    ) throws -> BoundFrame.Bound {
        switch bound {
        case .unboundedPreceding: .unboundedPreceding
        case .preceding(let distance): .preceding(try expression(distance, context))
        case .currentRow: .currentRow
        case .following(let distance): .following(try expression(distance, context))
        case .unboundedFollowing: .unboundedFollowing
        }
    }

    /// - Throws: if the expression of a name has a function that is not allowed where it is used.
    private func requireAllowed(
        _ expression: BoundExpression, _ context: ResolverContext
    ) throws {
        if !context.allowsAggregates, let call = expression.aggregateCall(isWindow: false) {
            throw misplacedAggregate(call.function.name)
        }
        if !context.allowsWindows, let call = expression.aggregateCall(isWindow: true) {
            throw misplacedWindow(call.function.name)
        }
    }

    private func misplacedAggregate(_ name: String) -> StoreError {
        .invalidQuery(
            "\(name)() is an aggregate function: it is allowed in SELECT, HAVING and "
                + "ORDER BY, but not inside another one, ANY or EVERY")
    }

    private func misplacedWindow(_ name: String) -> StoreError {
        .invalidQuery("\(name)() OVER (…) is allowed in SELECT and ORDER BY only")
    }
}

extension QueryCall {
    /// Whether it is `COUNT(*)`.
    fileprivate var countsRows: Bool {
        guard function == "count", arguments.count == 1, !isDistinct,
            case .property(let path) = arguments[0].bare
        else { return false }
        return path.components.isEmpty
    }
}
