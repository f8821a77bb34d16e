internal import FleeceLite
package import SQLCore

/// Evaluates `prediction(model, input[, path])` on one connection.
///
/// Results are not cached between calls, since there is no sign of where one statement ends and the
/// next begins, and the model may have changed in between.
final class PredictionCaller {
    private let functions: FunctionContext
    private let failures: PredictionFailures
    fileprivate static let beginning = "prediction by the model "

    init(_ functions: FunctionContext, _ failures: PredictionFailures) {
        self.functions = functions
        self.failures = failures
    }

    /// Sets the result: MISSING if the input is missing or the model returns nil.
    func answer(_ call: SQLRawCall) {
        guard 2...3 ~= call.count, call.type(at: 0) == .text else {
            return call.setError(
                "prediction takes the name of a model, a dictionary, and optionally the path of a "
                    + "property of the result")
        }
        let name = String(decoding: call.text(at: 0), as: UTF8.self)
        do {
            guard let answer = try answer(call, of: name) else { return call.setNull() }
            try call.setValue(answer, functions)
        } catch let error as PathError {
            call.setError(error.message)
        } catch {
            fail(call, name, error)
        }
    }

    private func answer(_ call: SQLRawCall, of name: String) throws -> MutableFleeceValue? {
        guard let model = PredictiveModels.model(named: name) else {
            throw PredictionError.unknownModel
        }
        guard let input = try input(call) else { return nil }
        guard call.count == 3 else { return try model.predict(input) }
        guard !call.isNull(at: 2) else { return nil }
        let path = try path(call)
        return try model.predict(input)?[path]
    }

    /// The dictionary; nil if it is missing.
    private func input(_ call: SQLRawCall) throws -> FleeceDictionary? {
        switch call.value(at: 1, functions) {
        case .missing: return nil
        case .collection(let value) where value.dictionary != nil:
            return try FleeceDocument(copying: value).root.dictionary
        default: throw PredictionError.noDictionary
        }
    }

    /// The path, which is parsed once for a statement that contains it as a literal.
    private func path(_ call: SQLRawCall) throws(PathError) -> PropertyPath {
        if let cached = call.auxiliary(at: 2, as: CachedPath.self) { return cached.path }
        // Reading another type as text would convert it.
        let isText = call.type(at: 2) == .text
        let text = String(decoding: call.text(at: 2), as: UTF8.self)
        let steps = text.hasPrefix(".") ? String(text.dropFirst()) : text
        guard isText, !steps.isEmpty,
            let path = try? PropertyPath(parsing: steps, syntax: .lenient)
        else { throw PathError(text: text) }
        call.setAuxiliary(CachedPath(path), at: 2)
        return path
    }

    private func fail(_ call: SQLRawCall, _ name: String, _ error: any Error) {
        let message = PredictionFailures.shortened(String(describing: error))
        guard failures.policy(for: name) == .refuse else {
            failures.note(message, of: name)
            return call.setNull()
        }
        // Without quotes, in which a log would hide it.
        let shown = name.unicodeScalars.prefix(100)
        call.setError(Self.beginning + "\(String(shown)): \(message)")
    }
}

extension SQLError {
    /// The name of the unregistered model; nil if the error has another cause.
    package var missingModel: String? {
        let end = ": \(PredictionError.unknownModel)"
        guard message.hasPrefix(PredictionCaller.beginning), message.hasSuffix(end) else {
            return nil
        }
        return String(message.dropFirst(PredictionCaller.beginning.count).dropLast(end.count))
    }
}

/// Errors before the model is called.
private enum PredictionError: Error, CustomStringConvertible {
    case unknownModel
    case noDictionary

    var description: String {
        switch self {
        case .unknownModel:
            "no model has this name; call PredictiveModels.register(_:as:) before the data file is "
                + "used"
        case .noDictionary:
            "the input is not a dictionary; pass the values as properties of a dictionary"
        }
    }
}

/// An invalid path: an error of the statement, not of a document or a model.
private struct PathError: Error {
    let text: String

    var message: String {
        "prediction: \(PredictionFailures.shortened(text)) is not a property path; write it as "
            + ".name or .list[0].name"
    }
}

private final class CachedPath {
    let path: PropertyPath

    init(_ path: PropertyPath) {
        self.path = path
    }
}

/// The function of predictive queries and indexes, `prediction`.
package enum PredictionFunctions {
    /// Registers the function.
    ///
    /// - Parameter failures: the policy for failures of models, and their record.
    package static func register(
        in context: SQLContext, _ functions: FunctionContext,
        failures: PredictionFailures = PredictionFailures()
    ) throws {
        try context.registerRawFunction(
            "prediction", flags: .pure, state: PredictionCaller(functions, failures)
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(PredictionCaller.self) { $0.answer(call) }
        }
    }
}

extension SQLRawCall {
    /// Sets the result to a value from a program: a scalar, or a standalone document without shared
    /// keys for data and collections.
    ///
    /// - Throws: `.invalidData` for collections with NaN or corrupt values, `.outOfRange` for
    ///   collections that are nested too deeply.
    func setValue(_ value: MutableFleeceValue, _ functions: FunctionContext) throws {
        switch value {
        case .null: setJSONNull()
        case .bool(let bool): setBoolean(bool)
        case .int(let number): setResult(number)
        case .uint(let number): setUnsigned(number)
        case .float(let number): setResult(Double(number))
        case .double(let number): setResult(number)
        case .string(var text): text.withUTF8 { setText(UnsafeRawBufferPointer($0)) }
        case .data, .array, .dictionary: try setDocument(of: value, functions)
        case .value(let value): value.withUnsafeValue { setValue($0, functions) }
        }
    }

    private func setDocument(
        of value: MutableFleeceValue, _ functions: FunctionContext
    ) throws {
        do {
            try functions.encoder.write(value)
            try functions.encoder.withFinishedBytes { setFleece($0) }
        } catch {
            functions.encoder.reset()
            throw error
        }
    }
}
