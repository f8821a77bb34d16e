package import FleeceLite
package import SQLCore

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
