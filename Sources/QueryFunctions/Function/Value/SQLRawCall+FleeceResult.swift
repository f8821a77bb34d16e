internal import FleeceLite
internal import SQLCore

/// Results in the form that LiteCore gives values in SQL.
extension SQLRawCall {
    /// The result is null, which is an empty blob; `NULL` is a value that is missing.
    func setJSONNull() {
        setBlob(UnsafeRawBufferPointer(start: nil, count: 0))
        setSubtype(FunctionSubtype.null)
    }

    /// The result is 1 or 0, marked as a Boolean.
    func setBoolean(_ bool: Bool) {
        setResult(bool)
        setSubtype(FunctionSubtype.boolean)
    }

    /// The result is an integer; beyond those of `Int64` it has the same bits, and a mark.
    func setUnsigned(_ number: UInt64) {
        setResult(Int64(bitPattern: number))
        if number > UInt64(Int64.max) { setSubtype(FunctionSubtype.unsigned) }
    }

    /// The result is a blob of bytes that are not Fleece, and marked so.
    func setData(_ bytes: UnsafeRawBufferPointer) {
        setBlob(bytes)
        setSubtype(FunctionSubtype.data)
    }

    /// The result is an argument; a blob loses the mark of its type.
    ///
    /// `sqlite3_result_value` allocates room for each blob; a copy takes that of the row before.
    func pass(argumentAt index: Int) {
        guard type(at: index) == .blob, !blob(at: index).isEmpty else {
            return setResult(argumentAt: index)
        }
        setBlob(blob(at: index))
    }

    /// The result is a document of Fleece, as it is.
    func setFleece(_ bytes: UnsafeRawBufferPointer) {
        setBlob(bytes)
    }

    /// The result is a document of Fleece that is a Boolean.
    func setFleece(_ bool: Bool) {
        let document = UInt16(bigEndian: bool ? 0x3800 : 0x3400)
        withUnsafeBytes(of: document) { setBlob($0) }
    }

    /// The result is a value of a document: a scalar, or a document of its own without shared keys
    /// for data and collections. One that cannot be read is missing.
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

    /// The result is a document of its own with this value as root, whatever it is; `NULL` if it
    /// cannot be read.
    func setDocument(of value: UnsafeFleeceValue, _ functions: FunctionContext) {
        setDocument(of: FunctionValue(value), functions)
    }

    /// The result is a document of its own with an argument as root.
    func setDocument(of value: FunctionValue, _ functions: FunctionContext) {
        if functions.withDocument(of: value, { setFleece($0) }) == nil { setNull() }
    }

    /// The statement fails with what a path's parser says.
    func setPathError(_ error: any Error) {
        setError((error as? FleeceError)?.description ?? "\(error)")
    }
}
