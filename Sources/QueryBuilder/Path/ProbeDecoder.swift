/// A decoder that supplies a value for every request.
struct ProbeDecoder: Decoder {
    let probe: Probe
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { probe.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbeKeyed(probe: probe, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        ProbeUnkeyed(probe: probe, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ProbeSingle(probe: probe, codingPath: codingPath)
    }
}

/// A dictionary that contains every key.
private struct ProbeKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: Probe
    let codingPath: [any CodingKey]

    /// One key: a type that reads all keys is a dictionary, or selects a case by the key.
    var allKeys: [Key] {
        if probe.isEmpty { return [] }
        if let key = Key(stringValue: "key") ?? Key(intValue: 1) { return [key] }
        if let key: Key = SmallEnumeration.value(Key.self, 0) { return [key] }
        return []
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try probe.value(type, codingPath + [key])
    }

    /// Nil terminates a recursive type, and is better than no sample at all.
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value? {
        do {
            return try probe.value(type, codingPath + [key])
        } catch let error as ProbeError {
            if case .tooLarge = error { throw error }
            return nil
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(ProbeKeyed<Nested>(probe: probe, codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        ProbeUnkeyed(probe: probe, codingPath: codingPath + [key])
    }

    func superDecoder() -> any Decoder {
        ProbeDecoder(probe: probe, codingPath: codingPath + [ProbeKey("super")])
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        ProbeDecoder(probe: probe, codingPath: codingPath + [key])
    }
}

/// An array of one element; further requests get further elements.
private struct ProbeUnkeyed: UnkeyedDecodingContainer {
    let probe: Probe
    let codingPath: [any CodingKey]
    var currentIndex = 0

    init(probe: Probe, codingPath: [any CodingKey]) {
        self.probe = probe
        self.codingPath = codingPath
    }

    var count: Int? { nil }
    var isAtEnd: Bool { probe.isEmpty || currentIndex > 0 }

    private mutating func next() -> [any CodingKey] {
        defer { currentIndex += 1 }
        return codingPath + [ProbeKey("\(currentIndex)")]
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try probe.value(type, next())
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(ProbeKeyed<Nested>(probe: probe, codingPath: next()))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        ProbeUnkeyed(probe: probe, codingPath: next())
    }

    mutating func superDecoder() -> any Decoder { ProbeDecoder(probe: probe, codingPath: next()) }
}

/// A value of any type.
private struct ProbeSingle: SingleValueDecodingContainer {
    let probe: Probe
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try probe.value(type, codingPath)
    }
}

/// A key with a name.
private struct ProbeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(String(intValue)) }
}

/// The forms of strings and numbers that a type is offered for a sample.
enum ProbeForm: Int, CaseIterable {
    case word, mail, link, identifier, timestamp, day, digits, large, time, version

    /// The string for a number.
    func text(_ number: Int) -> String {
        let digits = String(number)
        func padded(_ width: Int) -> String {
            String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return switch self {
        case .word: "v" + digits
        case .mail: "v\(digits)@example.com"
        case .link: "https://example.com/v\(digits)"
        case .identifier: "00000000-0000-4000-8000-" + padded(12)
        case .timestamp: "2001-01-01T00:00:00.\(padded(3))Z"
        case .day: "20\(padded(2).suffix(2))-01-01"
        case .digits: digits
        case .large: "1" + padded(7)
        case .time: "00:00:\(padded(2).suffix(2))"
        case .version: "1.0.\(digits)"
        }
    }

    /// The offset of numbers.
    var offset: Int { self == .word ? 0 : self == .large ? 100_000 : rawValue * 10 }
}

/// The scalars of samples.
enum ProbeScalars {
    /// A scalar for a position; nil if the type is not a scalar.
    static func value<Value>(
        _ type: Value.Type, _ probe: Probe, _ path: [any CodingKey]
    ) throws -> Value? {
        if type == Bool.self { return probe.bit(probe.position(path)) as? Value }
        if type == String.self { return probe.form.text(number(probe, path)) as? Value }
        if type == Double.self { return Double(number(probe, path)) as? Value }
        if type == Float.self { return Float(number(probe, path)) as? Value }
        guard let integer = type as? any FixedWidthInteger.Type else { return nil }
        let position = probe.position(path)
        return integer.integer(number(probe, path), 1 + (position >> min(probe.sample, 62)) & 63)
            as? Value
    }

    /// A distinct number for each position and sample.
    private static func number(_ probe: Probe, _ path: [any CodingKey]) -> Int {
        let position = probe.position(path)
        // Small numbers, which fit all types and most ranges.
        return position + probe.sample + probe.form.offset
    }
}

extension FixedWidthInteger {
    /// A number, or a small one if it does not fit.
    fileprivate static func integer(_ number: Int, _ small: Int) -> Self {
        Self(exactly: number) ?? Self(small)
    }
}
