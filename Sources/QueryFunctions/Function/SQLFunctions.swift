public import FleeceLite
public import SQLCore

/// Everything that the schema of a file and queries call by name: functions, collations,
/// tokenizers, modules.
package enum SQLFunctions {
    /// Registers them in a connection that does not belong to a data file, such as one that reads
    /// the tables of its file.
    ///
    /// - Parameter sharedKeys: the shared keys of the file.
    package static func register(in context: SQLContext, sharedKeys: SharedKeys) throws {
        try register(in: context, FunctionContext(sharedKeys: sharedKeys), PredictionFailures())
    }

    /// Registers them in a connection.
    ///
    /// - Parameter failures: the policy for failures of models.
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
    /// Registers everything that the engine registers in a standalone connection, for bodies with
    /// these shared keys: benchmarks use it without the rest of the engine.
    ///
    /// - Parameter sharedKeys: the shared keys with which the bodies were written.
    /// - Throws: `.busy` if it would replace functions while a statement runs.
    @_spi(Measuring)
    public func registerDocumentFunctions(sharedKeys: SharedKeys) throws {
        try SQLFunctions.register(
            in: self, FunctionContext(sharedKeys: sharedKeys), PredictionFailures())
    }
}

/// What SQLite must know to read the schema of a file, before a connection has its functions.
///
/// SQLite accepts an index on an unknown function. For a function that it knows only with another
/// number of arguments, it reports a malformed schema and reads nothing more.
package enum SchemaFunctions {
    /// The functions of the query language that SQLite has with other numbers of arguments.
    static let all: [(name: String, argumentCount: Int)] = [("trunc", 2)]

    /// Registers placeholders in a new connection, which the functions themselves replace.
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
