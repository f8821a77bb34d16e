internal import FleeceLite
internal import SQLCore

/// The functions that make vectors of documents, in the form in which the extension takes them:
/// numbers of single precision, little-endian, one after the other.
enum VectorFunctions {
    /// The sizes of vectors that there are.
    private static let dimensions: ClosedRange<Int64> = 2...4096

    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        let flags: SQLFunctionFlags = [.deterministic, .innocuous, .subtype]
        try context.registerRawFunction(
            "encode_vector", argumentCount: 1, flags: flags, state: functions
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(FunctionContext.self) { VectorFunctions.encodeVector(call, $0) }
        }
        try context.registerRawFunction(
            "fl_vector_to_index", argumentCount: 3, flags: flags, state: functions
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(FunctionContext.self) { VectorFunctions.vectorToIndex(call, $0) }
        }
    }

    /// `encode_vector(value)`: MISSING for what is no vector.
    private static func encodeVector(_ call: SQLRawCall, _ functions: FunctionContext) {
        setVector(call, call.value(at: 0, functions), functions, count: nil)
    }

    /// `fl_vector_to_index(body, path, dimensions)`: MISSING for what is no vector of this size.
    private static func vectorToIndex(_ call: SQLRawCall, _ functions: FunctionContext) {
        let count = call.int64(at: 2)
        guard dimensions ~= count, case .collection(let body) = call.value(at: 0, functions),
            let value = property(call, of: body)
        else { return call.setNull() }
        setVector(call, FunctionValue(value), functions, count: Int(count))
    }

    /// What the path in the second argument leads to.
    private static func property(
        _ call: SQLRawCall, of body: UnsafeFleeceValue
    ) -> UnsafeFleeceValue? {
        guard let path = path(call) else { return nil }
        return path.components.reduce(body as UnsafeFleeceValue?) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index):
                value.flatMap { $0[index < 0 ? $0.elementCount + index : index] }
            }
        }
    }

    /// The path, which is read once for a statement.
    private static func path(_ call: SQLRawCall) -> PropertyPath? {
        if let kept = call.auxiliary(at: 1, as: VectorPath.self) { return kept.path }
        // Reading any other type as text would change it.
        guard call.type(at: 1) == .text else { return nil }
        let text = String(decoding: call.text(at: 1), as: UTF8.self)
        guard let path = try? PropertyPath(parsing: text, syntax: .lenient) else { return nil }
        call.setAuxiliary(VectorPath(path), at: 1)
        return path
    }

    private static func setVector(
        _ call: SQLRawCall, _ value: FunctionValue, _ functions: FunctionContext, count: Int?
    ) {
        functions.scratch.removeAll()
        guard VectorBytes.append(value, to: &functions.scratch, count: count) else {
            return call.setNull()
        }
        call.setData(functions.scratch.bytes)
    }
}

private final class VectorPath {
    let path: PropertyPath

    init(_ path: PropertyPath) {
        self.path = path
    }
}
