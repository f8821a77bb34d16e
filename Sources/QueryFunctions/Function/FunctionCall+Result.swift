internal import FleeceLite
internal import SQLCore

extension FunctionCall {
    /// The result is missing.
    func setMissing() { raw.setNull() }

    /// The result is null.
    func setNull() { raw.setJSONNull() }

    /// The result of arguments that a function has no answer for: missing if one of them is, else
    /// null.
    func setAbsent() {
        hasMissing ? setMissing() : setNull()
    }

    /// The result is a number; one that is none is null. SQLite knows no NaN.
    func set(_ number: Double) {
        number.isNaN ? setNull() : raw.setResult(number)
    }

    /// The result is an integer.
    func set(_ number: Int) { raw.setResult(Int64(number)) }

    /// The result is a Boolean.
    func set(_ bool: Bool) { raw.setBoolean(bool) }

    /// The result is a value.
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

    /// The result is a text.
    func set(_ text: String) {
        var text = text
        text.withUTF8 { raw.setText(UnsafeRawBufferPointer($0)) }
    }

    /// The result is a text that `write` puts together.
    func setText(_ write: (inout ScratchBytes) throws -> Void) throws {
        functions.scratch.removeAll()
        try write(&functions.scratch)
        try FunctionLimits.requireBytes(functions.scratch.count)
        raw.setText(functions.scratch.bytes)
    }

    /// The result is an array of what `write` writes.
    func setArray(_ write: (inout FleeceEncoder) throws -> Void) throws {
        functions.encoder.beginArray()
        try write(&functions.encoder)
        try functions.encoder.endArray()
        try functions.encoder.withFinishedBytes { raw.setFleece($0) }
    }

    /// The result is an object of what `write` writes.
    func setObject(_ write: (inout FleeceEncoder) throws -> Void) throws {
        functions.encoder.beginDictionary()
        try write(&functions.encoder)
        try functions.encoder.endDictionary()
        try functions.encoder.withFinishedBytes { raw.setFleece($0) }
    }

    /// The result is an array of values.
    func set(_ values: [FunctionValue]) throws {
        try FunctionLimits.requireElements(values.count)
        try setArray { encoder in
            for value in values { try encoder.writeBounded(value) }
        }
    }
}

extension FleeceEncoder {
    /// Writes an element or a property; throws beyond what a result may come to.
    mutating func writeBounded(_ value: FunctionValue) throws {
        try write(value)
        try FunctionLimits.requireBytes(byteCount)
    }
}
