/// The single declaration of a function of the query languages: its names there and in SQL, its
/// arguments and its result type.
///
/// The parser, the translator, the functions registered with SQLite, the completion of the shell
/// and the tests of the manual all use the declarations in `QueryFunction.all`.
package struct QueryFunction: Sendable {
    /// The name in an expression, in lower case.
    package let name: String
    /// How many arguments it takes in an expression.
    package let arguments: ClosedRange<Int>
    /// The type of its results.
    package let result: QueryResultType
    /// How many of the first arguments it accepts without their exact types.
    ///
    /// For these, a Boolean gives the same result as 1 or 0, and an integer beyond `Int64.max` the
    /// same as a negative one, because the function takes only strings or collections. An index,
    /// which cannot distinguish those values, can therefore supply the argument.
    package let untypedArguments: Int
    /// Whether it can return different values for the same arguments.
    package let isVolatile: Bool
    /// Whether the result is one of the arguments, or contains them.
    package let keepsTypes: Bool
    /// Its other names, in lower case.
    package let aliases: [String]
    package let kind: Kind
    /// The name of the SQL function that computes it.
    package let sqlName: String
    package let implementation: Implementation
    /// How many arguments it takes in SQL.
    package let sqlArguments: ClosedRange<Int>

    /// Which rows the result is computed from.
    package enum Kind: Sendable {
        /// A single row.
        case scalar
        /// All rows of a group.
        case aggregate
        /// The rows of the window that `OVER` defines.
        case window
    }

    /// What computes the result.
    package enum Implementation: Sendable {
        /// A function that the store registers with SQLite.
        case store
        /// A function built into SQLite.
        case sqlite
        /// Not a function: the translator generates other SQL for it.
        case translator
    }

    /// - Parameters:
    ///   - sql: the name in SQL, if SQLite has a different function of that name.
    ///   - added: how many more arguments the translator may pass.
    init(
        _ name: String, _ arguments: ClosedRange<Int>, _ result: QueryResultType = .any,
        untyped: Int = 0, isVolatile: Bool = false, keepsTypes: Bool = false,
        aliases: [String] = [], kind: Kind = .scalar, sql: String? = nil,
        by implementation: Implementation = .store, added: Int = 0
    ) {
        self.name = name
        self.arguments = arguments
        self.result = result
        self.untypedArguments = untyped
        self.isVolatile = isVolatile
        self.keepsTypes = keepsTypes
        self.aliases = aliases
        self.kind = kind
        self.sqlName = sql ?? name
        self.implementation = implementation
        self.sqlArguments = arguments.lowerBound...arguments.upperBound + added
    }

    package var isAggregate: Bool { kind == .aggregate }
    package var needsWindow: Bool { kind == .window }

    /// The argument counts to register it with; nil for a variable number.
    package var sqlArgumentCounts: [Int?] {
        sqlArguments.upperBound >= Self.most ? [nil] : sqlArguments.map(\.self)
    }

    /// Finds a function by name or alias, ignoring case; nil if it does not exist.
    package init?(named name: String) {
        guard let function = Self.byName[name.asciiLowercased] else { return nil }
        self = function
    }

    private static let byName = Dictionary(
        uniqueKeysWithValues: all.flatMap { function in
            ([function.name] + function.aliases).map { ($0, function) }
        })

    /// Every name that an expression can call a function by, aliases included.
    package static var names: [String] { byName.keys.sorted() }

    /// How many arguments it takes, as text for messages.
    package var argumentCountText: String {
        let (least, most) = (arguments.lowerBound, arguments.upperBound)
        return switch (least, most) {
        case (0, 0): "no argument"
        case (1, 1): "1 argument"
        case (_, least): "\(least) arguments"
        default: "\(least) \(most == least + 1 ? "or" : "to") \(most) arguments"
        }
    }
}

// Each name has one declaration.
extension QueryFunction: Hashable {
    package static func == (first: QueryFunction, second: QueryFunction) -> Bool {
        first.name == second.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The type of an expression's values, as far as it can be determined without running it.
package enum QueryResultType: Sendable {
    /// Numbers and strings, which SQL returns unchanged.
    case plain
    /// A Boolean, which SQL represents as a number.
    case boolean
    /// Any type; the value itself carries it.
    case any
}
