internal import FleeceLite
internal import QueryLanguage
internal import SQLCore

extension SQLStatement {
    /// Binds the parameters of a query; those without a value are missing.
    func bind(_ parameters: QueryParameters, changed: [String]?) throws {
        for index in 0..<parameterCount {
            let name = parameterName(at: index + 1) ?? ""
            if name == TranslationOptions.changedKeys {
                try bind(Self.array(changed ?? []), at: index + 1)
            } else {
                try bind(parameters[String(name.dropFirst(2))] ?? .missing, at: index + 1)
            }
        }
    }

    private func bind(_ value: QueryValue, at index: Int) throws {
        switch value {
        case .missing: try bindNull(at: index)
        case .null: try bind([UInt8](), at: index)
        case .boolean(let bool): try bind(bool ? 1 : 0 as Int64, at: index)
        case .integer(let number): try bind(number, at: index)
        case .unsigned(let number): try bind(Int64(bitPattern: number), at: index)
        case .real(let number): try bind(SQLValue.real(number), at: index)
        case .string(let text): try bind(text, at: index)
        case .data, .array, .dictionary: try bind(Self.document(value), at: index)
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int) throws {
        try bytes.withUnsafeBytes { try bind($0, at: index) }
    }

    /// A document whose root is a value.
    private static func document(_ value: QueryValue) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.write(value)
        return try encoder.finish()
    }

    private static func array(_ strings: [String]) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        for text in strings { encoder.writeString(text) }
        try encoder.endArray()
        return try encoder.finish()
    }
}

extension FleeceEncoder {
    /// Writes a value of a query; a missing value is written as undefined.
    package mutating func write(_ value: QueryValue) throws {
        switch value {
        case .missing: writeUndefined()
        case .null: writeNull()
        case .boolean(let bool): writeBool(bool)
        case .integer(let number): writeInt(number)
        case .unsigned(let number): writeUInt(number)
        case .real(let number): try writeDouble(number)
        case .string(let text): writeString(text)
        case .data(let bytes): writeData(bytes)
        case .array(let array): try write(array.value)
        case .dictionary(let dictionary): try write(dictionary.value)
        }
    }
}
