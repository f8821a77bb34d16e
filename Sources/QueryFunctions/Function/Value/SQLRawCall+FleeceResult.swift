internal import FleeceLite
internal import SQLCore

/// Results in LiteCore's SQL representation of values.
extension SQLRawCall {
    /// Sets the result to null, which is an empty blob; `NULL` represents a missing value.
    func setJSONNull() {
        setBlob(UnsafeRawBufferPointer(start: nil, count: 0))
        setSubtype(FunctionSubtype.null)
    }

    /// Sets the result to 1 or 0, marked as a Boolean.
    func setBoolean(_ bool: Bool) {
        setResult(bool)
        setSubtype(FunctionSubtype.boolean)
    }

    /// Sets the result to an integer; above the range of `Int64` it has the same bits, and a mark.
    func setUnsigned(_ number: UInt64) {
        setResult(Int64(bitPattern: number))
        if number > UInt64(Int64.max) { setSubtype(FunctionSubtype.unsigned) }
    }

    /// Sets the result to a blob that is marked as data, not Fleece.
    func setData(_ bytes: UnsafeRawBufferPointer) {
        setBlob(bytes)
        setSubtype(FunctionSubtype.data)
    }

    /// Sets the result to an argument; a blob loses its mark.
    ///
    /// `sqlite3_result_value` allocates memory for each blob; a copy reuses that of the row before.
    func pass(argumentAt index: Int) {
        guard type(at: index) == .blob, !blob(at: index).isEmpty else {
            return setResult(argumentAt: index)
        }
        setBlob(blob(at: index))
    }

    /// Sets the result to a Fleece document, unchanged.
    func setFleece(_ bytes: UnsafeRawBufferPointer) {
        setBlob(bytes)
    }

    /// Sets the result to a Fleece document with a Boolean root.
    func setFleece(_ bool: Bool) {
        let document = UInt16(bigEndian: bool ? 0x3800 : 0x3400)
        withUnsafeBytes(of: document) { setBlob($0) }
    }

    /// Sets the result to a value of a document: a scalar, or a standalone document without shared
    /// keys for data and collections. A value that cannot be read is missing.
    func setValue(_ value: UnsafeFleeceValue, _ functions: FunctionContext) {
        switch value.content {
        case .string(let text): setText(text)
        case .integer(let number): setResult(number)
        case .double(let number): setResult(number)
        case .bool(let bool): setBoolean(bool)
        case .null: setJSONNull()
        case .unsigned(let number): setUnsigned(number)
        case .data, .array, .dictionary: setDocument(of: value, functions)
        case .undefined: setNull()
        }
    }

    /// Sets the result to a standalone document with this value as its root; `NULL` if it cannot be
    /// read.
    func setDocument(of value: UnsafeFleeceValue, _ functions: FunctionContext) {
        setDocument(of: FunctionValue(value), functions)
    }

    /// Sets the result to a standalone document with an argument as its root.
    func setDocument(of value: FunctionValue, _ functions: FunctionContext) {
        if functions.withDocument(of: value, { setFleece($0) }) == nil { setNull() }
    }

    /// Fails the statement with the error of the path parser.
    func setPathError(_ error: any Error) {
        setError((error as? FleeceError)?.description ?? "\(error)")
    }
}
