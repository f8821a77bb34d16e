public import FleeceLite
public import SQLCore

/// All that the schema of a file and queries call by name: functions, orders, tokenizers, modules.
package enum SQLFunctions {
    /// Registers it with a connection that is not a data file's, such as one that looks into the
    /// tables of its file.
    ///
    /// - Parameter sharedKeys: those of the file.
    package static func register(in context: SQLContext, sharedKeys: SharedKeys) throws {
        try register(in: context, FunctionContext(sharedKeys: sharedKeys), PredictionFailures())
    }

    /// Registers it with a connection.
    ///
    /// - Parameter failures: what is done when a model fails.
    package static func register(
        in context: SQLContext, _ functions: FunctionContext, _ failures: PredictionFailures
    ) throws {
        try AccessorFunctions.register(in: context, functions)
        try QueryFunctions.register(in: context, functions)
        try FullTextFunctions.register(in: context, functions)
        try CollatedText.register(in: context)
        try PredictionFunctions.register(in: context, functions, failures: failures)
        try VectorSearchStub.register(in: context, functions)
        try Collations.register(in: context)
    }
}

extension SQLContext {
    /// Registers all that the engine registers on a connection of one's own, for bodies with these
    /// shared keys: what benchmarks measure without the rest of the engine.
    ///
    /// Throws `.busy` when they would replace functions while a statement runs.
    @_spi(Measuring)
    public func registerDocumentFunctions(sharedKeys: SharedKeys) throws {
        try SQLFunctions.register(
            in: self, FunctionContext(sharedKeys: sharedKeys), PredictionFailures())
    }
}

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
                name, argumentCount: count, flags: .pure
            ) { context, count, arguments in
                SQLRawCall(context, count, arguments).setError(
                    SQLError(code: .error, message: "a function that only reads a schema"))
            }
        }
    }
}
