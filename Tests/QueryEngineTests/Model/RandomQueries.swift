import EngineTestSupport
import FleeceLite
import SampleData
@testable import QueryLanguage

/// Makes queries at random from the grammar, of the properties that `ModelDocuments` has.
struct RandomQueries {
    var random: SeededGenerator
    /// The values of the parameters that were made.
    private(set) var parameters: [String: ModelValue] = [:]
    private var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The parts of expressions on a source.
    struct Source {
        /// Nil if names are written without it.
        var alias: String?
        var fields: [Field]
        /// Paths of small numbers.
        var numbers: [PropertyPath]
        /// Paths of strings.
        var texts: [PropertyPath]
        /// Paths of arrays.
        var arrays: [PropertyPath]
        var isDocument = true
    }

    struct Field {
        var path: PropertyPath
        /// Values to compare it with.
        var pool: [ModelValue]
    }

    /// A statement, with new parameters.
    mutating func next() -> QueryStatement {
        parameters = [:]
        count = 0
        let statement = QueryStatement.select(select(depth: 2))
        // Some were made for what was not taken in the end.
        let text = SQLPPWriter.text(statement)
        parameters = parameters.filter { name, _ in
            text.ranges(of: "$" + name).contains { range in
                range.upperBound == text.endIndex || !text[range.upperBound].isNumber
            }
        }
        return statement
    }

    mutating func name(_ prefix: String) -> String {
        count += 1
        return "\(prefix)\(count)"
    }

    mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }

    /// A literal, or a parameter of that value.
    mutating func constant(_ value: ModelValue) -> QueryExpression {
        if chance(15), !value.isMissing {
            let name = name("p")
            parameters[name] = value
            return .parameter(name)
        }
        return value.expression
    }
}

extension ModelValue {
    /// As it is written in a query.
    var expression: QueryExpression {
        switch self {
        case .missing: .literal(.missing)
        case .null, .data: .literal(.null)
        case .boolean(let bool): .literal(.boolean(bool))
        case .integer(let number): .literal(.integer(number))
        case .unsigned(let number): .literal(.unsigned(number))
        case .real(let number): .literal(.real(number))
        case .text(let text): .literal(.string(text.string))
        case .array(let values): .array(values.map(\.expression))
        case .object(let members):
            .dictionary(
                members.map { QueryDictionaryEntry(key: $0.key.string, value: $0.value.expression) }
                    .sortedByKey)
        }
    }
}

// Statements.
extension RandomQueries {
    mutating func select(depth: Int) -> QuerySelect {
        switch random.below(20) {
        case 0 where depth > 0, 1 where depth > 0: return compound(depth)
        case 2 where depth > 0: return with(depth)
        default: break
        }
        var select: QuerySelect
        switch random.below(10) {
        case 0, 1: select = grouped(depth)
        case 2: select = distinct(depth)
        case 3 where depth > 1: select = windowed(depth)
        case 4 where depth > 0: select = derived(depth)
        default: select = plain(depth)
        }
        if chance(30) {
            select.limit = limit(9)
            if chance(50) { select.offset = limit(5) }
        }
        return select
    }

    private mutating func limit(_ most: Int) -> QueryExpression {
        let number = ModelValue.integer(Int64(random.below(most)))
        return chance(10) ? .literal(.integer(-1)) : constant(number)
    }

    private mutating func plain(_ depth: Int) -> QuerySelect {
        var (block, sources) = from(depth)
        if chance(15) {
            let name = name("l")
            block.bindings = [QueryBinding(name: name, expression: scalar(sources, depth))]
            block.results.append(result(.property(PropertyPath([.key(name)]))))
        }
        if chance(75) { block.condition = condition(sources, depth) }
        for _ in 0...random.below(3) { block.results.append(result(scalar(sources, depth))) }
        return QuerySelect(body: .block(block), order: order(sources, block, depth))
    }

    private mutating func distinct(_ depth: Int) -> QuerySelect {
        var (block, sources) = from(depth)
        block.isDistinct = true
        if chance(40) { block.condition = condition(sources, depth) }
        for _ in 0...random.below(2) { block.results.append(result(property(sources))) }
        return QuerySelect(body: .block(block), order: chance(50) ? orderByResults(block) : [])
    }

    private mutating func grouped(_ depth: Int) -> QuerySelect {
        var (block, sources) = from(depth)
        if chance(40) { block.condition = condition(sources, depth) }
        if chance(80) {
            for _ in 0...random.below(2) {
                let key = chance(80) ? property(sources) : scalar(sources, 0)
                if case .literal = key { continue }
                if case .parameter = key { continue }
                block.groups.append(key)
                if chance(85) { block.results.append(result(key)) }
            }
        }
        for _ in 0...random.below(3) { block.results.append(result(aggregate(sources))) }
        if !block.groups.isEmpty, chance(35) {
            block.groupCondition = .operation(
                random.pick([.greater, .lessOrEqual, .notEqual]),
                [aggregate(sources), constant(.integer(Int64(random.below(4))))])
        }
        return QuerySelect(body: .block(block), order: chance(60) ? orderByResults(block) : [])
    }

    private mutating func windowed(_ depth: Int) -> QuerySelect {
        var (block, sources) = from(0)
        if chance(40) { block.condition = condition(sources, 0) }
        block.results.append(result(property(sources)))
        var window = QueryWindow()
        if chance(60) { window.partitions = [property(sources)] }
        window.order = [QueryOrder(expression: property(sources), isDescending: chance(30))]
        if chance(70) { window.order += total(sources) }
        if chance(25) {
            window.frame = QueryFrame(
                unit: .rows, start: chance(50) ? .unboundedPreceding : .preceding(1.literal),
                end: chance(50) ? .currentRow : .following(1.literal))
        }
        let name = random.pick([
            "row_number", "rank", "dense_rank", "sum", "count", "min", "max", "lag", "lead", "avg",
            "first_value",
        ])
        let isPlain = ["row_number", "rank", "dense_rank"].contains(name)
        if isPlain || name == "lag" || name == "lead" { window.frame = nil }
        var arguments = isPlain ? [] : [number(sources, 0)]
        // SQLite keeps no marks of types in windows: the least of Booleans is 0 there.
        if name == "min" || name == "max" {
            arguments = arguments.map { .operation(.add, [$0, 0.literal]) }
        }
        block.results.append(
            result(.call(QueryCall(function: name, arguments: arguments, window: window))))
        return QuerySelect(body: .block(block), order: order(sources, block, 0))
    }

    private mutating func compound(_ depth: Int) -> QuerySelect {
        let width = 1 + random.below(2)
        let columns = (0..<width).map { _ in name("c") }
        func block(_ random: inout RandomQueries) -> QueryBody {
            var (block, sources) = random.from(0)
            block.results = columns.map {
                QueryResult(expression: random.property(sources), alias: $0)
            }
            if random.chance(60) { block.condition = random.condition(sources, 0) }
            return .block(block)
        }
        var body = block(&self)
        for _ in 0...random.below(2) {
            let operation = random.pick(QuerySetOperator.allCases)
            let isAll = operation == .union && chance(50)
            body = .compound(operation, isAll: isAll, body, block(&self))
        }
        var select = QuerySelect(body: body)
        if chance(60) {
            select.order = columns.map {
                QueryOrder(
                    expression: .property(PropertyPath([.key($0)])), isDescending: chance(30))
            }
        }
        if chance(30) { select.limit = limit(9) }
        return select
    }

    /// A query of a query.
    private mutating func derived(_ depth: Int) -> QuerySelect {
        let inner = select(depth: 0)
        let columns = inner.columnNames
        guard !columns.isEmpty else { return plain(0) }
        let alias = name("q")
        let source = self.source(columns, alias)
        var block = QueryBlock(sources: [QuerySource(kind: .query(inner), alias: alias)])
        if chance(50) { block.condition = condition([source], 0) }
        if chance(30) {
            block.results = [result(.function("count", [.property(PropertyPath([]))]))]
            return QuerySelect(body: .block(block))
        }
        for _ in 0...random.below(2) { block.results.append(result(property([source]))) }
        return QuerySelect(body: .block(block), order: orderByResults(block))
    }

    private mutating func with(_ depth: Int) -> QuerySelect {
        let inner = select(depth: 0)
        let columns = inner.columnNames
        guard !columns.isEmpty else { return plain(0) }
        let (table, alias) = (name("w"), name("q"))
        let source = self.source(columns, alias)
        var block = QueryBlock(
            sources: [
                QuerySource(
                    kind: .collection(QueryCollectionName(scope: nil, collection: table)),
                    alias: alias)
            ])
        block.results = [result(property([source]))]
        if chance(50) { block.condition = condition([source], 0) }
        return QuerySelect(
            with: [QueryCTE(name: table, query: inner)], body: .block(block))
    }

    private func source(_ columns: [String], _ alias: String) -> Source {
        let paths = columns.map { PropertyPath([.key($0)]) }
        return Source(
            alias: alias, fields: paths.map { Field(path: $0, pool: ModelDocuments.anything) },
            numbers: paths, texts: paths, arrays: [], isDocument: false)
    }

    mutating func result(_ expression: QueryExpression) -> QueryResult {
        QueryResult(expression: expression, alias: name("c"))
    }

    private mutating func order(
        _ sources: [Source], _ block: QueryBlock, _ depth: Int
    ) -> [QueryOrder] {
        guard chance(70) else { return [] }
        var order: [QueryOrder] = []
        if chance(70) {
            var expression = property(sources)
            if chance(20) { expression = .collate(noCase, expression) }
            order = [term(expression)]
        }
        if chance(30) { order += orderByResults(block).prefix(1) }
        return order + (chance(60) ? total(sources) : [])
    }

    private mutating func term(_ expression: QueryExpression) -> QueryOrder {
        QueryOrder(
            expression: expression, isDescending: chance(35),
            missingIsLast: chance(20) ? chance(50) : nil)
    }

    private mutating func orderByResults(_ block: QueryBlock) -> [QueryOrder] {
        block.results.map { result in
            term(.property(PropertyPath([.key(result.alias ?? "")])))
        }
    }

    /// By the IDs of all documents.
    private func total(_ sources: [Source]) -> [QueryOrder] {
        sources.filter(\.isDocument).map {
            QueryOrder(expression: .meta(.id, source: $0.alias))
        }
    }
}

extension Int64 { var literal: QueryExpression { .literal(.integer(self)) } }
extension Int { var literal: QueryExpression { Int64(self).literal } }

extension QuerySelect {
    /// The aliases of its columns.
    var columnNames: [String] {
        var body = body
        while case .compound(_, _, let one, _) = body { body = one }
        guard case .block(let block) = body else { return [] }
        return block.results.compactMap(\.alias)
    }
}
