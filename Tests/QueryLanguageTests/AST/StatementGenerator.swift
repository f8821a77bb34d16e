import FleeceLite
import SampleData
import StoreFormat
@testable import QueryLanguage

/// Makes statements of every form that both languages have.
struct StatementGenerator {
    private var expressions: RandomExpressions

    init(seed: UInt64) {
        expressions = RandomExpressions(seed: seed, hasQueries: true)
    }

    /// A statement whose expressions are so deep.
    mutating func next(_ depth: Int = 3) -> QueryStatement {
        expressions.statement(depth)
    }
}

extension RandomExpressions {
    fileprivate mutating func statement(_ depth: Int) -> QueryStatement {
        switch random.below(8) {
        case 0:
            var update = QueryUpdate(target: target())
            update.assignments = (0..<random.below(3)).map { _ in
                QueryAssignment(path: changedPath(), value: next(depth))
            }
            let least = update.assignments.isEmpty ? 1 : 0
            update.removals = (0..<least + random.below(2)).map { _ in
                QueryRemoval(path: changedPath())
            }
            (update.condition, update.limit) = (maybe(depth), maybe(depth))
            return .update(update)
        case 1:
            return .delete(
                QueryDelete(target: target(), condition: maybe(depth), limit: maybe(depth)))
        default: return .select(query(depth))
        }
    }

    private mutating func target() -> QuerySource {
        QuerySource(kind: .collection(collection()), alias: alias())
    }

    private mutating func changedPath() -> PropertyPath {
        PropertyPath([.key(random.pick(Self.names))] + steps(0...2))
    }

    private mutating func maybe(_ depth: Int) -> QueryExpression? {
        random.below(2) == 0 ? next(depth - 1) : nil
    }

    private mutating func collection() -> QueryCollectionName {
        QueryCollectionName(
            scope: random.pick([nil, nil, "hr", "a b", "order", "set"]),
            collection: random.pick(["_", "people", "order", "x y", "set", "let", "hr", "é"]))
    }

    private mutating func alias() -> String? {
        random.pick([nil, nil, "a", "set", "order", "x y", "union", "é", "filter"])
    }

    // MARK: Queries

    /// A query as the parser makes it: with no parentheses that add nothing.
    mutating func query(_ depth: Int) -> QuerySelect {
        var query = QuerySelect(body: body(depth))
        if depth > 0, random.below(6) == 0 {
            query.with = (0...random.below(2)).map { _ in
                QueryCTE(name: random.pick(Self.names), query: self.query(depth - 2))
            }
        }
        if random.below(3) == 0 { query.order = order(depth) }
        if random.below(3) == 0 { query.limit = next(depth - 1) }
        if random.below(4) == 0 { query.offset = next(depth - 1) }
        return query.simplified
    }

    private mutating func body(_ depth: Int) -> QueryBody {
        guard depth > 0 else { return .block(block(depth)) }
        switch random.below(10) {
        case 0, 1:
            return .compound(
                random.pick(QuerySetOperator.allCases), isAll: random.below(2) == 0,
                body(depth - 1), body(depth - 1))
        case 2: return QueryBody(query(depth - 1))
        default: return .block(block(depth))
        }
    }

    private mutating func block(_ depth: Int) -> QueryBlock {
        var block = QueryBlock(isDistinct: random.below(4) == 0)
        block.results = (0...random.below(3)).map { _ in
            let isText = random.below(20) == 0
            return QueryResult(
                expression: isText ? .string(".dot") : next(depth - 1), alias: alias())
        }
        if random.below(4) > 0 { block.sources = sources(depth) }
        if random.below(5) == 0 {
            block.bindings = (0...random.below(2)).map { _ in
                QueryBinding(name: random.pick(Self.names), expression: next(depth - 1))
            }
        }
        block.condition = maybe(depth)
        if random.below(4) == 0 { block.groups = list(depth, 1...2) }
        if random.below(6) == 0 { block.groupCondition = next(depth - 1) }
        return block
    }

    private mutating func sources(_ depth: Int) -> [QuerySource] {
        (0...random.below(3)).map { number in
            let join = number == 0 ? nil : random.pick(QuerySource.Join.allCases)
            if let join, join != .cross, random.below(3) == 0 {
                return QuerySource(
                    kind: .unnest(next(depth - 1)), alias: random.pick(Self.names), join: join)
            }
            let isQuery = depth > 0 && random.below(5) == 0
            return QuerySource(
                kind: isQuery ? .query(query(depth - 2)) : .collection(collection()),
                alias: alias(), join: join, condition: join == nil ? nil : maybe(depth))
        }
    }

    private mutating func order(_ depth: Int) -> [QueryOrder] {
        (0...random.below(2)).map { _ in
            QueryOrder(
                expression: next(depth - 1), isDescending: random.below(2) == 0,
                missingIsLast: random.pick([nil, nil, true, false]))
        }
    }

    // MARK: Calls

    /// A call that has more than arguments.
    mutating func extendedCall(_ depth: Int) -> QueryCall {
        let known = random.pick(
            QueryFunction.all.filter { $0.isAggregate || $0.needsWindow })
        let counts = known.arguments
        var call = QueryCall(function: known.name, arguments: list(depth, counts))
        if known.isAggregate {
            if random.below(2) == 0 { call.filter = next(depth - 1) }
            call.isDistinct = random.below(2) == 0
        }
        if known.needsWindow || call.isPlain || !call.isDistinct && random.below(2) == 0 {
            call.window = window(depth)
        }
        return call
    }

    private mutating func window(_ depth: Int) -> QueryWindow {
        var window = QueryWindow()
        if random.below(2) == 0 { window.partitions = list(depth, 1...2) }
        if random.below(2) == 0 { window.order = order(depth) }
        if random.below(2) == 0 {
            window.frame = QueryFrame(
                unit: random.pick(QueryFrame.Unit.allCases), start: bound(depth),
                end: random.below(2) == 0 ? bound(depth) : nil,
                exclusion: random.pick([nil, nil, .currentRow, .group, .ties]))
        }
        return window
    }

    private mutating func bound(_ depth: Int) -> QueryFrame.Bound {
        switch random.below(5) {
        case 0: .unboundedPreceding
        case 1: .preceding(next(depth - 1))
        case 2: .currentRow
        case 3: .following(next(depth - 1))
        default: .unboundedFollowing
        }
    }
}
