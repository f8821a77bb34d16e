internal import FleeceLite
internal import StoreFormat

/// The names of one block of a query: its sources, and the names that stand for expressions.
final class NameScope {
    /// The number of the block.
    let block: Int
    /// The names of the outer query; nil for an outermost one.
    let outer: NameEnvironment?
    /// The variables of the enclosing `ANY` and `EVERY`.
    let variables: [ResolvedVariable]
    /// The CTEs that `FROM` can name.
    let tables: [ResolvedCTE]
    /// Sources of the outer query that a subquery in its `FROM` cannot see.
    let hiddenSources: [String]
    var sources: [ResolvedSource] = []
    /// The names of `LET` and of results, which stand for their expressions.
    private(set) var names: [ScopeName] = []
    /// The number of `LET` names, which come first.
    private(set) var bindingCount = 0
    /// The indexes of the names with the same text, in ascending order.
    private var numbersByName: [ExactString: [Int]] = [:]
    /// The indexes of the names that are equal case-insensitively.
    private var numbersByLowercaseName: [ExactString: [Int]] = [:]

    init(_ outerContext: OuterContext, block: Int) {
        self.block = block
        outer = outerContext.outer
        variables = outerContext.variables
        tables = outerContext.tables
        hiddenSources = outerContext.hiddenSources
    }

    /// Adds a name for an expression.
    func add(_ name: ScopeName, isBinding: Bool = false) {
        numbersByName[ExactString(name.name), default: []].append(names.count)
        let lowercase = ExactString(name.name.asciiLowercased)
        numbersByLowercaseName[lowercase, default: []].append(names.count)
        names.append(name)
        if isBinding { bindingCount = names.count }
    }

    /// Whether an expression has this name.
    func hasName(_ name: String) -> Bool { numbersByName[ExactString(name)] != nil }

    /// The last of the first `visible` names that equals a name.
    func number(ofName name: String, _ comparison: NameComparison, visible: Int) -> Int? {
        guard visible > 0 else { return nil }
        let numbers =
            switch comparison {
            case .exact: numbersByName[ExactString(name)]
            case .ignoringCase: numbersByLowercaseName[ExactString(name.asciiLowercased)]
            }
        return numbers?.last { $0 < visible }
    }
}

/// A name for an expression.
final class ScopeName {
    let name: String
    let expression: QueryExpression
    /// The expression after its names were resolved, which happens once; an error counts only if
    /// the name is used.
    var resolved: Result<ResolvedName, any Error>?

    init(_ name: String, _ expression: QueryExpression) {
        self.name = name
        self.expression = expression
    }
}

/// What a name stands for.
struct ResolvedName {
    let expression: BoundExpression
    /// The number of its parts, those of other names that it uses included.
    let size: Int
    /// The nesting depth of names that stand for other names.
    let depth: Int
    /// The nesting depth of its parts.
    let height: Int
}

/// `name AS (SELECT …)`, as the queries after it see it.
struct ResolvedCTE {
    let name: String
    let sqlName: String
    let columnNames: [String]
}

/// The names of the outer query, as a query in it sees them.
struct OuterContext {
    var outer: NameEnvironment?
    var variables: [ResolvedVariable] = []
    var tables: [ResolvedCTE] = []
    var hiddenSources: [String] = []
}

/// The names that are visible in one place of a query.
struct NameEnvironment {
    let scope: NameScope
    /// The number of visible names for expressions: results see those of `LET`, and each name the
    /// ones of `LET` before it.
    let visibleNames: Int

    /// All names of a block, as the clauses after `SELECT` see them.
    init(all scope: NameScope) {
        self.scope = scope
        visibleNames = scope.names.count
    }

    /// The names of `LET`, as results see them.
    init(bindings scope: NameScope) {
        self.scope = scope
        visibleNames = scope.bindingCount
    }

    /// The names that the expression of a name sees.
    init(expressionOf number: Int, in scope: NameScope) {
        self.scope = scope
        visibleNames = min(number, scope.bindingCount)
    }
}

/// How a name in a query is compared with the names that it can refer to, in order of precedence:
/// as in LiteCore, `P.age` refers to the source `p` unless there is a `P`.
package enum NameComparison: CaseIterable {
    case exact
    /// ASCII letters are compared case-insensitively.
    case ignoringCase

    package func areEqual(_ one: String, _ other: String) -> Bool {
        switch self {
        case .exact: one.hasSameBytes(as: other)
        case .ignoringCase:
            one.utf8.count == other.utf8.count
                && one.asciiLowercased
                    .hasSameBytes(as: other.asciiLowercased)
        }
    }
}
