package import SQLCore

/// What SQLite must know to read the schema of a file, before a connection has its functions.
///
/// SQLite reads an index of a function that it does not know. Of one that it has itself, but with
/// another number of arguments, it says that the schema is malformed, and reads nothing more.
package enum SchemaFunctions {
    /// The functions of the query language that SQLite has, too, but not with so many arguments.
    static let all: [(name: String, argumentCount: Int)] = [("trunc", 2)]

    /// Registers them in a new connection, to be replaced by the functions themselves.
    package static func register(in context: SQLContext) throws {
        for (name, count) in all {
            try context.registerRawFunction(
                name, argumentCount: count, flags: NamedFunction.pure
            ) { context, count, arguments in
                SQLRawCall(context, count, arguments).setError(
                    SQLError(code: .error, message: "a function that only reads a schema"))
            }
        }
    }
}
