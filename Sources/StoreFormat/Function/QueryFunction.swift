/// A function of the query languages, declared once: what it is called there and in SQL, what it
/// takes and what it gives.
///
/// The parser, the translator, the functions registered with SQLite, the completion of the shell
/// and the tests of the manual all read the declarations of `QueryFunction.all`.
package struct QueryFunction: Sendable {
    /// The name in an expression, in lower case.
    package let name: String
    /// How many arguments it takes in an expression.
    package let arguments: ClosedRange<Int>
    /// What kind of values it gives.
    package let result: QueryResultType
    /// Of how many of the first arguments it does not need the exact type.
    ///
    /// It gives the same for a Boolean as for 1 or 0, and for an integer beyond `Int64.max` as for
    /// a negative one, because it takes strings or collections only; so an index, in which those
    /// look alike, can be read for the argument.
    package let untypedArguments: Int
    /// Whether it can give another value for the same arguments.
    package let isVolatile: Bool
    /// Whether the result is one of the values that it is given, or made of them.
    package let keepsTypes: Bool
    /// Its other names, in lower case.
    package let aliases: [String]
    package let kind: Kind
    /// The name of the SQL function that computes it.
    package let sqlName: String
    package let implementation: Implementation
    /// How many arguments it takes in SQL.
    package let sqlArguments: ClosedRange<Int>

    /// Of how many rows the result is made.
    package enum Kind: Sendable {
        /// Of one.
        case scalar
        /// Of all rows of a group.
        case aggregate
        /// Of the rows around, which `OVER` names.
        case window
    }

    /// What computes the result.
    package enum Implementation: Sendable {
        /// A function that the store registers with SQLite.
        case store
        /// A function that SQLite has.
        case sqlite
        /// No function: the translator writes other SQL for it.
        case translator
    }

    /// - Parameters:
    ///   - sql: the name in SQL where SQLite has another function of the name.
    ///   - added: how many arguments the translator can add.
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

    /// Each number of arguments to register it for; nil for any.
    package var sqlArgumentCounts: [Int?] {
        sqlArguments.upperBound >= Self.most ? [nil] : sqlArguments.map(\.self)
    }

    /// The function of a name in any case, or of one of its other names; nil if there is none.
    package init?(named name: String) {
        guard let function = Self.byName[name.asciiLowercased] else { return nil }
        self = function
    }

    private static let byName = Dictionary(
        uniqueKeysWithValues: all.flatMap { function in
            ([function.name] + function.aliases).map { ($0, function) }
        })

    /// Every name that an expression can call a function by.
    package static var names: [String] { byName.keys.sorted() }

    /// How many arguments it takes, as a sentence says it.
    package var argumentsInWords: String {
        let (least, most) = (arguments.lowerBound, arguments.upperBound)
        return switch (least, most) {
        case (0, 0): "no argument"
        case (1, 1): "1 argument"
        case (_, least): "\(least) arguments"
        default: "\(least) \(most == least + 1 ? "or" : "to") \(most) arguments"
        }
    }
}

// A name has one declaration.
extension QueryFunction: Hashable {
    package static func == (first: QueryFunction, second: QueryFunction) -> Bool {
        first.name == second.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What kind of values an expression gives, as far as that can be told without running it.
package enum QueryResultType: Sendable {
    /// Numbers and strings, which come out of SQL as what they are.
    case plain
    /// A number of SQL's that is a Boolean.
    case boolean
    /// Anything: the value itself has to say what it is.
    case any
}
