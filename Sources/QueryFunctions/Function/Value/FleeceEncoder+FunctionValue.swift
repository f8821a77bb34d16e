internal import FleeceLite

extension FleeceEncoder {
    /// Writes an argument of a SQL function; a missing one becomes null.
    ///
    /// Throws what copying a collection does: `.invalidData`, `.outOfRange`.
    mutating func write(_ value: FunctionValue) throws {
        switch value {
        case .missing, .null: writeNull()
        case .boolean(let truth): writeBool(truth)
        case .integer(let number): writeInt(number)
        case .unsigned(let number): writeUInt(number)
        case .real(let number): writeReal(number)
        case .text(let text): writeText(text)
        case .data(let bytes): writeBytes(bytes)
        case .collection(let value): try write(value)
        }
    }
}

extension FunctionContext {
    /// Lends a value as a document of its own without shared keys, in which dictionaries inherit
    /// nothing; nil if it cannot be read.
    package func withDocument<T>(
        of value: FunctionValue, _ body: (UnsafeRawBufferPointer) -> T
    ) -> T? {
        do {
            try encoder.write(value)
            return try encoder.withFinishedBytes(body)
        } catch {
            encoder.reset()
            return nil
        }
    }
}
