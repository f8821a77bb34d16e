internal import FleeceLite
internal import SQLCore

extension SQLRawCall {
    /// The result is a value that a program made: a scalar, or a document of its own without
    /// shared keys for data and collections.
    ///
    /// Throws `.invalidData` for collections with NaN or corrupt values in them, `.outOfRange` for
    /// those that are too deep.
    func setValue(_ value: MutableFleeceValue, _ functions: FunctionContext) throws {
        switch value {
        case .null: setJSONNull()
        case .bool(let truth): setBoolean(truth)
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
