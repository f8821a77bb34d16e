package import FleeceLite
package import QueryFunctions
package import SQLCore

/// A connection with the prediction functions.
package struct PredictionFixture {
    package let context: SQLContext
    package let functions: FunctionContext
    package let failures: PredictionFailures

    package init(_ failures: PredictionFailures = PredictionFailures()) throws {
        context = try SQLContext()
        functions = try FunctionContext(sharedKeys: SharedKeys())
        self.failures = failures
        try QueryFunctions.register(in: context, functions)
        try PredictionFunctions.register(in: context, functions, failures: failures)
        try VectorSearchStub.register(in: context, functions)
        try context.registerRawFunction(
            "subtype", argumentCount: 1, flags: [.deterministic, .innocuous, .subtype]
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setResult(Int64(call.subtype(at: 0)))
        }
        // Encodes the input as a query does.
        try context.registerFunction("fleece", argumentCount: 1) { call in
            guard let json = call.value(at: 0).textValue else { return .null }
            var encoder = FleeceEncoder()
            try encoder.writeJSON(json)
            return .blob(try encoder.finish())
        }
    }

    /// The value of an expression; Fleece blobs as JSON.
    package func value(_ expression: String, _ parameters: [SQLValue] = []) throws -> SQLValue? {
        try context.selectValue(sql: "SELECT \(expression)", parameters: parameters)
    }

    /// The JSON of an expression whose value is Fleece.
    package func json(_ expression: String, _ parameters: [SQLValue] = []) throws -> String? {
        guard case .blob(let bytes)? = try value(expression, parameters) else { return nil }
        return try FleeceDocument(trusted: [UInt8](bytes)).root.json()
    }

    /// The message of the error that an expression throws.
    package func failure(_ expression: String, _ parameters: [SQLValue] = []) -> String? {
        do {
            return "no error but \(String(describing: try value(expression, parameters)))"
        } catch {
            return (error as? SQLError)?.message
        }
    }
}

/// A model whose results are given by a test.
package struct ClosureModel: PredictiveModel {
    let answer: @Sendable (FleeceDictionary) throws -> MutableFleeceValue?

    package init(_ answer: @escaping @Sendable (FleeceDictionary) throws -> MutableFleeceValue?) {
        self.answer = answer
    }

    package func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
        try answer(input)
    }
}

/// An error that a model throws.
package struct ModelFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// A model that is registered under its own name while the value exists.
package final class RegisteredModel {
    package let name: String

    package init(
        _ name: String,
        _ answer: @escaping @Sendable (FleeceDictionary) throws -> MutableFleeceValue?
    ) {
        self.name = name
        PredictiveModels.register(ClosureModel(answer), as: name)
    }

    deinit {
        PredictiveModels.unregister(name)
    }
}
