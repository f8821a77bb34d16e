internal import FleeceLite
package import SQLCore
internal import StoreFormat

/// The functions of the query language that SQLite does not have: those that `QueryFunction.all`
/// declares as the store's own.
package enum QueryFunctions {
    /// Registers all of them in a connection.
    package static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        for one in registrations {
            try context.registerRawFunction(
                one.name, argumentCount: one.argumentCount, flags: one.flags, state: functions,
                one.body)
        }
        try ArrayAggregate.register(in: context, functions)
    }

    private struct Registration {
        let name: String
        let argumentCount: Int?
        let flags: SQLFunctionFlags
        let body: SQLRawFunction
    }

    /// The functions as SQLite knows them. Names and numbers of arguments are computed once, since
    /// each connection registers all of them.
    private static let registrations = scalars.flatMap { function, body in
        function.sqlArgumentCounts.map {
            Registration(
                name: function.sqlName, argumentCount: $0,
                flags: function.isVolatile ? .volatile : .pure, body: body)
        }
    }

    /// The declarations with their implementations; the list is shared by all connections.
    static let scalars: [(function: QueryFunction, body: SQLRawFunction)] =
        bodies.compactMap { named in QueryFunction(named: named.name).map { ($0, named.body) } }

    /// All but the aggregates.
    static let bodies: [NamedFunction] = [
        ArrayFunctions.table, ArrayBuilding.table, ArraySets.table, ObjectFunctions.table,
        UnknownFunctions.table, NumberConditions.table, MathsFunctions.table,
        RoundingFunctions.table, DateFunctions.table, DateArithmetic.table, DateParts.table,
        ClockFunctions.table, PatternFunctions.table, StringFunctions.table, StringBuilding.table,
        CollatedText.table, TokenFunctions.table, CodingFunctions.table, TypeFunctions.table,
        TypeConversions.table, VectorDistance.table,
    ].flatMap(\.self)
}

/// The implementation of a function of the query language, by its declared name.
struct NamedFunction {
    let name: String
    let body: SQLRawFunction

    init(_ name: String, _ body: SQLRawFunction) {
        self.name = name
        self.body = body
    }
}

extension SQLFunctionFlags {
    /// Functions whose result depends only on their arguments.
    static let pure: SQLFunctionFlags = [.deterministic, .innocuous, .subtype]
    /// Functions that depend on the clock or on random numbers.
    static let volatile: SQLFunctionFlags = [.innocuous, .subtype]
}
