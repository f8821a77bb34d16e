package import SQLCore

/// The functions of the query language beyond those of SQLite: SQL++ calls them by the same names,
/// or without `N1QL_` where SQLite has another function of that name.
package enum QueryFunctions {
    /// Registers all of them in a connection.
    package static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        for function in all { try function.register(in: context, functions) }
        try ArrayAggregate.register(in: context, functions)
    }

    /// All but the aggregates; the list is made once, and serves each connection.
    static let all: [NamedFunction] = [
        ArrayFunctions.table, ArrayBuilding.table, ArraySets.table, ObjectFunctions.table,
        UnknownFunctions.table, NumberConditions.table, MathsFunctions.table,
        RoundingFunctions.table, DateFunctions.table, DateArithmetic.table, DateParts.table,
        ClockFunctions.table, PatternFunctions.table, StringFunctions.table,
        StringBuilding.table, TokenFunctions.table, CodingFunctions.table,
        TypeFunctions.table, TypeConversions.table,
    ].flatMap(\.self)
}
