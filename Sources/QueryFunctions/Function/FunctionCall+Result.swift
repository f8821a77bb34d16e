internal import FleeceLite
internal import SQLCore

extension FunctionCall {
    /// Sets the result to missing.
    func setMissing() { raw.setNull() }

    /// Sets the result to null.
    func setNull() { raw.setJSONNull() }

    /// Sets the result for unsuitable arguments: missing if one of them is missing, else null.
    func setAbsent() {
        hasMissing ? setMissing() : setNull()
    }

    /// Sets the result to a number; NaN becomes null, since SQLite has no NaN.
    func set(_ number: Double) {
        number.isNaN ? setNull() : raw.setResult(number)
    }

    /// Sets the result to an integer.
    func set(_ number: Int) { raw.setResult(Int64(number)) }

    /// Sets the result to a Boolean.
    func set(_ bool: Bool) { raw.setBoolean(bool) }

    /// Sets the result to a value.
    func set(_ value: FunctionValue) {
        switch value {
        case .missing: setMissing()
        case .null: setNull()
        case .boolean(let bool): raw.setBoolean(bool)
        case .integer(let number): raw.setResult(number)
        case .unsigned(let number): raw.setUnsigned(number)
        case .real(let number): set(number)
        case .text(let text): raw.setText(text)
        case .data(let bytes): raw.setData(bytes)
        case .collection(let value): raw.setValue(value, functions)
        }
    }

    /// Sets the result to a string.
    func set(_ text: String) {
        var text = text
        text.withUTF8 { raw.setText(UnsafeRawBufferPointer($0)) }
    }

    /// Sets the result to a string that `write` composes.
    func setText(_ write: (inout ScratchBytes) throws -> Void) throws {
        functions.scratch.removeAll()
        try write(&functions.scratch)
        try FunctionLimits.requireBytes(functions.scratch.count)
        raw.setText(functions.scratch.bytes)
    }

    /// Sets the result to an array of what `write` writes.
    func setArray(_ write: (inout FleeceEncoder) throws -> Void) throws {
        functions.encoder.beginArray()
        try write(&functions.encoder)
        try functions.encoder.endArray()
        try functions.encoder.withFinishedBytes { raw.setFleece($0) }
    }

    /// Sets the result to an object of what `write` writes.
    func setObject(_ write: (inout FleeceEncoder) throws -> Void) throws {
        functions.encoder.beginDictionary()
        try write(&functions.encoder)
        try functions.encoder.endDictionary()
        try functions.encoder.withFinishedBytes { raw.setFleece($0) }
    }

    /// Sets the result to an array of values.
    func set(_ values: [FunctionValue]) throws {
        try FunctionLimits.requireElements(values.count)
        try setArray { encoder in
            for value in values { try encoder.writeBounded(value) }
        }
    }
}

extension FleeceEncoder {
    /// Writes an element or a property; throws if the result becomes too large.
    mutating func writeBounded(_ value: FunctionValue) throws {
        try write(value)
        try FunctionLimits.requireBytes(byteCount)
    }
}
