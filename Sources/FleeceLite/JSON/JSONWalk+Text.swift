extension JSONWalk {
    mutating func writeScalar(_ value: RawValue) throws {
        switch value.tag {
        case FleeceTag.shortInteger, FleeceTag.integer: try writeInteger(value)
        case FleeceTag.float: try writeFloatingPoint(value)
        case FleeceTag.special: try writeSpecial(value)
        case FleeceTag.string: try writeString(value)
        case FleeceTag.data: try writeData(value)
        default: throw corrupt(value, "a value")
        }
    }

    private mutating func writeInteger(_ value: RawValue) throws {
        guard let integer = value.integer else { throw corrupt(value, "an integer") }
        if integer.isUnsigned {
            text.append(UInt64(bitPattern: integer.bits))
        } else {
            text.append(integer.bits)
        }
    }

    private mutating func writeFloatingPoint(_ value: RawValue) throws {
        guard let (number, isSingle) = value.floatingPoint else {
            throw corrupt(value, "a floating-point number")
        }
        guard number.isFinite else { return try writeUnrepresentable("\(number)") }
        let digits = isSingle ? Float(number).description : number.description
        text.utf8.append(contentsOf: digits.utf8)
    }

    private mutating func writeSpecial(_ value: RawValue) throws {
        switch value.byte(0) {
        case FleeceSpecial.true: text.append("true")
        case FleeceSpecial.false: text.append("false")
        case FleeceSpecial.undefined: try writeUnrepresentable("undefined")
        default: text.append("null")
        }
    }

    private mutating func writeUnrepresentable(_ what: String) throws {
        guard options.nullForUnrepresentable else {
            throw FleeceError(.invalidData, "JSON has no \(what)")
        }
        text.append("null")
    }

    private mutating func writeString(_ value: RawValue) throws {
        guard let string = value.string else { throw corrupt(value, "a string") }
        guard UTF8Validation.firstInvalid(in: string) == nil else {
            throw corrupt(value, "a string's UTF-8")
        }
        try requireRoom(string.count)
        text.append(quoted: string)
    }

    private mutating func writeData(_ value: RawValue) throws {
        guard let data = value.bytes(tag: FleeceTag.data) else { throw corrupt(value, "data") }
        try requireRoom(data.count)
        text.append("\"")
        text.append(base64: data)
        text.append("\"")
    }

    mutating func writeKey(
        _ key: RawCollection.Key?, _ keys: SharedKeys, offset: Int
    ) throws {
        switch key {
        case .string(let string):
            guard UTF8Validation.firstInvalid(in: string) == nil else {
                throw FleeceError(.invalidData, "a key's UTF-8 is corrupt", offset: offset)
            }
            try requireRoom(string.count)
            text.append(quoted: string)
        case .number(let number):
            guard let name = keys.key(at: number) else {
                throw FleeceError(
                    .invalidData, "no shared key has the number \(number)", offset: offset)
            }
            text.append(quoted: name)
        case nil:
            throw FleeceError(.invalidData, "a key is no string", offset: offset)
        }
        appendColon()
    }

    mutating func beginItem(isFirst: Bool) {
        if !isFirst { text.append(",") }
        breakLine()
    }

    mutating func leave(_ bracket: StaticString, isEmpty: Bool) {
        if !isEmpty { breakLine() }
        text.append(bracket)
    }

    mutating func appendColon() {
        text.append(options.pretty ? ": " : ":")
    }

    private mutating func breakLine() {
        guard options.pretty else { return }
        text.append("\n")
        for _ in levels { text.append("  ") }
    }
}
