import FleeceLite
import SampleData
import StoreFormat
import QueryLanguage

/// Makes trees of every form that the parser makes; without queries and what only they can have
/// unless they are asked for, and then only such as the JSON form has too.
struct RandomExpressions {
    var random: SeededGenerator
    let hasQueries: Bool
    private var variables: [String] = []

    init(seed: UInt64, hasQueries: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.hasQueries = hasQueries
    }

    static let names = [
        "a", "b1", "_", "c$d", "order", "null", "some", "exists", "META", "x y", "a.b", "", "`",
        "é", "1st", "$p", "it's", "--", "[0]",
    ]

    private static let texts = [
        "", "a", "it's", "\"", "''", "-- a", "/*", "\\", "é\u{301}", "\n\0",
    ]

    mutating func next(_ depth: Int = 5) -> QueryExpression {
        guard depth > 0 else { return leaf() }
        if hasQueries, random.below(6) == 0 {
            return random.below(2) == 0 ? .subquery(query(depth - 1)) : .call(extendedCall(depth))
        }
        switch random.below(14) {
        case 0, 1: return leaf()
        case 2: return .array(list(depth, 0...3))
        case 3:
            return dictionary(depth)
        case 4: return nested(depth)
        case 5: return call(depth)
        case 6: return .collate(collation(), next(depth - 1))
        case 7: return cases(depth)
        case 8: return quantified(depth)
        case 9: return special(depth)
        default: return operation(depth)
        }
    }

    private mutating func dictionary(_ depth: Int) -> QueryExpression {
        var entries: [QueryDictionaryEntry] = []
        for _ in 0..<random.below(3) {
            let key = random.pick(Self.texts)
            if hasQueries, entries.contains(where: { $0.key == key }) { continue }
            entries.append(QueryDictionaryEntry(key: key, value: next(depth - 1)))
        }
        return .dictionary(entries.sortedByKey)
    }

    mutating func list(_ depth: Int, _ counts: ClosedRange<Int>) -> [QueryExpression] {
        let count = counts.lowerBound + random.below(counts.count)
        return (0..<count).map { _ in next(depth - 1) }
    }

    private mutating func leaf() -> QueryExpression {
        switch random.below(6) {
        case 0, 1: return .literal(literal())
        case 2: return .parameter(random.pick(["p", "7", "order", "_a"]))
        case 3 where !variables.isEmpty:
            return .variable(random.pick(variables), PropertyPath(steps(0...2)))
        case 4:
            let source = random.pick([nil, "p", "s.c", "order"])
            // In a query, `META(p)` is of a source, and `p._id` of a variable of that name.
            if hasQueries, let source, variables.contains(source) { return .meta(.id, source: nil) }
            let properties = MetaProperty.allCases.filter { $0 != .all }
            let property = random.pick(hasQueries ? properties : MetaProperty.allCases)
            return .meta(property, source: source)
        default: return .property(path())
        }
    }

    private mutating func literal() -> QueryLiteral {
        switch random.below(8) {
        case 0: return .missing
        case 1: return .null
        case 2: return .boolean(random.below(2) == 0)
        case 3: return .integer(Int64(random.below(20)) - 10)
        case 4: return .integer(Int64(bitPattern: random.next()))
        case 5: return .unsigned(random.next() | 1 << 63)
        case 6:
            let real = Double(bitPattern: random.next())
            return .real(real.isFinite ? real : 0.5)
        default: return .string(random.pick(Self.texts))
        }
    }

    /// A path whose first name is not a variable.
    mutating func path() -> PropertyPath {
        switch random.below(10) {
        case 0: PropertyPath([])
        case 1: PropertyPath([.index(random.below(3))] + steps(0...2))
        default: PropertyPath([.key(random.pick(Self.names))] + steps(0...2))
        }
    }

    mutating func steps(_ counts: ClosedRange<Int>) -> [PropertyPath.Component] {
        (0..<counts.lowerBound + random.below(counts.count)).map { _ in
            random.below(3) == 0
                ? .index(random.pick([0, 1, -1, Int(Int32.max), Int(Int32.min)]))
                : .key(random.pick(Self.names))
        }
    }

    private mutating func nested(_ depth: Int) -> QueryExpression {
        var value = next(depth - 1)
        if hasQueries, case .meta(.all, _) = value { value = .array([]) }
        return .nested(value, PropertyPath(steps(1...2)))
    }

    private mutating func call(_ depth: Int) -> QueryExpression {
        let function = random.pick(QueryFunction.all.filter { !$0.needsWindow })
        let least = function.arguments.lowerBound
        return .function(
            function.name, list(depth, least...min(least + 2, function.arguments.upperBound)))
    }

    private mutating func collation() -> QueryCollation {
        var collation = QueryCollation()
        collation.isUnicode = random.below(2) == 0
        collation.isCaseSensitive = random.below(2) == 0
        collation.isDiacriticSensitive = random.below(2) == 0
        if collation.isUnicode { collation.locale = random.pick(["", "se", "yue_Hans_CN", "in"]) }
        return collation
    }

    private mutating func cases(_ depth: Int) -> QueryExpression {
        var subject = random.below(2) == 0 ? next(depth - 1) : nil
        if hasQueries, subject == .literal(.null) { subject = nil }
        let branches = (0...random.below(2)).map { _ in
            QueryCase(condition: next(depth - 1), value: next(depth - 1))
        }
        return .cases(
            subject: subject, branches, otherwise: random.below(2) == 0 ? next(depth - 1) : nil)
    }

    private mutating func quantified(_ depth: Int) -> QueryExpression {
        let collection = next(depth - 1)
        // Names that no property has, or it would be taken for the variable.
        let variable = random.pick(["v", "w", "v w", "END"])
        variables.append(variable)
        defer { variables.removeLast() }
        return .quantified(
            QueryQuantifier(
                kind: random.pick([.any, .every, .anyAndEvery]), variable: variable,
                collection: collection, condition: next(depth - 1)))
    }

    private mutating func special(_ depth: Int) -> QueryExpression {
        switch random.below(4) {
        case 0: return .match(index: random.pick(["i", "p.i", "by name"]), words: next(depth - 1))
        case 1: return .rank(index: random.pick(["i", "p.i", "order"]))
        case 2: return .blob(path())
        default:
            let property: PropertyPath? =
                switch random.below(3) {
                case 0: nil
                case 1: PropertyPath([])
                default: PropertyPath(steps(1...3))
                }
            return .prediction(model: next(depth - 1), input: next(depth - 1), property: property)
        }
    }

    private mutating func operation(_ depth: Int) -> QueryExpression {
        let operation = random.pick(QueryOperator.allCases)
        return switch operation {
        case .not, .exists, .isValued: .operation(operation, [next(depth - 1)])
        case .between: .operation(operation, list(depth, 3...3))
        case .subtract: .operation(operation, list(depth, 1...2))
        case .like: .operation(operation, list(depth, 2...3))
        default: .operation(operation, list(depth, 2...2))
        }
    }
}
