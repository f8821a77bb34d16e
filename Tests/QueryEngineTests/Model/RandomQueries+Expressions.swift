import EngineTestSupport
import FleeceLite
import QueryLanguage
import SampleData

// Sources.
extension RandomQueries {
    private typealias Documents = ModelDocuments

    private static func paths(_ texts: [String]) -> [PropertyPath] {
        texts.compactMap { try? PropertyPath(parsing: $0) }
    }

    private static func field(_ path: String, _ pool: [ModelValue]) -> Field {
        Field(path: (try? PropertyPath(parsing: path)) ?? PropertyPath([]), pool: pool)
    }

    private static let cities: [ModelValue] = [
        .text("Oslo"), .text("oslo"), .null, .missing, .text("Rome"),
    ]

    private static let things = Source(
        alias: nil,
        fields: [
            field("kind", Documents.kinds), field("n", Documents.numbers),
            field("mixed", Documents.anything), field("text", Documents.texts),
            field("flag", Documents.flags), field("small", Documents.small),
            field("where.city", cities), field("where.at.x", Documents.small),
            field("where.at.y", Documents.small), field(#"a\.b"#, Documents.small),
            field(#"\$m"#, Documents.small), field("list[0]", Documents.anything),
            field("list[-1]", Documents.anything), field("parts[0].p", Documents.small),
            field("parts[1].q", Documents.kinds), field("even", Documents.flags),
            field("item", [.text("i01"), .integer(3), .null]),
            field("where.at", Documents.anything),
        ],
        numbers: paths(["small", "where.at.x", "where.at.y", #"a\.b"#, #"\$m"#, "parts[0].p"]),
        texts: paths(["text", "kind", "where.city", "words"]),
        arrays: paths(["list", "parts", "parts[0].tags", "mixed"]))

    private static let items = Source(
        alias: nil,
        fields: [
            field("name", [.text("item 1"), .text("item 5")]), field("price", Documents.small),
            field("kind", Documents.kinds), field("group", Documents.small),
            field("tags[0]", Documents.anything),
        ],
        numbers: paths(["price", "group"]), texts: paths(["name", "kind"]), arrays: paths(["tags"]))

    private static let orders = Source(
        alias: nil,
        fields: [
            field("item", [.text("i01"), .text("i02"), .null]), field("count", Documents.small),
            field("rush", Documents.flags), field("note", Documents.texts),
        ],
        numbers: paths(["count"]), texts: paths(["note", "item"]), arrays: [])

    private static func collection(
        _ scope: String?, _ name: String, _ alias: String?, _ join: QuerySource.Join? = nil,
        on condition: QueryExpression? = nil
    ) -> QuerySource {
        QuerySource(
            kind: .collection(QueryCollectionName(scope: scope, collection: name)), alias: alias,
            join: join, condition: condition)
    }

    /// A block with sources, and the expressions on them.
    mutating func from(_ depth: Int) -> (QueryBlock, [Source]) {
        switch random.below(10) {
        case 0, 1: return joined()
        case 2, 3: return unnested()
        case 4:
            let alias = name("o")
            return (
                QueryBlock(sources: [Self.collection("shop", "orders", alias)]),
                [known(Self.orders, alias)]
            )
        case 5: return (QueryBlock(sources: [Self.collection(nil, "items", nil)]), [Self.items])
        default: break
        }
        let alias = chance(50) ? name("t") : nil
        return (
            QueryBlock(sources: [Self.collection(nil, "_", alias)]), [known(Self.things, alias)]
        )
    }

    private func known(_ source: Source, _ alias: String?) -> Source {
        var source = source
        source.alias = alias
        return source
    }

    private mutating func joined() -> (QueryBlock, [Source]) {
        let (one, other) = (name("t"), name("i"))
        var sources = [known(Self.things, one), known(Self.items, other)]
        let join = random.pick([QuerySource.Join.inner, .left, .inner, .left, .cross])
        let reference = QueryExpression.operation(
            .equal, [.property(path(one, "item")), .meta(.id, source: other)])
        var on: QueryExpression? = random.pick([
            reference, reference, .operation(.and, [reference, condition(sources, 0)]),
            .operation(.equal, [.property(path(one, "kind")), .property(path(other, "kind"))]),
        ])
        if join == .cross { on = nil }
        var block = QueryBlock(
            sources: [
                Self.collection(nil, "_", one), Self.collection(nil, "items", other, join, on: on),
            ])
        if chance(25) {
            let third = name("o")
            block.sources.append(
                Self.collection(
                    "shop", "orders", third, random.pick([.inner, .left]),
                    on: .operation(
                        .equal, [.property(path(third, "item")), .meta(.id, source: other)])))
            sources.append(known(Self.orders, third))
        }
        return (block, sources)
    }

    private func path(_ alias: String, _ name: String) -> PropertyPath {
        PropertyPath([.key(alias), .key(name)])
    }

    private mutating func unnested() -> (QueryBlock, [Source]) {
        let (one, other) = (name("t"), name("u"))
        let isParts = chance(50)
        let things = known(Self.things, one)
        let element = Source(
            alias: other,
            fields: isParts
                ? [Self.field("p", Documents.small), Self.field("q", Documents.kinds)]
                : [Field(path: PropertyPath([]), pool: Documents.anything)],
            numbers: isParts ? Self.paths(["p"]) : [PropertyPath([])],
            texts: isParts ? Self.paths(["q"]) : [PropertyPath([])],
            arrays: isParts ? Self.paths(["tags"]) : [], isDocument: false)
        var block = QueryBlock(
            sources: [
                Self.collection(nil, "_", one),
                QuerySource(
                    kind: .unnest(.property(path(one, isParts ? "parts" : "list"))), alias: other,
                    join: chance(30) ? .left : .inner),
            ])
        var sources = [things, element]
        if isParts, chance(30) {
            let inner = name("u")
            block.sources.append(
                QuerySource(
                    kind: .unnest(.property(path(other, "tags"))), alias: inner,
                    join: chance(30) ? .left : .inner))
            sources.append(
                Source(
                    alias: inner, fields: [Field(path: PropertyPath([]), pool: Documents.anything)],
                    numbers: [PropertyPath([])], texts: [PropertyPath([])], arrays: [],
                    isDocument: false))
        }
        return (block, sources)
    }
}

// Expressions.
extension RandomQueries {
    var noCase: QueryCollation {
        var collation = QueryCollation()
        collation.isCaseSensitive = false
        return collation
    }

    private func qualified(_ path: PropertyPath, _ source: Source) -> QueryExpression {
        .property(PropertyPath((source.alias.map { [.key($0)] } ?? []) + path.components))
    }

    mutating func property(_ sources: [Source]) -> QueryExpression {
        let source = random.pick(sources)
        return qualified(random.pick(source.fields).path, source)
    }

    mutating func scalar(_ sources: [Source], _ depth: Int) -> QueryExpression {
        switch random.below(16) {
        case 0, 1: return number(sources, depth)
        case 2: return text(sources, depth)
        case 3: return condition(sources, 0)
        case 4 where depth > 0: return cases(sources, depth)
        case 5: return function(sources)
        case 6:
            guard let source = sources.first(where: \.isDocument) else { break }
            return .meta(chance(80) ? .id : .sequence, source: source.alias)
        case 7 where depth > 0: return .subquery(scalarQuery(sources))
        case 8:
            return .function(
                random.pick(["greatest", "least", "ifmissing", "ifnull", "ifmissingornull"]),
                [property(sources), property(sources)])
        default: break
        }
        return property(sources)
    }

    mutating func number(_ sources: [Source], _ depth: Int) -> QueryExpression {
        let source = random.pick(sources)
        let numbers = source.numbers.isEmpty ? source.fields.map(\.path) : source.numbers
        let one = qualified(random.pick(numbers), source)
        guard chance(50) else { return one }
        if chance(10) { return .operation(.subtract, [one]) }
        let other: QueryExpression =
            chance(50)
            ? constant(random.pick(ModelDocuments.small))
            : (depth > 0 ? number(sources, depth - 1) : qualified(random.pick(numbers), source))
        return .operation(
            random.pick([.add, .subtract, .multiply, .divide, .modulo]), [one, other])
    }

    mutating func text(_ sources: [Source], _ depth: Int) -> QueryExpression {
        let source = random.pick(sources)
        guard !source.texts.isEmpty else { return .literal(.string("x")) }
        let one = qualified(random.pick(source.texts), source)
        switch random.below(6) {
        case 0:
            let half = QueryExpression.operation(.concatenate, [one, constant(.text("-"))])
            return .operation(.concatenate, [half, one])
        case 1: return .function(random.pick(["upper", "lower", "trim", "reverse"]), [one])
        case 2: return .function("substr", [one, constant(.integer(Int64(random.below(4)) - 1))])
        case 3: return .function("replace", [one, .literal(.string("a")), .literal(.string("xy"))])
        default: return one
        }
    }

    private mutating func function(_ sources: [Source]) -> QueryExpression {
        let value = property(sources)
        switch random.below(9) {
        case 0: return .function("type", [value])
        case 1:
            return .function(
                random.pick([
                    "isarray", "isnumber", "isstring", "isboolean", "isobject", "isatom",
                    "isvalued",
                ]), [value])
        case 2: return .function(random.pick(["abs", "floor", "ceil", "round", "sign"]), [value])
        case 3:
            return .function(random.pick(["length", "tostring", "tonumber"]), [text(sources, 0)])
        case 4: return .function(random.pick(["nullif", "missingif"]), [value, property(sources)])
        case 5:
            return .function(random.pick(["contains", "position"]), [value, constant(.text("a"))])
        case 6: return .function(random.pick(["toboolean", "toarray", "object_length"]), [value])
        default:
            guard let (array, _) = array(sources) else { return value }
            return .function(
                random.pick([
                    "array_length", "array_count", "array_sum", "array_min", "array_max",
                    "array_avg",
                ]), [array])
        }
    }

    private mutating func array(_ sources: [Source]) -> (QueryExpression, isParts: Bool)? {
        let source = random.pick(sources)
        guard !source.arrays.isEmpty else { return nil }
        let path = random.pick(source.arrays)
        return (qualified(path, source), path.components.last == .key("parts"))
    }

    private mutating func cases(_ sources: [Source], _ depth: Int) -> QueryExpression {
        let isOfValue = chance(40)
        let subject = isOfValue ? property(sources) : nil
        let branches = (0...random.below(2)).map { _ in
            QueryCase(
                condition: isOfValue
                    ? constant(random.pick(ModelDocuments.kinds)) : condition(sources, 0),
                value: scalar(sources, depth - 1))
        }
        return .cases(
            subject: subject, branches,
            otherwise: chance(60) ? scalar(sources, depth - 1) : nil)
    }

    mutating func aggregate(_ sources: [Source]) -> QueryExpression {
        let name = random.pick(["count", "count", "sum", "avg", "min", "max", "array_agg"])
        var call = QueryCall(
            function: name,
            arguments: [name == "sum" || name == "avg" ? number(sources, 0) : property(sources)])
        if name == "count", chance(40) { return .function("count", [.property(PropertyPath([]))]) }
        call.isDistinct = name == "count" && chance(40)
        if chance(20) { call.filter = condition(sources, 0) }
        let isPlain = !call.isDistinct && call.filter == nil
        return isPlain ? .function(name, call.arguments) : .call(call)
    }
}

// Conditions.
extension RandomQueries {
    mutating func condition(_ sources: [Source], _ depth: Int) -> QueryExpression {
        switch random.below(24) {
        case 0 where depth > 0, 1 where depth > 0, 2 where depth > 0:
            return .operation(
                random.pick([.and, .or]),
                [condition(sources, depth - 1), condition(sources, depth - 1)])
        case 3: return .operation(.not, [condition(sources, depth - 1)])
        case 4, 5: return like(sources)
        case 6, 7: return unknown(sources)
        case 8, 9: return membership(sources, depth)
        case 10, 11, 12: return quantified(sources)
        case 13: return between(sources)
        case 14 where depth > 0:
            return .operation(.exists, [.subquery(correlated(sources, isScalar: false))])
        case 15:
            return .operation(
                random.pick([.less, .greaterOrEqual, .equal]),
                [number(sources, depth), number(sources, depth)])
        case 16: return collated(sources)
        case 17: return .operation(.equal, [property(sources), property(sources)])
        default: return comparison(sources)
        }
    }

    private mutating func comparison(_ sources: [Source]) -> QueryExpression {
        let source = random.pick(sources)
        let field = random.pick(source.fields)
        let known = random.pick([
            QueryOperator.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
            .isDistinctFrom, .isNotDistinctFrom,
        ])
        let value = random.pick(field.pool)
        return .operation(known, [qualified(field.path, source), constant(value)])
    }

    private mutating func collated(_ sources: [Source]) -> QueryExpression {
        let source = random.pick(sources)
        guard !source.texts.isEmpty else { return comparison(sources) }
        return .collate(
            noCase,
            .operation(
                random.pick([.equal, .less, .greaterOrEqual, .notEqual]),
                [
                    qualified(random.pick(source.texts), source),
                    constant(
                        random.pick([.text("RED"), .text("abc"), .text("äpfel"), .text("B")])),
                ]))
    }

    private mutating func between(_ sources: [Source]) -> QueryExpression {
        let source = random.pick(sources)
        let field = random.pick(source.fields)
        return .operation(
            .between,
            [
                qualified(field.path, source), constant(random.pick(field.pool)),
                constant(random.pick(field.pool)),
            ])
    }

    private mutating func like(_ sources: [Source]) -> QueryExpression {
        let source = random.pick(sources)
        guard !source.texts.isEmpty else { return comparison(sources) }
        let pattern = random.pick([
            "a%", "%b%", "_", "%", "A%", "", "a\\_b", "50\\%", "%ë", "äp%", "re_", "%e%", "1%",
            "%É%", "ab_abc",
        ])
        let like = QueryExpression.operation(
            .like, [qualified(random.pick(source.texts), source), constant(.text(pattern))])
        return chance(30) ? .collate(noCase, like) : like
    }

    private mutating func unknown(_ sources: [Source]) -> QueryExpression {
        let value = property(sources)
        return switch random.below(6) {
        case 0: .operation(.is, [value, .literal(.null)])
        case 1: .operation(.isNot, [value, .literal(.null)])
        case 2: .operation(.is, [value, .literal(.missing)])
        case 3: .operation(.isNot, [value, .literal(.missing)])
        case 4: .operation(.isValued, [value])
        default: .operation(.exists, [value])
        }
    }

    private mutating func membership(_ sources: [Source], _ depth: Int) -> QueryExpression {
        let source = random.pick(sources)
        let field = random.pick(source.fields)
        let value = qualified(field.path, source)
        let known = random.pick([QueryOperator.in, .notIn])
        switch random.below(4) {
        case 0 where depth > 0:
            return .operation(known, [value, .subquery(correlated(sources, isScalar: true))])
        case 1:
            guard let (array, _) = array(sources) else { break }
            return .operation(known, [value, array])
        default: break
        }
        let others = (0...random.below(3)).map { _ in constant(random.pick(field.pool)) }
        return .operation(known, [value, .array(others)])
    }

    private mutating func quantified(_ sources: [Source]) -> QueryExpression {
        guard let (array, isParts) = array(sources) else { return comparison(sources) }
        let variable = name("v")
        let value = QueryExpression.variable(
            variable, isParts ? PropertyPath([.key(random.pick(["p", "q"]))]) : PropertyPath([]))
        let known = random.pick([
            QueryOperator.equal, .equal, .greater, .less, .notEqual, .isDistinctFrom,
        ])
        let constant = constant(random.pick(ModelDocuments.anything + ModelDocuments.small))
        var condition = QueryExpression.operation(known, [value, constant])
        if chance(15) { condition = .operation(.not, [condition]) }
        return .quantified(
            QueryQuantifier(
                kind: random.pick([.any, .any, .every, .anyAndEvery]), variable: variable,
                collection: array, condition: condition))
    }
}

// Subqueries.
extension RandomQueries {
    /// One value.
    private mutating func scalarQuery(_ sources: [Source]) -> QuerySelect {
        var select = correlated(sources, isScalar: true)
        guard case .block(var block) = select.body, let inner = block.sources.first?.alias else {
            return select
        }
        let source = known(Self.orders, inner)
        block.results = [result(aggregate([source]))]
        select.body = .block(block)
        return select
    }

    /// Orders, mostly of what is known outside.
    private mutating func correlated(_ sources: [Source], isScalar: Bool) -> QuerySelect {
        let alias = name("o")
        let orders = known(Self.orders, alias)
        var block = QueryBlock(sources: [Self.collection("shop", "orders", alias)])
        block.results = [result(isScalar ? property([orders]) : .meta(.id, source: alias))]
        // Names without an alias would be those of the orders.
        let outer = sources.filter { $0.alias != nil }
        if chance(70), !outer.isEmpty {
            block.condition = .operation(
                random.pick([.equal, .equal, .notEqual, .less]),
                [property([orders]), property(outer)])
        } else if chance(70) {
            block.condition = condition([orders], 0)
        }
        return QuerySelect(body: .block(block))
    }
}
