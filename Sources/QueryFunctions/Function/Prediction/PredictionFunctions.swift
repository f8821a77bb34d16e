internal import FleeceLite
package import SQLCore

/// The functions of predictive queries and indexes: `prediction`, `euclidean_distance`,
/// `cosine_distance`.
package enum PredictionFunctions {
    /// Registers them.
    ///
    /// - Parameter failures: what is done where a model fails, and where that is noted.
    package static func register(
        in context: SQLContext, _ functions: FunctionContext,
        failures: PredictionFailures = PredictionFailures()
    ) throws {
        let flags: SQLFunctionFlags = [.deterministic, .innocuous, .subtype]
        try context.registerRawFunction(
            "prediction", flags: flags, state: PredictionCaller(functions, failures)
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(PredictionCaller.self) { $0.answer(call) }
        }
        try context.registerRawFunction(
            "euclidean_distance", flags: flags, state: functions
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(FunctionContext.self) { VectorDistance.euclidean(call, $0) }
        }
        try context.registerRawFunction(
            "cosine_distance", argumentCount: 2, flags: flags, state: functions
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(FunctionContext.self) { VectorDistance.cosine(call, $0) }
        }
    }
}
